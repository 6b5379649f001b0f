import Foundation
import OssicleTestSupport
import PHASE
import Testing

/// What a handler on the rendering thread has seen. The tests render on their own thread.
private final class Calls: @unchecked Sendable {
    var frames: [Int] = []
    var sampleTimes: [Double] = []
    var hostTimes: [UInt64] = []
}

/// A pull stream “pull” into a channel mixer of its layout, in an engine that runs.
private struct PullStage {
    let stage: Stage
    let event: PHASESoundEvent
    let node: PHASEPullStreamNode
    let calls = Calls()

    init(
        rate: Double = 48_000, channels: AVAudioChannelCount = 1,
        _ configure: (PHASEPullStreamNodeDefinition) -> Void = { _ in }
    ) throws {
        stage = try Stage()
        let format = try TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
        let mixer = try stage.channelMixer(channels == 1 ? kAudioChannelLayoutTag_Mono : kAudioChannelLayoutTag_Stereo)
        let definition = PHASEPullStreamNodeDefinition(mixerDefinition: mixer, format: format, identifier: "pull")
        configure(definition)
        try stage.engine.assetRegistry.registerSoundEventAsset(rootNode: definition, identifier: "stream")
        try stage.start()
        event = try stage.event("stream")
        node = try TestFailure.unwrap(event.pullStreamNodes["pull"])
    }

    /// Lets `sample` make every frame from its number and channel, and notes the calls.
    func play(_ sample: @escaping (Int, Int) -> Float) {
        let calls = calls
        node.renderHandler = { _, time, frames, list in
            calls.frames.append(Int(frames))
            calls.sampleTimes.append(time.pointee.mSampleTime)
            calls.hostTimes.append(time.pointee.mHostTime)
            for (channel, buffer) in UnsafeMutableAudioBufferListPointer(list).enumerated() {
                let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
                for frame in 0..<Int(frames) {
                    samples?[frame] = sample(Int(time.pointee.mSampleTime) + frame, channel)
                }
            }
            return noErr
        }
        event.start(completion: nil)
    }
}

@Suite struct PullStreamTests {
    @Test(arguments: [1, 64, 127, 1024]) func `frames come as they are made, however calls are cut`(call: Int) throws {
        let pull = try PullStage(channels: 2)
        let sound = [
            Signal.noise(count: 5000, seed: 1, amplitude: 0.5), Signal.noise(count: 5000, seed: 2, amplitude: 0.5),
        ]
        pull.play { frame, channel in sound[channel][frame] }
        let out = try pull.stage.render(5000, call: call)
        #expect(out == sound)
        #expect(pull.calls.frames.reduce(0, +) == 5000 && pull.calls.frames.allSatisfy { (1...128).contains($0) })
        var next = 0.0
        for (time, frames) in zip(pull.calls.sampleTimes, pull.calls.frames) {
            #expect(time == next)
            next += Double(frames)
        }
        // Offline host time is engine time.
        for (time, host) in zip(pull.calls.sampleTimes, pull.calls.hostTimes) {
            #expect(abs(AVAudioTime.seconds(forHostTime: host) - time / 48_000) < 1e-8)
        }
    }

    @Test func `host time goes on where the stream stands still`() throws {
        let pull = try PullStage()
        _ = try pull.stage.render(1000)
        pull.play { _, _ in 0.25 }
        _ = try pull.stage.render(1000)
        pull.event.pause()
        _ = try pull.stage.render(4096)
        let count = pull.calls.frames.count
        _ = try pull.stage.render(4096)
        #expect(pull.calls.frames.count == count)
        pull.event.resume()
        let resumed = 2000 + 2 * 4096
        _ = try pull.stage.render(512)
        #expect(pull.calls.hostTimes.first == AVAudioTime.hostTime(forSeconds: 1000 / 48_000.0))
        #expect(pull.calls.hostTimes[count] == AVAudioTime.hostTime(forSeconds: Double(resumed) / 48_000))
        #expect(pull.calls.sampleTimes[count] == Double(pull.calls.frames.prefix(count).reduce(0, +)))
    }

