@testable import OssicleDevices
import CJack
import Foundation
import Synchronization
import Testing

/// The server that `Scripts/with-jack-server` started.
private enum JackServer {
    private static let environment = ProcessInfo.processInfo.environment
    static let isRunning = environment["OSSICLE_JACK_SERVER"] == "1"
    static let mayEnd = environment["OSSICLE_JACK_MAY_END"] == "1"
    static let process = environment["OSSICLE_JACK_PROCESS"].flatMap { pid_t($0) }

    /// Whether JACK's table of servers, shared by all of them, has an entry of this one: one that was killed leaves it.
    static var isRegistered: Bool {
        guard let name = environment["JACK_DEFAULT_SERVER"],
            let table = FileManager.default.contents(atPath: "/dev/shm/jack-shm-registry")
        else { return false }
        return table.range(of: Data(":\(name):".utf8)) != nil
    }
}

@Suite(.serialized, .enabled(if: JackServer.isRunning)) struct JackTests {
    @Test("The server's hardware is listed: twelve channels out, two in, with rate and latency")
    func list() throws {
        let list = try JackDirectory.list()
        let output = try #require(list.outputs.first)
        let input = try #require(list.inputs.first)
        #expect(output.id == "jack:system" && output.channelCount == 12 && output.sampleRate == 48000)
        #expect(input.id == "jack:system" && input.channelCount == 2 && input.isDefault)
        // The dummy driver states a cycle either way where the server waits for its clients.
        #expect(abs(output.latency - 256.0 / 48000) < 1e-9 && abs(input.latency - 256.0 / 48000) < 1e-9)
        #expect(DeviceList.everything().outputs.contains { $0.id == "jack:system" })
    }

    @Test("What one client plays another records, every frame, bit for bit, cut into quanta on either side")
    func loop() throws {
        let length = 24000
        let output = try PortOutput(.jack(client: "Ossicle loop"), FormatWishes(channelCount: 2, quantum: 100))
        #expect(output.sampleRate == 48000 && output.quantum == 100)
        let position = Atomic(0)
        let played = EventLog()
        try output.start(
            render: { block in
                let first = position.load(ordering: .relaxed)
                for frame in 0..<max(0, min(block.frameCount, length - first)) {
                    block[0][frame] = Float(first + frame + 1) / 32768
                    block[1][frame] = -Float(first + frame + 1) / 32768
                }
                // Begins when the other side listens.
                if JackTests.isHeard.load(ordering: .relaxed) {
                    position.store(first + block.frameCount, ordering: .relaxed)
                } else {
                    for frame in 0..<block.frameCount { (block[0][frame], block[1][frame]) = (0, 0) }
                }
            }, events: { played.hear($0) })
        let input = try PortInput(.jack("Ossicle loop"), FormatWishes(channelCount: 2))
        let (tape, heard) = (Tape(), EventLog())
        try input.start(receive: { tape.take($0) }, events: { heard.hear($0) })
        JackTests.isHeard.store(true, ordering: .relaxed)
        #expect(eventually { tape.sound.count >= length })
        #expect(input.stop() && output.stop())
        let sound = Array(tape.sound.prefix(length))
        let wrong = sound.indices.first { sound[$0] != [Float($0 + 1) / 32768, -Float($0 + 1) / 32768] }
        #expect(sound.count == length && wrong == nil)
        #expect(played.events == [.started, .stopped] && heard.events == [.started, .stopped])
    }
    private static let isHeard = Atomic(false)

    @Test("Blocks are stamped one after the other: the times tell the rate of the clock")
    func times() throws {
        let input = try PortInput(.jack(), FormatWishes(quantum: 64))
        let tape = Tape()
        #expect(input.quantum == 64)
        try input.start(receive: { tape.take($0) }, events: { _ in })
        #expect(eventually { tape.blocks.count >= 750 })
        input.stop()
        let blocks = tape.blocks.prefix(750)
        #expect(blocks.allSatisfy { $0.frames == 64 })
        let times = blocks.map { Double($0.time) / 1e9 }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        // A cycle has four blocks. One that came late is told late, and what it lost the server's clock does not make up
        // for: the median knows nothing of it.
        let cycles = zip(times, times.dropFirst(4)).map { $1 - $0 }.sorted()
        let cycle = 256.0 / 48000
        #expect(abs(cycles[cycles.count / 2] / cycle - 1) < 0.01)
        #expect(times[749] - times[0] > 749 / 4 * cycle - 0.03)
    }

    /// Both clients are called in the same cycle: host time and latency together must say what the server says of the
    /// way from its begin to the loudspeaker and from the microphone, a cycle of 256 frames each with this driver.
    @Test("Host times of a cycle, out and in, lie apart by the latencies the server states, to the microsecond")
    func hostTimes() throws {
        let (output, input) = (try PortOutput(.jack(), FormatWishes(quantum: 256)), try PortInput(.jack()))
        let (taken, captured) = (TimeLog(), TimeLog())
        try input.start { captured.append($0.hostTime) }
        try output.start { taken.append($0.hostTime) }
        #expect(eventually { taken.times.count > 200 && captured.times.count > 200 })
        let (heardLater, wasEarlier) = (output.latency, input.latency)
        #expect(output.stop() && input.stop())
        #expect(abs(wasEarlier - 256.0 / 48000) < 1e-9 && heardLater == 0)
        let inputs = captured.seconds
        let distances = taken.seconds.suffix(100).map { time in
            inputs.map { abs(time - $0 - 512.0 / 48000) }.min() ?? 1
        }
        // The readings of the two clocks that are compared in each cycle take less than 20 µs.
        #expect(distances.sorted()[50] < 20e-6)
    }

    @Test("The server's rate is the only one; more channels than it has, and one, are played all the same")
    func formats() throws {
        #expect(throws: DeviceError.wrongRate(device: "JACK server", sampleRate: 44100, offered: 48000)) {
            try PortOutput(.jack(), FormatWishes(sampleRate: 44100))
        }
        for channels in [1, 16] {
            let device = try PortOutput(.jack(), FormatWishes(channelCount: channels))
            let frames = Atomic(0)
            try device.start { block in frames.store(block.frameCount * block.channelCount, ordering: .relaxed) }
            #expect(throws: DeviceError.alreadyRunning(device: device.name)) { try device.start { _ in } }
            #expect(eventually { frames.load(ordering: .relaxed) == 256 * channels })
            #expect(device.stop())
        }
        #expect {
            try PortOutput(.jack("nobody"))
        } throws: {
            ($0 as? DeviceError)?.meansNoDevice == true && "\($0)".contains("ossicle devices")
        }
    }

    /// The ports of a client are those of a device to another one.
    @Test("7.1.4: each of twelve channels arrives at the port of its number")
    func twelve() throws {
        let output = try PortOutput(.jack(client: "Ossicle tall"))
        #expect(output.channelCount == 12)
        try output.start { block in
            for channel in 0..<12 {
                for frame in 0..<block.frameCount { block[channel][frame] = Float(channel + 1) / 16 }
            }
        }
        let input = try PortInput(.jack("Ossicle tall"))
        try #require(input.channelCount == 12)
        let heard = Mutex<[[Float]]>([])
        try input.start { block in
            let frame = (0..<12).map { block[$0][0] }
            heard.withLock { $0.append(frame) }
        }
        let right = (0..<12).map { Float($0 + 1) / 16 }
        #expect(eventually { heard.withLock { $0.count } >= 20 })
        #expect(input.stop() && output.stop())
        // Its own cycle may have come before that of what it hears.
        #expect(heard.withLock { $0 }.dropFirst().prefix(19).allSatisfy { $0 == right })
    }

    @Test("A server without a port left refuses, once and in words, and serves the next one that asks")
    func full() throws {
        let device = try PortOutput(.jack(), FormatWishes(channelCount: 4))
        do {
            let crowd = try JackClient(name: "Crowd", device: "test")
            var count = 0
            while (try? crowd.register("port_\(count)", .output)) != nil { count += 1 }
            #expect(count > 50)
            let log = EventLog()
            #expect {
                try device.start(render: { _ in }, events: { log.hear($0) })
            } throws: {
                guard case DeviceError.rejected? = $0 as? DeviceError else { return false }
                return "\($0)".contains("the server may be full")
            }
            #expect(log.events.isEmpty)
        }
        try device.start { _ in }
        #expect(device.stop())
    }

    @Test("A server that does not answer is one that is not there, and comes back")
    func halted() throws {
        let server = try #require(JackServer.process)
        let device = try PortOutput(.jack())
        kill(server, SIGSTOP)
        let error = try? #require(throws: DeviceError.self) { try device.start { _ in } }
        kill(server, SIGCONT)
        #expect(error?.meansNoDevice == true && error.map { "\($0)".contains("no answer within") } == true)
        #expect(eventually { (try? device.start { _ in }) != nil })
        #expect(device.stop())
    }

    @Test("A session sees hardware of JACK's come and go, with the list before and after")
    func session() throws {
        let surroundings = ServerSurroundings()
        let log = Mutex<[SurroundingsEvent]>([])
        surroundings.watch { event in log.withLock { $0.append(event) } }
        #expect(eventually { surroundings.devices.outputs.map(\.id) == ["jack:system"] })
        func ids(_ event: SurroundingsEvent) -> [[String]] {
            guard case .devices(let old, let new) = event else { return [] }
            return [old, new].map { $0.outputs.map(\.id) }
        }
        let (alone, both) = (["jack:system"], ["jack:system", "jack:Box"])
        var box: JackClient?
        // What comes before the watch has looked for the first time is no change.
        let isSeen = (0..<5).contains { _ in
            box = nil
            Thread.sleep(forTimeInterval: 0.8)
            box = try? JackClient(name: "Box", device: "test")
            _ = try? box?.register("playback_1", .input, isPhysical: true)
            if let box { jack_activate(box.handle) }
            Thread.sleep(forTimeInterval: 0.8)
            return log.withLock { $0.contains { ids($0) == [alone, both] } }
        }
        #expect(isSeen, "\(log.withLock { $0.map(ids) })")
        box = nil
        #expect(eventually { log.withLock { $0.last.map(ids) == [both, alone] } })
    }

    @Test("Hardware that comes and goes is reported, and what plays to it is lost; the rest of the server is not")
    func hotPlug() throws {
        let (watched, played, other) = (EventLog(), EventLog(), EventLog())
        let watch = try DeviceWatch(.jack)
        try watch.start { watched.hear($0) }
        let bystander = try PortOutput(.jack())
        try bystander.start(render: { _ in }, events: { other.hear($0) })
        var box: JackClient? = try JackClient(name: "Box", device: "test")
        _ = try box?.register("playback_1", .input, isPhysical: true)
        _ = jack_activate(try #require(box).handle)
        #expect(watched.hears(.routeChanged(.added("jack:Box"))))
        let output = try PortOutput(.jack("Box"))
        try output.start(render: { _ in }, events: { played.hear($0) })
        box = nil
        #expect(watched.hears(.routeChanged(.removed("jack:Box"))))
        #expect(played.hears { if case .lost(.gone) = $0 { true } else { false } })
        #expect(output.stop() && bystander.stop() && watch.stop())
        #expect(other.events == [.started, .stopped])
        #expect(
            watched.events == [
                .started, .routeChanged(.added("jack:Box")), .routeChanged(.removed("jack:Box")), .stopped,
            ])
        #expect(throws: DeviceError.self) { try output.start { _ in } }
    }

    @Test("Stopped from its own callback, that callback is the last")
    func stopFromCallback() throws {
        let device = try PortOutput(.jack())
        let count = Atomic(0)
        let log = EventLog()
        try device.start(
            render: { [weak device] _ in
                count.add(1, ordering: .relaxed)
                device?.stop()
            }, events: { log.hear($0) })
        #expect(log.hears(.stopped))
        #expect(count.load(ordering: .relaxed) == 1)
    }
}

