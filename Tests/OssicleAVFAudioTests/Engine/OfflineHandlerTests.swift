import Dispatch
import Foundation
import OssicleCoreAudioTypes
import OssicleTestSupport
import Synchronization
import Testing
@testable import OssicleAVFAudio

/// What handlers do offline is in time for the next render call.
@Suite struct OfflineHandlerTests {
    /// Schedules a beat from the handler of the one before, each of another length.
    private final class Metronome: @unchecked Sendable {
        private let player: AVAudioPlayerNode
        private let beats: [[Float]]
        private let next = Atomic(0)

        init(_ player: AVAudioPlayerNode) {
            self.player = player
            beats = (0..<40).map { ramp(200 + 37 * $0, from: 100 * $0) }
        }

        func tick() {
            let beat = next.wrappingAdd(1, ordering: .relaxed).oldValue
            guard beat < beats.count, let buffer = try? pcm([beats[beat]]) else { return }
            // A handler that has to wait for a processor, as under load.
            if beat % 3 == 0 { Thread.sleep(forTimeInterval: 0.003) }
            player.scheduleBuffer(buffer) { self.tick() }
        }
    }

    private static func metronome(call: Int) throws -> [Float] {
        let stage = try PlayerStage()
        stage.engine.offlineHandlerTimeLimit = .infinity
        let metronome = Metronome(stage.player)
        metronome.tick()
        stage.player.play()
        return try stage.render(60_000, cuts: [call])
    }

