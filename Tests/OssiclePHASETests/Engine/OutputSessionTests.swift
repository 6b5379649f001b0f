import OssicleTestSupport
import PHASE
import Testing

@testable import OssiclePHASE

/// Engines side by side, their clocks, and the real-time block.
@Suite struct OutputSessionTests {
    /// A walk past the listener in a room.
    private final class Walk {
        let stage: Stage
        private let source: PHASESource
        private var steps = 0

        init(_ seed: UInt64, updateMode: PHASEEngine.UpdateMode = .automatic) throws {
            stage = try Stage(updateMode: updateMode, seed: seed)
            stage.engine.defaultReverbPreset = .mediumRoom
            try stage.register("noise", [Signal.noise(count: 9000, seed: seed, amplitude: 0.2)])
            let mixer = try stage.spatialMixer([.directPathTransmission, .lateReverb], rolloff: 1)
            let event = try stage.registerEvent("noise", into: mixer, loops: true)
            source = try stage.source(at: SIMD3(-3, 0, -1))
            try stage.event(event, mixer, source).start(completion: nil)
        }

        func step(_ frames: Int) throws -> [[Float]] {
            steps += 1
            source.transform = .translation(SIMD3(-3 + 0.2 * Float(steps), 0, -1))
            return try stage.render(frames)
        }
    }

    @Test func `two engines rendered by turns are the same as each alone`() throws {
        let alone = try [UInt64(1), 2].map { seed in
            let walk = try Walk(seed)
            try walk.stage.start()
            return try (0..<8).flatMap { _ in try walk.step(900)[0] }
        }
        let both = try [Walk(1), Walk(2)]
        for walk in both { try walk.stage.start() }
        var outs: [[Float]] = [[], []]
        for _ in 0..<8 {
            for index in 0..<2 { outs[index] += try both[index].step(900)[0] }
        }
        #expect(outs == alone && outs[0] != outs[1])
    }

