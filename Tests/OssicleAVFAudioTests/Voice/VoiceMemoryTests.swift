#if os(Linux)
import Foundation
import OssicleCoreAudioTypes
import OssicleTestSupport
import OssicleVoice
import Testing
@testable import OssicleAVFAudio

/// What a call keeps. In a process of its own, whose heap no other test uses.
@Suite("Engine: voice processing keeps no memory")
struct VoiceMemoryTests {
    /// Ten seconds of a call, over and over, whose microphone gives nothing for half a second of every five and whose
    /// engine is stopped and started again every ten, as at devices that are lost and come back. No sound is kept by
    /// the test.
    private final class Call {
        let offline: OfflineRig
        private let buffer: AVAudioPCMBuffer
        private let feeder: RateConversionTests.Feeder
        private var seconds = 0

        init() throws {
            let (scene, rate) = (CallRig.scene(4, 4, nearAlone: 2), 16_000.0)
            let format = OfflineRig.format(rate, 1)
            offline = try OfflineRig(rate: rate, channels: 1, maximum: 160)
            guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 160) else {
                throw OfflineRig.RigError.buffer
            }
            self.buffer = buffer
            let source = OfflineRig.source { frame, _ in scene.far[frame % scene.far.count] }
            offline.engine.attach(source)
            try offline.engine.connectNode(source, to: offline.engine.mainMixerNode, format: format)
            let feeder = RateConversionTests.Feeder(format) { scene.microphone[$0 % scene.microphone.count] }
            self.feeder = feeder
            let input = offline.engine.inputNode
            try input.setVoiceProcessingEnabled(true)
            var blocks = 0
            let isSet = input.setManualRenderingInputPCMFormat(format) { frames in
                blocks += 1
                return blocks % 500 < 50 ? nil : feeder.next(frames)
            }
            guard isSet else { throw OfflineRig.RigError.format }
            input.installTap(onBus: 0, bufferSize: 320, format: nil) { _, _ in }
        }

        func render(seconds count: Int) throws {
            for _ in 0..<count {
                if seconds % 10 == 0 { offline.engine.stop() }
                if !offline.engine.isRunning { try offline.engine.start() }
                for _ in 0..<100 { try offline.engine.renderOffline(160, to: buffer) }
                // On a busy machine more would wait in the second minute than ever before.
                offline.engine.machine.waitForCallbacks()
                seconds += 1
            }
        }
    }

    /// The first minute is not counted: libdispatch keeps the blocks of as many callbacks as ever waited, 72 to 88 bytes
    /// each, and the Swift runtime takes 16 KB where a table of its own is full.
    @Test("The second minute of a call takes no more memory, its microphone lost and back")
    func minute() async {
        await #expect(processExitsWith: .success) {
            let call = try Call()
            try call.render(seconds: 60)
            let before = try HeapUse.bytes()
            try call.render(seconds: 60)
            let growth = try HeapUse.bytes() - before
            // A hundredth of the minute's samples would be 38 KB, one canceller 2 MB.
            #expect(growth < 32_000, "\(growth) bytes")
        }
    }
}
#endif
