import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleDevices
import OssicleTestSupport
import Synchronization
import Testing
@testable import OssicleAVFAudio

/// Host times at a device of 40 ms latency, which the test drives: the host time of a frame is when the device takes
/// it.
@Suite struct DeviceTimeTests {
    /// Half a sample at 48 kHz, in nanoseconds.
    private static let half: Int64 = 10_417

    private static func difference(_ a: UInt64, _ b: UInt64) -> Int64 { Int64(bitPattern: a &- b) }

    /// An engine that plays to a driven output.
    private final class Desk {
        let device = DrivenOutput(latency: 0.04)
        let input: DrivenInput
        let engine = AVAudioEngine()

        /// - Parameter build: makes the graph; the engine runs afterwards, and the device has taken nothing.
        init(_ build: (AVAudioEngine) throws -> Void) throws {
            // Captured 3.3 ms out of step with what is played; frame i is the ramp's.
            input = DrivenInput(origin: device.origin + 3_300_000, sample: { frame, _ in Float(frame + 1) / 65_536 })
            try DeviceSubstitutes.$current.withValue(DeviceSubstitutes(output: device, input: input)) {
                try build(engine)
                try engine.start()
            }
        }

        deinit { engine.stop() }

        func time(_ seconds: Double) -> UInt64 { device.origin + UInt64(seconds * 1e9) }
    }