    @Test func `the render time is rendered time, and nil while nothing is rendered`() throws {
        let stage = try Stage()
        #expect(stage.engine.lastRenderTime == nil && stage.engine.renderingState == .stopped)
        try stage.start()
        #expect(stage.engine.lastRenderTime?.sampleTime == 0)
        _ = try stage.render(4800)
        let time = try TestFailure.unwrap(stage.engine.lastRenderTime)
        #expect(
            time.sampleTime == 4800 && time.sampleRate == 48_000 && time.isHostTimeValid && time.hostTime == 100_000_000
        )
        stage.engine.pause()
        #expect(stage.engine.lastRenderTime == nil && stage.engine.renderingState == .paused)
        try stage.start()
        #expect(stage.engine.lastRenderTime?.sampleTime == 4800)
        stage.engine.stop()
        #expect(stage.engine.lastRenderTime == nil)
    }

    @Test func `another spatialisation is heard from the next start on`() throws {
        let stage = try Stage(mode: .alwaysUseBinaural)
        try stage.register("noise", [Signal.noise(count: 4800, amplitude: 0.2)])
        let mixer = try stage.spatialMixer()
        let (name, source) = (
            try stage.registerEvent("noise", into: mixer, loops: true), try stage.source(at: SIMD3(1, 0, 0))
        )
        // Panned hard right the left loudspeaker is silent; the left ear is not.
        func left() throws -> Double { try rms(stage.render(4800)[0][2400...]) }
        try stage.start()
        try stage.event(name, mixer, source).start(completion: nil)
        #expect(try left() > 1e-3)
        stage.engine.outputSpatializationMode = .alwaysUseChannelBased
        #expect(try left() > 1e-3)
        stage.engine.stop()
        try stage.start()
        try stage.event(name, mixer, source).start(completion: nil)
        #expect(try left() < 1e-6)
    }

    // MARK: Manual rendering in real time

    /// Renders through the block, in the form of `format`.
    private func render(
        _ block: AVAudioEngineManualRenderingBlock, _ frames: Int, _ format: AVAudioFormat
    ) throws -> AVAudioPCMBuffer {
        let buffer = try TestFailure.unwrap(
            AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)))
        buffer.frameLength = AVAudioFrameCount(frames)
        var status: OSStatus = -1
        #expect(block(AVAudioFrameCount(frames), buffer.mutableAudioBufferList, &status) == .success)
        #expect(status == noErr)
        return buffer
    }

    @Test func `the real-time block renders what offline rendering does`() throws {
        let offline = try Walk(1, updateMode: .manual), live = try Walk(1, updateMode: .manual)
        try live.stage.engine.enableManualRenderingMode(.realtime, format: live.stage.format, maximumFrameCount: 512)
        let block = live.stage.engine.manualRenderingBlock
        for walk in [offline, live] {
            try walk.stage.start()
            walk.stage.engine.update()
        }
        for frames in [64, 512, 127, 300, 512] {
            let out = try offline.stage.render(frames)
            let buffer = try render(block, frames, live.stage.format)
            #expect((0..<2).map { buffer.samples($0) } == out)
            for walk in [offline, live] { walk.stage.engine.update() }
        }
        #expect(throws: AVAudioEngineManualRenderingError.invalidMode) { try live.stage.render(64) }
    }

    @Test func `the real-time block gives other forms of samples, and its own memory`() throws {
        let walk = try Walk(1, updateMode: .manual)
        let format = try TestFailure.unwrap(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: true))
        #expect {
            try walk.stage.engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
        } throws: {
            $0.localizedDescription.contains("Float32")
        }
        try walk.stage.engine.enableManualRenderingMode(.realtime, format: format, maximumFrameCount: 512)
        try walk.stage.start()
        walk.stage.engine.update()
        let block = walk.stage.engine.manualRenderingBlock
        _ = try render(block, 512, format)
        var list = AudioBufferList(
            mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 2, mDataByteSize: 0, mData: nil))
        #expect(block(512, &list, nil) == .success)
        let samples = try TestFailure.unwrap(list.mBuffers.mData).assumingMemoryBound(to: Int16.self)
        #expect(list.mBuffers.mDataByteSize == 2048 && (0..<1024).contains { samples[$0] != 0 })
    }

    @Test func `the real-time block refuses what it cannot do`() throws {
        let stage = try Stage()
        var status: OSStatus = 0
        let buffer = try TestFailure.unwrap(AVAudioPCMBuffer(pcmFormat: stage.format, frameCapacity: 1024))
        buffer.frameLength = 1024
        let list = buffer.mutableAudioBufferList
        #expect(stage.engine.manualRenderingBlock(64, list, &status) == .error)
        #expect(status == AVAudioEngineManualRenderingError.invalidMode.rawValue)
        try stage.engine.enableManualRenderingMode(.realtime, format: stage.format, maximumFrameCount: 512)
        let block = stage.engine.manualRenderingBlock
        #expect(block(64, list, &status) == .error && status == AVAudioEngineManualRenderingError.notRunning.rawValue)
        try stage.start()
        #expect(block(64, list, &status) == .success)
        #expect(block(513, list, &status) == .error && status == kAudioUnitErr_TooManyFramesToProcess)
        stage.engine.pause()
        #expect(block(64, list, &status) == .error && status == AVAudioEngineManualRenderingError.notRunning.rawValue)
        try stage.start()
        #expect(block(64, list, &status) == .success)
        stage.engine.stop()
        #expect(block(64, list, &status) == .error)
        #expect(stage.engine.manualRenderingSampleTime == 128)
    }

    @Test func `maximums that are none are refused`() throws {
        let stage = try Stage()
        for maximum: AVAudioFrameCount in [0, 1 << 20 + 1, .max] {
            #expect {
                try stage.engine.enableManualRenderingMode(.realtime, format: stage.format, maximumFrameCount: maximum)
            } throws: {
                $0.localizedDescription.contains("maximum")
            }
        }
    }

    // MARK: At a device

    @Test func `a device that is lost is replaced, and sound goes on`() throws {
        let stage = try Stage()
        try stage.register("tone", [sine(440, 4800, amplitude: 0)])
        let event = try stage.event(stage.registerEvent("tone", into: stage.channelMixer(), loops: true))
        stage.engine.disableManualRenderingMode()
        try stage.start()
        event.start(completion: nil)
        let control = stage.engine.control
        let first = try TestFailure.unwrap(control.locked { control.session.device })
        #expect(
            first.channelCount == control.locked { control.spatial.output?.channelCount }
                && first.sampleRate == control.locked { control.spatial.output?.sampleRate })
        control.deviceWasLost(first, PHASEError(.initializeFailed, "pulled out"))
        func passes(_ condition: () -> Bool) -> Bool {
            for _ in 0..<2000 {
                if condition() { return true }
                usleep(5000)
            }
            return false
        }
        #expect(passes { control.locked { control.session.device !== first && control.session.device != nil } })
        let before = try TestFailure.unwrap(stage.engine.lastRenderTime)
        #expect(passes { (stage.engine.lastRenderTime?.sampleTime ?? 0) > before.sampleTime })
        #expect(before.isHostTimeValid && before.hostTime > 0)
        #expect(event.renderingState == .started)
        #expect(stage.engine.recordedErrors.map(\.localizedDescription).contains { $0.contains("pulled out") })
        stage.engine.stop()
        #expect(control.locked { control.session.device == nil })
    }

    @Test func `taps at a device get what is rendered`() throws {
        let stage = try Stage()
        try stage.register("tone", [sine(440, 4800, amplitude: 0)])
        let event = try stage.event(stage.registerEvent("tone", into: stage.channelMixer(), loops: true))
        stage.engine.disableManualRenderingMode()
        let tap = Listening()
        try stage.engine.installTap(bufferSize: 480, block: tap.block)
        try stage.start()
        event.start(completion: nil)
        for _ in 0..<2000 where tap.all.sizes.count < 5 { usleep(5000) }
        stage.engine.stop()
        stage.engine.drainCallbacks()
        let heard = tap.all
        #expect(heard.sizes.count >= 5 && heard.sizes.dropLast().allSatisfy { $0 == 480 })
        #expect(
            zip(heard.times, heard.times.dropFirst()).allSatisfy {
                $1.sampleTime == $0.sampleTime + 480 && $1.hostTime > $0.hostTime
            })
    }
}
