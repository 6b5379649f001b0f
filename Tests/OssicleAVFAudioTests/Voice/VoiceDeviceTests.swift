import Foundation
import OssicleCoreAudioTypes
import OssicleDevices
import OssicleTestSupport
import OssicleVoice
import Testing
@testable import OssicleAVFAudio

/// Voice processing at devices that the test drives, at 16 kHz: the microphone hears the loudspeaker 30 ms later.
@Suite("Engine: voice processing at devices")
struct VoiceDeviceTests {
    private final class Desk: @unchecked Sendable {
        let output = DrivenOutput(sampleRate: 16_000, quantum: 128)
        let engine = AVAudioEngine()
        private(set) var input: DrivenInput!
        private(set) var heard: [Float] = []
        private let lock = NSLock()
        private let far = CallRig.scene(6).far

        init() {
            let output = output
            engine.errorHandler = { _ in }
            input = DrivenInput(sampleRate: 16_000, quantum: 128, origin: output.origin) { frame, _ in
                frame < 480 ? 0 : output.position > frame - 480 ? 0.6 * output.taken[0][frame - 480] : 0
            }
        }

        deinit { engine.stop() }

        func start(_ build: (AVAudioEngine) throws -> Void = { _ in }) throws {
            try DeviceSubstitutes.$current.withValue(DeviceSubstitutes(output: output, input: input)) {
                try build(engine)
                let source = OfflineRig.source { [far] frame, _ in frame < far.count ? far[frame] : 0 }
                engine.attach(source)
                try engine.connectNode(source, to: engine.mainMixerNode, format: nil)
                engine.inputNode.installTap(onBus: 0, bufferSize: 512, format: nil) { [weak self] buffer, _ in
                    let new = UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: Int(buffer.frameLength))
                    self?.lock.withLock { self?.heard += new }
                }
                try engine.start()
            }
        }

        func run(blocks: Int) {
            for _ in 0..<blocks {
                input.capture(frames: 128)
                output.take(frames: 128)
            }
        }

        /// Of what was captured and of what was heard in the last part of it, in dB.
        func reduction(_ frames: Int) -> Double {
            engine.stop()
            engine.machine.waitForCallbacks()
            func level(_ signal: [Float]) -> Double {
                10 * log10(signal.suffix(frames).reduce(1e-20) { $0 + Double($1) * Double($1) } / Double(frames))
            }
            return level(output.taken[0].map { 0.6 * $0 }) - lock.withLock { level(heard) }
        }
    }

    @Test("The loudspeaker's sound is gone from the microphone within two seconds")
    func loop() throws {
        let desk = Desk()
        try desk.start { try $0.inputNode.setVoiceProcessingEnabled(true) }
        #expect(desk.engine.inputNode.outputFormat(forBus: 0).channelCount == 1)
        desk.run(blocks: 500)
        let reduction = desk.reduction(32_000)
        #expect(reduction > 25, "\(reduction) dB")
    }

    @Test("A session's mode decides whether an engine without the switch processes what it captures")
    func mode() throws {
        let control = SessionControl(
            surroundings: StagedSurroundings(SessionStage.laptop), participants: .init(), access: .shared,
            openWith: { _ in })
        for (mode, isProcessed) in [(AVAudioSession.Mode.voiceChat, true), (.videoChat, true), (.gameChat, false)] {
            control.locked {
                control.change { ($0.category, $0.mode) = (.playAndRecord, mode) }
                #expect(control.settings.devicePreferences.processesVoice == isProcessed)
            }
        }
    }
}