    /// A player of a constant signal.
    private static func player(_ engine: AVAudioEngine, rate: Double = 48_000) throws -> AVAudioPlayerNode {
        let player = AVAudioPlayerNode(), format = OfflineRig.format(rate, 2)
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: format)
        player.scheduleBuffer(try constant(format), at: nil)
        return player
    }

    private static func constant(_ format: AVAudioFormat) throws -> AVAudioPCMBuffer {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4000))
        buffer.frameLength = 4000
        for channel in 0..<2 {
            for frame in 0..<4000 { buffer.floatChannelData?[channel][frame] = 0.5 }
        }
        return buffer
    }

    // MARK: What a client gives

    @Test("play(at:) puts the first sample into the frame whose host time it is", arguments: [0.1, 0.123_456_7, 0.25])
    func play(seconds: Double) throws {
        var player: AVAudioPlayerNode!
        let desk = try Desk { player = try Self.player($0) }
        desk.device.take(blocks: 1)
        let time = desk.time(seconds)
        player.play(at: AVAudioTime(hostTime: time))
        desk.device.take(blocks: 40)
        let onset = try #require(desk.device.onset())
        #expect(abs(Self.difference(onset, time)) <= Self.half)
        // Heard by the latency later.
        #expect(abs(player.outputPresentationLatency - 0.04) < 1e-9)
        #expect(desk.engine.outputNode.presentationLatency == 0.04)
    }

    /// Half the amplitude is where a converted step begins; a frame at 44.1 kHz and one at 48 kHz are 43.5 µs.
    @Test("play(at:) of a player at another rate is exact to a frame")
    func playAtAnotherRate() throws {
        var player: AVAudioPlayerNode!
        let desk = try Desk { player = try Self.player($0, rate: 44_100) }
        desk.device.take(blocks: 10)
        player.play(at: AVAudioTime(hostTime: desk.time(0.2)))
        desk.device.take(blocks: 40)
        let onset = try #require(desk.device.onset(above: 0.25))
        #expect(abs(Self.difference(onset, desk.time(0.2))) <= 43_500)
    }

    @Test("Players that were given a time before the device took its first frame begin at that time")
    func appointment() throws {
        var players: [AVAudioPlayerNode] = []
        let desk = try Desk { engine in players = try (0..<2).map { _ in try Self.player(engine) } }
        AVAudioPlayerNode.play(players, at: AVAudioTime(hostTime: desk.time(0.3)))
        desk.device.take(blocks: 1)
        // The engine looks after its players every 5 ms.
        for _ in 0..<2000 where players.contains(where: { $0.appointment.withLock { $0 } != nil }) { usleep(1000) }
        desk.device.take(blocks: 40)
        let onset = try #require(desk.device.onset())
        #expect(abs(Self.difference(onset, desk.time(0.3))) <= Self.half)
        // Both in the same frame.
        let first = try #require(desk.device.taken[0].first { $0 != 0 })
        #expect(first == 1)
    }

    @Test("scheduleBuffer(at:) takes host times")
    func schedule() throws {
        var player: AVAudioPlayerNode!
        let desk = try Desk { engine in
            player = AVAudioPlayerNode()
            engine.attach(player)
            engine.connect(player, to: engine.mainMixerNode, format: OfflineRig.format(48_000, 2))
        }
        desk.device.take(blocks: 1)
        player.play()
        desk.device.take(blocks: 3)
        let buffer = try Self.constant(OfflineRig.format(48_000, 2))
        player.scheduleBuffer(buffer, at: AVAudioTime(hostTime: desk.time(0.151)))
        desk.device.take(blocks: 40)
        let onset = try #require(desk.device.onset())
        #expect(abs(Self.difference(onset, desk.time(0.151))) <= Self.half)
    }

    /// A file of its own steps, played by a shared engine of the test's own.
    @Test("AVAudioPlayer's play(atTime:) begins in the frame of that time, which the device takes so much later")
    func sharedPlayer() throws {
        let device = DrivenOutput(latency: 0.04), folder = try TemporaryFolder()
        let steps = (0..<4000).map { Float($0 + 1) / 65_536 }
        let file = try waveFile(folder, "steps.wav", [steps, steps], rate: 48_000)
        try DeviceSubstitutes.$current.withValue(DeviceSubstitutes(output: device)) {
            let shared = SharedEngine(device: nil)
            let voice = PlayerVoice(try PlayerSource(contentsOf: file.url), output: shared)
            try voice.prepare()
            device.take(blocks: 10)
            #expect(abs(shared.currentTime - 5120.0 / 48_000) < 1e-9)
            try voice.play(at: 0.2)
            device.take(blocks: 30)
            let begin = try #require(device.taken[0].firstIndex { $0 != 0 })
            #expect(begin == 9600 && device.taken[0][begin] == steps[0])
            #expect(abs(Self.difference(device.time(of: begin), device.origin + 200_000_000)) < 10)
            voice.end()
        }
    }

    @Test("An engine that was paused plays on in the frame it had come to, and a player's time with it")
    func resumedPlayer() throws {
        var player: AVAudioPlayerNode!
        let desk = try Desk { player = try Self.player($0) }
        desk.device.take(blocks: 1)
        player.play(at: AVAudioTime(hostTime: desk.time(0.03)))
        desk.device.take(blocks: 3)
        desk.engine.pause()
        desk.device.take(blocks: 20)
        try desk.engine.start()
        desk.device.take(blocks: 1)
        let zero = try #require(player.nodeTime(forPlayerTime: AVAudioTime(sampleTime: 0, atRate: 48_000)))
        // Twenty blocks later than it was: the player's first frame lies so far behind the frame it now has come to.
        #expect(abs(Self.difference(zero.hostTime, desk.time(0.03 + 20 * 512 / 48_000))) < Self.half)
        #expect(desk.device.onset() == desk.device.time(of: 1440))
    }

    // MARK: What a client gets

    @Test("lastRenderTime and node times are when the device takes the frames")
    func renderTimes() throws {
        var player: AVAudioPlayerNode!
        let desk = try Desk { player = try Self.player($0) }
        desk.device.take(blocks: 1)
        player.play()
        for _ in 0..<20 {
            desk.device.take(blocks: 1)
            for node in [player, desk.engine.mainMixerNode, desk.engine.outputNode] as [AVAudioNode] {
                let time = try #require(node.lastRenderTime)
                #expect(abs(Self.difference(time.hostTime, desk.device.time(of: desk.device.position))) < 10)
                #expect(time.sampleTime == Int64(desk.device.position))
            }
        }
        let begin = try #require(player.nodeTime(forPlayerTime: AVAudioTime(sampleTime: 0, atRate: 48_000)))
        let onset = try #require(desk.device.onset())
        #expect(abs(Self.difference(begin.hostTime, onset)) < 10)
    }

    @Test("Behind a pause of the device, times are the device's again")
    func pause() throws {
        let desk = try Desk { _ = try Self.player($0) }
        desk.device.take(blocks: 4)
        desk.engine.pause()
        desk.device.take(blocks: 100)
        try desk.engine.start()
        desk.device.take(blocks: 2)
        let time = try #require(desk.engine.outputNode.lastRenderTime)
        #expect(abs(Self.difference(time.hostTime, desk.device.time(of: 106 * 512))) < 10 && time.sampleTime == 6 * 512)
    }

    @Test("Sources, sinks and hosted units get the host times of their frames")
    func stamps() throws {
        let component = PassingUnit.effect(0x7469_6D65)
        AUAudioUnit.registerSubclass(PassingUnit.self, as: component, name: "Tests: Time", version: 1)
        let (sources, sinks) = (PassingUnit.Stamps(), PassingUnit.Stamps())
        let unit = AVAudioUnitEffect(audioComponentDescription: component)
        let desk = try Desk { engine in
            let source = AVAudioSourceNode(format: OfflineRig.format(48_000, 2)) { _, stamp, frames, _ in
                sources.note(stamp.pointee, frames)
                return noErr
            }
            let sink = AVAudioSinkNode { stamp, frames, _ in
                sinks.note(stamp.pointee, frames)
                return noErr
            }
            for node in [source, sink, unit] as [AVAudioNode] { engine.attach(node) }
            engine.connect(source, to: unit, format: OfflineRig.format(48_000, 2))
            engine.connect(unit, to: engine.mainMixerNode, format: OfflineRig.format(48_000, 2))
            engine.connect(engine.inputNode, to: sink, format: nil)
        }
        desk.device.take(blocks: 12)
        let units = try #require(unit.auAudioUnit as? PassingUnit).stamps
        for stamps in [sources, sinks, units] {
            #expect(stamps.all.count >= 12 * 512 / 128)
            #expect(
                stamps.all.allSatisfy {
                    let taken = desk.device.time(of: Int($0.time.mSampleTime))
                    return abs(Self.difference($0.time.mHostTime, taken)) < 10
                })
        }
    }

    private final class Taps: Sendable {
        let all = Mutex<[(time: AVAudioTime, samples: [Float])]>([])

        func note(_ buffer: AVAudioPCMBuffer, _ time: AVAudioTime) {
            let samples = Array(UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: Int(buffer.frameLength)))
            all.withLock { $0.append((time, samples)) }
        }
    }

    @Test("A tap on what is played has the times at which the device takes it")
    func outputTap() throws {
        let taps = Taps()
        let desk = try Desk { engine in
            try Self.player(engine).volume = 1
            engine.mainMixerNode.installTap(onBus: 0, bufferSize: 300, format: nil) { taps.note($0, $1) }
        }
        desk.device.take(blocks: 20)
        desk.engine.mainMixerNode.removeTap(onBus: 0)
        desk.engine.drainCallbacks()
        let all = taps.all.withLock { $0 }
        #expect(all.count >= 20 * 512 / 300)
        #expect(
            all.allSatisfy {
                abs(Self.difference($0.time.hostTime, desk.device.time(of: Int($0.time.sampleTime)))) < 10
            })
    }

    /// A frame's value states its number; the device's latency, 10 ms, is in the time that it states itself.
    @Test("A tap on the input has the times at which its frames were captured")
    func inputTap() throws {
        let taps = Taps()
        let desk = try Desk { engine in
            engine.connect(engine.inputNode, to: engine.mainMixerNode, format: nil)
            engine.inputNode.installTap(onBus: 0, bufferSize: 128, format: nil) { taps.note($0, $1) }
        }
        for _ in 0..<40 {
            desk.input.capture(blocks: 2)
            desk.device.take(blocks: 1)
        }
        #expect(desk.engine.inputNode.presentationLatency > 0.01)
        desk.engine.inputNode.removeTap(onBus: 0)
        desk.engine.drainCallbacks()
        let captured = taps.all.withLock { $0 }.filter { $0.samples.allSatisfy { $0 != 0 } }
        #expect(captured.count > 100)
        for (time, samples) in captured {
            let frame = Int(samples[0] * 65_536) - 1
            #expect(abs(Self.difference(time.hostTime, desk.input.time(of: frame))) < 10)
        }
    }
}