/// Ends the server, so it runs alone.
@Suite(.enabled(if: JackServer.isRunning && JackServer.mayEnd)) struct JackEndTests {
    // Not by SIGKILL: that leaves a locked data base, and no server of this user starts again before it is removed.
    @Test("A server that ends is reported once, is not killed by us, and the next start says that none is there")
    func ended() throws {
        let surroundings = ServerSurroundings()
        let session = Mutex<[SurroundingsEvent]>([])
        surroundings.watch { event in session.withLock { $0.append(event) } }
        let device = try PortOutput(.jack())
        let log = EventLog()
        let count = Atomic(0)
        try device.start(render: { _ in count.add(1, ordering: .relaxed) }, events: { log.hear($0) })
        #expect(JackServer.isRegistered)
        // A server that is ended while a client joins may wait for it without end: the session's has joined by then.
        #expect(eventually { count.load(ordering: .relaxed) > 10 })
        Thread.sleep(forTimeInterval: 2)
        let server = try #require(JackServer.process)
        kill(server, SIGTERM)
        #expect(log.hears { if case .lost = $0 { true } else { false } })
        // In good order: this program leaving before would kill it, as a client's socket that closes early does.
        #expect(eventually { kill(server, 0) != 0 })
        #expect(!JackServer.isRegistered)
        #expect { try device.start { _ in } } throws: { if case DeviceError.noServer = $0 { true } else { false } }
        #expect(device.stop() && log.events.count == 2)
        // A session sees that, too: lost media services, and no device.
        #expect(eventually { session.withLock { $0.contains(.serverLost) } })
        #expect(eventually { surroundings.devices.outputs.isEmpty })
    }
}