    @Test func `a stream without a handler, and one that raises isSilence, is silent`() throws {
        let unset = try PullStage()
        unset.event.start(completion: nil)
        #expect(try unset.stage.render(1000)[0].allSatisfy { $0 == 0 })
        #expect(unset.event.renderingState == .started && unset.stage.engine.lastError == nil)
        let silent = try PullStage()
        silent.node.renderHandler = { isSilence, _, frames, list in
            isSilence.pointee = true
            let samples = list.pointee.mBuffers.mData?.assumingMemoryBound(to: Float.self)
            for frame in 0..<Int(frames) { samples?[frame] = .nan }
            return noErr
        }
        silent.event.start(completion: nil)
        #expect(try silent.stage.render(1000)[0].allSatisfy { $0 == 0 })
        #expect(silent.node.nonFiniteSampleCount == 0)
    }

    @Test func `errors are silent, counted and told of once`() throws {
        let pull = try PullStage()
        pull.node.renderHandler = { _, time, frames, list in
            let samples = list.pointee.mBuffers.mData?.assumingMemoryBound(to: Float.self)
            for frame in 0..<Int(frames) { samples?[frame] = 0.5 }
            return time.pointee.mSampleTime < 256 ? noErr : -50
        }
        pull.event.start(completion: nil)
        let out = try pull.stage.render(2048)[0]
        #expect(out.prefix(256).allSatisfy { $0 == 0.5 } && out.dropFirst(256).allSatisfy { $0 == 0 })
        #expect(pull.node.failedCallCount == 14)
        #expect(pull.stage.engine.recordedErrors.count == 1 && "\(pull.stage.engine.recordedErrors[0])".contains("-50"))
    }

    @Test func `the handler may put other memory in place, less of it, or none; what is not a number is stopped`()
        throws
    {
        let pull = try PullStage(channels: 2)
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 128)
        defer { memory.deallocate() }
        for frame in 0..<128 { memory[frame] = frame == 3 ? .infinity : 0.25 }
        pull.node.renderHandler = { _, _, frames, list in
            let buffers = UnsafeMutableAudioBufferListPointer(list)
            buffers[0].mData = UnsafeMutableRawPointer(memory)
            buffers[0].mDataByteSize = 64 * 4
            buffers[1].mData = nil
            return noErr
        }
        pull.event.start(completion: nil)
        let out = try pull.stage.render(256)
        for frame in 0..<256 { #expect(out[0][frame] == (frame % 128 == 3 || frame % 128 >= 64 ? 0 : 0.25)) }
        #expect(out[1].allSatisfy { $0 == 0 })
        #expect(pull.node.nonFiniteSampleCount == 2 && pull.stage.engine.recordedErrors.count == 1)
    }

    @Test func `a handler set while the stream plays is refused`() throws {
        let pull = try PullStage()
        pull.play { _, _ in 0.5 }
        _ = try pull.stage.render(512)
        pull.node.renderHandler = { _, _, _, _ in -1 }
        #expect((pull.stage.engine.lastError as? PHASESoundEventError)?.code == .apiMisuse)
        #expect(try pull.stage.render(512)[0].allSatisfy { $0 == 0.5 })
        #expect(pull.node.failedCallCount == 0)
    }

    @Test(arguments: [(44_100.0, 1.0), (96_000, 0.5), (48_000, 4), (44_100, 0.25)])
    func `another rate and another speed give the right pitch, and no more is asked for than needed`(
        rate: Double, speed: Double
    ) throws {
        let pull = try PullStage(rate: rate) { $0.rate = speed }
        pull.play { frame, _ in Float(0.25 * sin(2 * .pi * 480 / speed / rate * Double(frame))) }
        let out = try pull.stage.render(14_400)[0]
        #expect(abs(decibels(amplitude(480, out[2400..<12_000]) / 0.25)) < 0.05)
        let needed = 14_400 * rate * speed / 48_000
        #expect((needed..<(needed + 160)).contains(Double(pull.calls.frames.reduce(0, +))))
    }
}
