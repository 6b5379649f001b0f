@testable import OssicleDevices
import Foundation
import OssicleChannels
import OssicleTestSupport
import Synchronization
import Testing

/// Frames a test plays: noise that is never zero, so that it stands out from silence. Channel 1 is the negative of
/// channel 0.
private func noise(_ frame: Int) -> Float {
    let bits = (UInt64(frame) &+ 1) &* 0x9E37_79B9_7F4A_7C15
    return (Float(bits >> 41) + 1) / 8_388_608 * 0.9
}

@Suite(.serialized, .enabled(if: SoundServer.isRunning)) struct SoundServerTests {
    /// A server may leave out a cycle and say nothing: then it is played again, five times at most.
    @Test("What is played to a sink comes out of its monitor, every frame, bit for bit")
    func loop() throws {
        for _ in 1...5 {
            if try isLoopWhole() { return }
        }
        Issue.record("Of five times half a second none came out whole.")
    }

    private func isLoopWhole() throws -> Bool {
        let length = 24000
        let input = try PortInput(.pulse(SoundServer.sink + ".monitor"))
        let output = try PortOutput(.pulse(), FormatWishes(quantum: 1024))
        #expect(
            output.sampleRate == 48000 && output.channelCount == 2 && input.sampleRate == 48000
                && input.channelCount == 2)
        let (tape, heard, played, begin) = (Tape(), EventLog(), EventLog(), HostClock.now)
        try input.start(receive: { tape.take($0) }, events: { heard.hear($0) })
        let position = Atomic(0)
        try output.start(
            render: { block in
                let first = position.load(ordering: .relaxed)
                for frame in 0..<max(0, min(block.frameCount, length - first)) {
                    block[0][frame] = noise(first + frame)
                    block[1][frame] = -noise(first + frame)
                }
                position.store(first + block.frameCount, ordering: .relaxed)
            }, events: { played.hear($0) })
        #expect(eventually { tape.sound.count >= length + 100 })
        #expect(output.latency > 0 && output.latency < 2)
        #expect(output.stop() && input.stop())
        #expect(played.events == [.started, .stopped] && heard.events == [.started, .stopped])
        // Stamped by the clock of this machine: within the test, give or take the latency.
        let end = HostClock.now
        #expect(tape.blocks.map(\.time).allSatisfy { $0 > begin - 2_000_000_000 && $0 < end + 2_000_000_000 })
        let sound = tape.sound
        return output.dropoutCount + input.dropoutCount == 0 && sound.count >= length
            && sound.prefix(length).enumerated().allSatisfy { $1 == [noise($0), -noise($0)] }
            && sound.dropFirst(length).allSatisfy { $0 == [0, 0] }
    }

    @Test("The list names the server's devices with their formats and the default")
    func list() throws {
        let module = try SoundServer.addSink("listed", rate: 44100, channels: 1)
        defer { _ = try? SoundServer.control("unload-module", module) }
        let list = try DeviceList.current()
        #expect(list.defaultOutput?.id == SoundServer.sink)
        let listed = try #require(list.outputs.first { $0.id == "listed" })
        #expect(
            listed.sampleRate == 44100 && listed.channelCount == 1 && !listed.isDefault && !listed.isMonitor
                && !listed.name.isEmpty)
        #expect(list.inputs.first { $0.id == "listed.monitor" }?.isMonitor == true)
        let device = try PortOutput(.pulse("listed"))
        #expect(device.sampleRate == 44100 && device.channelCount == 1)
    }

    /// A sink may have its channels in another order, as ALSA's of eight, and so may what is rendered: the server sorts
    /// them by their roles. Every channel has a frequency and a level of its own, each 1 dB below the one before.
    @Test(
        "Every channel comes out where it belongs, at its level, without a gap",
        arguments: [
            ("front-left,front-right", nil), ("front-left,front-right,front-center,lfe,rear-left,rear-right", nil),
            ("front-left,front-right,rear-left,rear-right,front-center,lfe", "C L R Ls Rs LFE"),
            ("front-left,front-right,rear-left,rear-right,front-center,lfe,side-left,side-right", nil),
            (
                "front-left,front-right,front-center,lfe,rear-left,rear-right,side-left,side-right",
                "L R C Ls Rs Rls Rrs LFE"
            ),
            (
                "front-left,front-right,front-center,lfe,side-left,side-right,rear-left,rear-right,"
                    + "top-front-left,top-front-right,top-rear-left,top-rear-right",
                "L R C LFE Ls Rs Rls Rrs Vhl Vhr Ltr Rtr"
            ),
        ] as [(String, String?)])
    func surround(map: String, layout: String?) throws {
        let channels = map.split(separator: ",").count
        let module = try SoundServer.addSink("surround", channels: channels, map: map)
        defer { _ = try? SoundServer.control("unload-module", module) }
        let labels = layout.map(ChannelOrder.labels(named:))
        let output = try PortOutput(.pulse("surround"), FormatWishes(channelLabels: labels))
        let input = try PortInput(.pulse("surround.monitor"))
        try #require(output.channelCount == channels && input.channelCount == channels)
        let heard = Mutex([[Float]](repeating: [], count: channels))
        let position = Atomic(0)
        try input.start { block in
            let blocks = (0..<channels).map { Array(block[$0]) }
            heard.withLock { heard in for channel in 0..<channels { heard[channel] += blocks[channel] } }
        }
        try output.start { block in
            let first = position.wrappingAdd(block.frameCount, ordering: .relaxed).oldValue
            for channel in 0..<channels {
                let pace = 2 * Double.pi * Double(300 * (channel + 1)) / 48000
                let level = 0.25 * pow(10, -Double(channel) / 20)
                for frame in 0..<block.frameCount {
                    block[channel][frame] = Float(level * sin(pace * Double(first + frame)))
                }
            }
        }
        // The monitor is recorded in the usual order.
        let usual = ChannelMap.labels(of: ChannelMap.usual(channels)) ?? []
        let played = ChannelMap.labels(of: ChannelMap.map(labels, channelCount: channels)) ?? []
        let order = try usual.map { try #require(played.firstIndex(of: $0)) }
        // Behind the beginning, in which the server may still be on its way to its pace, half a second without a gap:
        // the server may leave out cycles and say nothing.
        var begin = 72_000
        let isWhole = eventually {
            let tracks = heard.withLock { $0 }
            while begin + 24_000 <= tracks[0].count {
                if zip(tracks, order).allSatisfy({ isTone($1, in: Array($0[begin..<begin + 24_000])) }) { return true }
                begin += 24_000
            }
            return false
        }
        #expect(output.stop() && input.stop())
        #expect(isWhole, "none of \(begin / 24_000) half seconds has every channel where it belongs")
    }

    /// Whether a recording is the tone of a channel as it was played, and nothing else: another channel's tone, or a gap,
    /// would be left over.
    private func isTone(_ channel: Int, in samples: [Float]) -> Bool {
        let tone = Measure.tone(Double(300 * (channel + 1)), in: samples)
        return abs(Measure.decibels(tone.amplitude / 0.25) + Double(channel)) < 0.01 && tone.signalToNoise > 80
    }

    /// Clicks are played and recorded at once. Both sides' times come from the server's answers right after a cycle,
    /// which differ by how promptly two threads wake: well below a millisecond for most, so that the median is
    /// compared.
    @Test(
        "Host time and latency say within a millisecond when a click is heard, at every block length",
        arguments: [
            128, 512, 2048,
        ])
    func latency(quantum: Int) throws {
        let input = try PortInput(.pulse(SoundServer.sink + ".monitor"), FormatWishes(quantum: quantum))
        let output = try PortOutput(.pulse(), FormatWishes(quantum: quantum))
        let (played, heard, blocks) = (TimeLog(), TimeLog(), TimeLog())
        try input.start { block in
            guard let frame = block[0].firstIndex(where: { $0 > 0.5 }) else { return }
            heard.append(HostClock.time(block.hostTime, movedBy: Double(frame) / 48000))
        }
        let position = Atomic(0)
        try output.start { block in
            let first = position.wrappingAdd(block.frameCount, ordering: .relaxed).oldValue
            blocks.append(block.hostTime)
            // After two seconds, every quarter of one.
            guard first >= 96000, first % 12000 < block.frameCount else { return }
            block[0][0] = 1
            played.append(block.hostTime)
        }
        #expect(eventually { heard.times.count >= 12 })
        let latency = output.latency
        #expect(output.stop() && input.stop() && latency > 0)
        let delays = zip(heard.seconds, played.seconds).map { $0 - $1 }
        let measured = delays.sorted()[delays.count / 2]
        #expect(abs(measured - latency) < 0.001, "\(measured * 1e3) ms, not \(latency * 1e3)")
        // Times advance by the block. After two seconds the loop lets a tenth of the jitter through, of a millisecond
        // for most.
        let begin = blocks.seconds.first ?? 0
        let times = blocks.seconds.drop { $0 < begin + 2 }
        let steps = zip(times, times.dropFirst()).map { abs($1 - $0 - Double(output.quantum) / 48000) }.sorted()
        #expect(steps[steps.count * 9 / 10] < 1e-4 && times.elementsEqual(times.sorted()))
    }

    @Test("A device that is not there, and a monitor for a microphone, are refused with the reason")
    func absent() throws {
        #expect { try PortOutput(.pulse("nowhere")) } throws: { "\($0)".contains("no output is called nowhere") }
        #expect { try PortInput(.pulse("nowhere")) } throws: { "\($0)".contains("no input is called nowhere") }
        #expect { try DefaultInput.open() } throws: { "\($0)".contains("the default input") }
        #expect(try DefaultInput.open(fallback: .silence).name == "null input")
    }

    /// At a server that no other program has used: once a program has left while PipeWire's session manager was about
    /// to answer it, PipeWire (0.3.65, and 1.6 by its source) tells those that are connected of no other default.
    @Test("Another default, then its end: the watch and the stream hear of it, in order, and sound goes on")
    func routes() throws {
        let server = try SoundServer.Victim()
        let (watched, played) = (EventLog(), EventLog())
        let watch = try DeviceWatch(server: server.address)
        try watch.start { watched.hear($0) }
        let output = try PortOutput(.pulse(server: server.address))
        let frames = Atomic(0)
        try output.start(render: { frames.wrappingAdd($0.frameCount, ordering: .relaxed) }, events: { played.hear($0) })

        let module = try server.control(
            "load-module", "module-null-sink", "sink_name=second", "rate=44100", "channels=1", "format=float32le")
        #expect(watched.hears(.routeChanged(.added("second"))))
        try server.setDefault(.sink, "second")
        #expect(watched.hears(.routeChanged(.defaultOutput("second"))), "\(watched.events)")
        #expect(played.hears(.routeChanged(.moved(to: "second"))))
        #expect(played.hears(.formatChanged(sampleRate: 44100, channelCount: 1)))
        let before = frames.load(ordering: .relaxed)
        #expect(eventually { frames.load(ordering: .relaxed) > before + 10_000 })

        try server.control("unload-module", module)
        #expect(watched.hears(.routeChanged(.removed("second"))))
        #expect(played.hears(.routeChanged(.moved(to: SoundServer.sink))))
        #expect(played.hears(.formatChanged(sampleRate: 48000, channelCount: 2)))
        let after = frames.load(ordering: .relaxed)
        #expect(eventually { frames.load(ordering: .relaxed) > after + 10_000 })
        #expect(output.stop() && watch.stop())

        let there: [DeviceEvent] = [
            .routeChanged(.moved(to: "second")), .formatChanged(sampleRate: 44100, channelCount: 1),
        ]
        let back: [DeviceEvent] = [
            .routeChanged(.moved(to: SoundServer.sink)), .formatChanged(sampleRate: 48000, channelCount: 2),
        ]
        let defaults: Set<DeviceEvent> = [
            .routeChanged(.defaultOutput("second")), .routeChanged(.defaultOutput(SoundServer.sink)),
        ]
        // When the server names the new default is its affair; the order of the rest is ours.
        #expect(played.events.filter { !defaults.contains($0) } == [.started] + there + back + [.stopped])
        #expect(defaults.isSubset(of: played.events))
        #expect(watched.events.first == .started && watched.events.last == .stopped)
    }

    @Test("A callback that comes too late is counted as a dropout, and sound goes on")
    func underflow() throws {
        let output = try PortOutput(.pulse())
        let frames = Atomic(0)
        try output.start { block in
            if frames.wrappingAdd(block.frameCount, ordering: .relaxed).newValue == 40 * 512 {
                Thread.sleep(forTimeInterval: 0.5)
            }
        }
        #expect(eventually { output.dropoutCount > 0 })
        let before = frames.load(ordering: .relaxed)
        #expect(eventually { frames.load(ordering: .relaxed) > before + 10_000 })
        #expect(output.stop())
    }

    @Test("The server dies: both devices and the watch say that they are lost, and stop returns")
    func death() throws {
        let server = try SoundServer.Victim()
        let logs = [EventLog(), EventLog(), EventLog()]
        let output = try PortOutput(.pulse(server: server.address))
        let input = try PortInput(.pulse(SoundServer.sink + ".monitor", server: server.address))
        let watch = try DeviceWatch(server: server.address)
        try output.start(render: { _ in }, events: { logs[0].hear($0) })
        try input.start(receive: { _ in }, events: { logs[1].hear($0) })
        try watch.start { logs[2].hear($0) }
        server.send(SIGKILL)
        for log in logs {
            #expect(log.hears { if case .lost(.disconnected) = $0 { true } else { false } })
            #expect(log.events.first == .started && log.events.count == 2)
        }
        #expect(output.stop() && input.stop() && watch.stop())
        #expect(throws: DeviceError.self) { try output.start { _ in } }
    }

    /// PipeWire makes a silent output then. Whether a list without any comes before it depends on the server's pace.
    @Test("The server lives and its last output goes: the device is lost, as there is none, or plays to the substitute")
    func lastOutput() throws {
        let server = try SoundServer.Victim()
        let log = EventLog()
        let output = try PortOutput(.pulse(server: server.address))
        try output.start(render: { _ in }, events: { log.hear($0) })
        try server.control("unload-module", "module-null-sink")
        let isHeard = log.hears {
            if case .lost(let error) = $0 { return error.meansNoDevice }
            return $0 == .routeChanged(.moved(to: "auto_null"))
        }
        #expect(isHeard, "\(log.events)")
        #expect(output.stop())
    }

    @Test("The server halts without a word: stop returns all the same")
    func halt() throws {
        let server = try SoundServer.Victim()
        let output = try PortOutput(.pulse(server: server.address))
        let input = try PortInput(.pulse(SoundServer.sink + ".monitor", server: server.address))
        try output.start { _ in }
        try input.start { _ in }
        server.send(SIGSTOP)
        #expect(output.stop() && input.stop())
        #expect { try output.start { _ in } } throws: { "\($0)".contains("no answer within") }
    }

    @Test("Duplex: what an input hears is read in the callback of an output")
    func duplex() throws {
        let input = try PortInput(.pulse(SoundServer.sink + ".monitor"))
        let output = try PortOutput(.pulse())
        let buffer = CaptureBuffer(
            channelCount: 2, sampleRate: 48000, targetLatency: 0.06, inputQuantum: input.quantum,
            outputQuantum: output.quantum)
        let tape = Tape()
        let position = Atomic(0)
        try input.start { buffer.write($0) }
        try output.start { block in
            buffer.read(into: block)
            tape.take(UnsafeBufferPointer(block[0]), UnsafeBufferPointer(block[1]))
            let first = position.wrappingAdd(block.frameCount, ordering: .relaxed).oldValue
            for frame in 0..<block.frameCount {
                (block[0][frame], block[1][frame]) = (noise(first + frame), -noise(first + frame))
            }
        }
        #expect(eventually { tape.sound.count > 24000 })
        #expect(output.stop() && input.stop())
        // Frame by frame what was played; a break leaves silence or a gap behind.
        let sound = tape.sound
        #expect(sound.allSatisfy { $0.x == -$0.y })
        let breaks = zip(sound, sound.dropFirst()).filter { $0.x == 0 && $1.x != 0 }.count
        let report = buffer.report
        #expect(breaks <= report.underflows + report.overflows + output.dropoutCount + input.dropoutCount)
        #expect(
            sound.prefix(512).enumerated().allSatisfy { $1.x == noise($0) } || output.dropoutCount > 0
                || input.dropoutCount > 0)
    }
}
