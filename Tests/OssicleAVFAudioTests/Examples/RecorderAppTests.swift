import Foundation
import OssicleCoreAudioTypes
import Testing
@testable import OssicleAVFAudio

/// What an app that only records relies on: a microphone, a tap, and every frame of it.
@Suite("Taps: an app that records")
struct RecorderAppTests {
    /// What a tap's block has been given. Read when the callbacks have been drained.
    private final class Recording: @unchecked Sendable {
        var samples: [Float] = []
        var firstTime: AVAudioFramePosition?

        func add(_ buffer: AVAudioPCMBuffer, _ time: AVAudioTime) {
            if firstTime == nil { firstTime = time.sampleTime }
            samples += UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: Int(buffer.frameLength))
        }
    }

    /// A rig whose microphone gives `OfflineRig.noise`.
    private func rigWithMicrophone() throws -> OfflineRig {
        let rig = try OfflineRig()
        let mono = OfflineRig.format(48000, 1)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 4096))
        var next = 0
        let isSet = rig.engine.inputNode.setManualRenderingInputPCMFormat(mono) { frames in
            for frame in 0..<Int(frames) { buffer.floatChannelData?[0][frame] = OfflineRig.noise(next + frame, 0) }
            next += Int(frames)
            buffer.frameLength = frames
            return buffer.audioBufferList
        }
        #expect(isSet)
        return rig
    }

    private func noise(_ frames: Range<Int>) -> [Float] { frames.map { OfflineRig.noise($0, 0) } }

    @Test("A tap draws from a microphone that is connected to nothing", arguments: [false, true])
    func loneInput(hasOutput: Bool) throws {
        let rig = try rigWithMicrophone()
        let recording = Recording()
        if hasOutput { _ = rig.engine.mainMixerNode }
        rig.engine.inputNode.installTap(
            onBus: 0, bufferSize: 1024, format: rig.engine.inputNode.outputFormat(forBus: 0)
        ) { recording.add($0, $1) }
        try rig.engine.start()
        let sound = try rig.render(3000)
        rig.engine.inputNode.removeTap(onBus: 0)
        rig.engine.drainCallbacks()
        #expect(recording.samples == noise(0..<3000))
        #expect(sound.joined().allSatisfy { $0 == 0 })
        #expect(rig.engine.lastError == nil)
    }

    @Test("An engine with nothing but a microphone starts, and can be tapped afterwards")
    func tapAfterStart() throws {
        let rig = try rigWithMicrophone()
        let recording = Recording()
        try rig.engine.start()
        _ = try rig.render(512)
        rig.engine.inputNode.installTap(onBus: 0, bufferSize: 256, format: nil) { recording.add($0, $1) }
        _ = try rig.render(1000)
        rig.engine.inputNode.removeTap(onBus: 0)
        _ = try rig.render(512)
        rig.engine.drainCallbacks()
        #expect(recording.firstTime == 512)
        #expect(recording.samples == noise(512..<1512))
        #expect(rig.engine.lastError == nil)
    }

    @Test("Draining waits for a tap that has been removed")
    func removedTap() throws {
        let rig = try OfflineRig()
        let source = OfflineRig.source(OfflineRig.noise)
        let recording = Recording()
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: rig.format)
        source.installTap(onBus: 0, bufferSize: 1024, format: nil) { buffer, time in
            Thread.sleep(forTimeInterval: 0.02)
            recording.add(buffer, time)
        }
        try rig.engine.start()
        _ = try rig.render(1500)
        source.removeTap(onBus: 0)
        rig.engine.drainCallbacks()
        #expect(recording.samples == noise(0..<1500))
    }

    @Test("A node that is taken out hands over what its taps had collected")
    func detachedNode() throws {
        let rig = try OfflineRig()
        let source = OfflineRig.source(OfflineRig.noise)
        let recording = Recording()
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: rig.format)
        source.installTap(onBus: 0, bufferSize: 1024, format: nil) { recording.add($0, $1) }
        try rig.engine.start()
        _ = try rig.render(1500)
        rig.engine.detach(source)
        rig.engine.drainCallbacks()
        #expect(recording.samples == noise(0..<1500))
    }
}