    @Test(arguments: [100, 512])
    func `a metronome that schedules from its handlers renders the same sound at any load`(call: Int) throws {
        // In calls of one length each beat begins with the first call after the end of the one before.
        var expected: [Float] = []
        for beat in 0..<40 {
            expected += ramp(200 + 37 * beat, from: 100 * beat)
            expected += silence((call - expected.count % call) % call)
        }
        expected += silence(max(60_000 - expected.count, 0))
        #expect(try Self.metronome(call: call) == Array(expected.prefix(60_000)))
        let load = Load(threads: 4)
        defer { load.end() }
        for _ in 0..<3 { #expect(try Self.metronome(call: call) == Array(expected.prefix(60_000))) }
    }

    /// Threads that take processors from everybody else.
    private final class Load: Sendable {
        private let goesOn = Atomic(true)

        init(threads: Int) {
            for _ in 0..<threads {
                Thread.detachNewThread { [self] in while goesOn.load(ordering: .relaxed) {} }
            }
        }

        func end() { goesOn.store(false, ordering: .relaxed) }
    }

    @Test func `what a tap's block does is in time for the next call too`() throws {
        let rig = try OfflineRig()
        let source = OfflineRig.source { _, _ in 0.5 }
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: rig.format)
        let mixer = rig.engine.mainMixerNode
        source.installTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in
            Thread.sleep(forTimeInterval: 0.002)
            mixer.outputVolume = 0
        }
        try rig.engine.start()
        #expect(try rig.render(512)[0].allSatisfy { $0 == 0.5 })
        _ = try rig.render(512)
        #expect(try rig.render(512)[0].allSatisfy { $0 == 0 })
    }

    @Test func `a handler that hangs is recorded once and passed over, with what waits behind it`() throws {
        let stage = try PlayerStage()
        stage.engine.offlineHandlerTimeLimit = 0.05
        let hang = DispatchSemaphore(value: 0)
        let (diary, errors) = (Diary(), Diary())
        stage.engine.errorHandler = { errors.note("\($0)") }
        stage.player.scheduleBuffer(try stage.buffer(ramp(100))) { hang.wait() }
        stage.player.scheduleBuffer(try stage.buffer(ramp(100))) { diary.note("behind") }
        stage.player.play()
        #expect(try stage.render(1000, cuts: [250]) == ramp(100) + ramp(100) + silence(800))
        #expect(diary.lines == [])
        #expect(
            errors.lines.count == 1
                && errors.lines.allSatisfy {
                    $0.contains("completion handler") && $0.contains("0.05 s") && $0.contains("offlineHandlerTimeLimit")
                })
        hang.signal()
        stage.engine.drainCallbacks()
        #expect(diary.lines == ["behind"])
        stage.engine.offlineHandlerTimeLimit = .infinity
        stage.player.scheduleBuffer(try stage.buffer(ramp(10))) { diary.note("after") }
        _ = try stage.render(20, cuts: [10])
        #expect(errors.lines.count == 1 && diary.lines == ["behind", "after"])
    }

    @Test func `a handler may render, stop the engine and start it again`() throws {
        let stage = try PlayerStage()
        nonisolated(unsafe) let (engine, player, format) = (stage.engine, stage.player, stage.format)
        let rendered = Mutex<[Float]>([])
        nonisolated(unsafe) let buffer = try stage.buffer(ramp(600))
        player.scheduleBuffer(try stage.buffer(ramp(100))) {
            player.scheduleBuffer(buffer)
            guard let output = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 300),
                let data = output.floatChannelData
            else { return }
            _ = try? engine.renderOffline(300, to: output)
            rendered.withLock { $0 = Array(UnsafeBufferPointer(start: data[0], count: 300)) }
            engine.stop()
            try? engine.start()
        }
        player.play()
        #expect(try stage.render(100, cuts: [100]) == ramp(100))
        #expect(
            try stage.render(100, cuts: [100]) == silence(100),
            "the engine was stopped meanwhile, and its player with it")
        #expect(rendered.withLock { $0 } == ramp(300))
        #expect(engine.lastError == nil)
    }

    @Test func `two players' handlers that render wait neither for themselves nor for each other`() throws {
        let stage = try PlayerStage()
        let mixer = AVAudioMixerNode()
        let other = AVAudioPlayerNode()
        for node in [mixer, other] { stage.engine.attach(node) }
        stage.engine.connect(mixer, to: stage.engine.outputNode, format: stage.format)
        stage.engine.connect(stage.player, to: mixer, format: stage.format)
        stage.engine.connect(other, to: mixer, format: stage.format)
        nonisolated(unsafe) let (engine, format) = (stage.engine, stage.format)
        let calls = Atomic(0)
        for player in [stage.player, other] {
            player.scheduleBuffer(try stage.buffer(ramp(50))) {
                guard let output = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 10) else { return }
                while (try? engine.renderOffline(10, to: output)) == .cannotDoInCurrentContext { sched_yield() }
                calls.wrappingAdd(1, ordering: .relaxed)
            }
            player.play()
        }
        _ = try stage.render(200, cuts: [100])
        #expect(
            calls.load(ordering: .relaxed) == 2 && engine.manualRenderingSampleTime == 220 && engine.lastError == nil)
    }

    @Test func `the manual rendering block waits offline as renderOffline does`() throws {
        let stage = try PlayerStage()
        let block = stage.engine.manualRenderingBlock
        nonisolated(unsafe) let player = stage.player
        nonisolated(unsafe) let next = try stage.buffer(ramp(100, from: 500))
        player.scheduleBuffer(try stage.buffer(ramp(100))) {
            Thread.sleep(forTimeInterval: 0.005)
            player.scheduleBuffer(next)
        }
        player.play()
        let output = try #require(AVAudioPCMBuffer(pcmFormat: stage.format, frameCapacity: 100))
        let data = try #require(output.floatChannelData)
        output.frameLength = 100
        var status = noErr
        #expect(block(100, output.mutableAudioBufferList, &status) == .success)
        #expect(Array(UnsafeBufferPointer(start: data[0], count: 100)) == ramp(100))
        #expect(block(100, output.mutableAudioBufferList, &status) == .success && status == noErr)
        #expect(Array(UnsafeBufferPointer(start: data[0], count: 100)) == ramp(100, from: 500))
    }
}
