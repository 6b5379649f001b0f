@testable import OssicleDevices
import Foundation
import Synchronization
import Testing

/// The server that `Scripts/with-jack-server` started.
private enum JackServer {
    private static let environment = ProcessInfo.processInfo.environment
    static let isRunning = environment["OSSICLE_JACK_SERVER"] == "1"
    static let mayEnd = environment["OSSICLE_JACK_MAY_END"] == "1"
    static let process = environment["OSSICLE_JACK_PROCESS"].flatMap { pid_t($0) }
}

/// Frames as they came, for a test to look at.
private final class JackTape: Sendable {
    private let frames = Mutex<[SIMD2<Float>]>([])
    private let times = Mutex<[(UInt64, Int)]>([])

    func take(_ block: borrowing InputBlock) {
        let (left, right, time) = (block[0], block[1], block.hostTime)
        frames.withLock { frames in
            for frame in 0..<left.count { frames.append([left[frame], right[frame]]) }
        }
        times.withLock { $0.append((time, left.count)) }
    }

    /// What follows the silence before.
    var sound: [SIMD2<Float>] { frames.withLock { Array($0.drop { $0 == [0, 0] }) } }
    var blocks: [(time: UInt64, frames: Int)] { times.withLock { $0.map { (time: $0.0, frames: $0.1) } } }
}

@Suite(.serialized, .enabled(if: JackServer.isRunning)) struct JackTests {
    @Test("The server's hardware is listed: eight channels out, two in, with rate and latency")
    func list() throws {
        let list = try JackDirectory.list()
        let output = try #require(list.outputs.first)
        let input = try #require(list.inputs.first)
        #expect(output.id == "jack:system" && output.channelCount == 8 && output.sampleRate == 48000)
        #expect(input.id == "jack:system" && input.channelCount == 2 && input.isDefault)
        // The dummy driver states a cycle either way where the server waits for its clients.
        #expect(abs(output.latency - 256.0 / 48000) < 1e-9 && abs(input.latency - 256.0 / 48000) < 1e-9)
        #expect(DeviceList.everything().outputs.contains { $0.id == "jack:system" })
    }

    @Test("What one client plays another records, every frame, bit for bit, cut into quanta on either side")
    func loop() throws {
        let length = 24000
        let output = try JackDevice(channelCount: 2, quantum: 100, client: "Ossicle loop")
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
        let input = try JackInput(channelCount: 2, device: "Ossicle loop")
        let (tape, heard) = (JackTape(), EventLog())
        try input.start(receive: { tape.take($0) }, events: { heard.hear($0) })
        JackTests.isHeard.store(true, ordering: .relaxed)
        #expect(eventually { tape.sound.count >= length })
        #expect(output.stop() && input.stop())
        let sound = Array(tape.sound.prefix(length))
        let wrong = sound.indices.first { sound[$0] != [Float($0 + 1) / 32768, -Float($0 + 1) / 32768] }
        #expect(sound.count == length && wrong == nil)
        #expect(played.events == [.started, .stopped] && heard.events == [.started, .stopped])
        #expect(output.latency > 0)
    }
    private static let isHeard = Atomic(false)

    @Test("Blocks are stamped one after the other: the times tell the rate of the clock")
    func times() throws {
        let input = try JackInput(quantum: 64)
        let tape = JackTape()
        #expect(input.quantum == 64)
        try input.start(receive: { tape.take($0) }, events: { _ in })
        #expect(eventually { tape.blocks.count >= 750 })
        input.stop()
        let blocks = tape.blocks.prefix(750)
        #expect(blocks.allSatisfy { $0.frames == 64 })
        let span = Double(blocks[749].time - blocks[0].time) / 1e9
        // One second, less a block. A cycle that came late is told late: 30 ms on a loaded machine.
        #expect(abs(span - 749 * 64.0 / 48000) < 0.03)
    }

    @Test("The server's rate is the only one; more channels than it has, and one, are played all the same")
    func formats() throws {
        #expect(throws: DeviceError.wrongRate(device: "JACK server", sampleRate: 44100, offered: 48000)) {
            try JackDevice(sampleRate: 44100)
        }
        for channels in [1, 12] {
            let device = try JackDevice(channelCount: channels)
            let frames = Atomic(0)
            try device.start { block in frames.store(block.frameCount * block.channelCount, ordering: .relaxed) }
            #expect(throws: DeviceError.alreadyRunning(device: device.name)) { try device.start { _ in } }
            #expect(eventually { frames.load(ordering: .relaxed) == 256 * channels })
            #expect(device.stop())
        }
        #expect(throws: DeviceError.self) { try JackDevice(device: "nobody") }
    }

    @Test("Stopped from its own callback, that callback is the last")
    func stopFromCallback() throws {
        let device = try JackDevice()
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

/// Ends the server, so it is asked for by name and runs alone.
@Suite(.enabled(if: JackServer.isRunning && JackServer.mayEnd)) struct JackEndTests {
    // Not by SIGKILL: that leaves a locked data base, and no server of this user starts again before it is removed.
    @Test("A server that ends is told once, and the next start says that none is there")
    func ended() throws {
        let device = try JackDevice()
        let log = EventLog()
        let count = Atomic(0)
        try device.start(render: { _ in count.add(1, ordering: .relaxed) }, events: { log.hear($0) })
        // A server that is ended while a client joins may wait for it without end.
        #expect(eventually { count.load(ordering: .relaxed) > 10 })
        kill(try #require(JackServer.process), SIGTERM)
        #expect(log.hears { if case .lost = $0 { true } else { false } })
        #expect(throws: DeviceError.self) { try device.start { _ in } }
        #expect(device.stop() && log.events.count == 2)
    }
}
