import Foundation
import OssicleCoreAudioTypes
import OssicleVoice
import Synchronization
import Testing
@testable import OssicleAVFAudio

@Suite("Engine: voice processing in manual rendering")
struct VoiceProcessingTests {
    @Test("What the engine plays is taken out of the input, and the near talker stays")
    func echo() throws {
        let rig = try CallRig(CallRig.scene(4, nearAlone: 2))
        rig.input.isVoiceProcessingAGCEnabled = false
        try rig.render(seconds: 6)
        let heard = rig.finish()
        let (scene, erle) = (rig.scene, rig.level(rig.scene.microphone, 2..<4) - rig.level(heard, 2..<4))
        // The worst case; the canceller alone reaches 20 to 40 dB.
        #expect(erle > 18, "\(erle) dB")
        #expect(abs(rig.level(heard, 4.1..<6) - rig.level(scene.near, 4.1..<6)) < 1)
        #expect(rig.engine.lastError == nil)
    }

    @Test("The bytes are those of any cut into render calls")
    func cuts() throws {
        let whole = try CallRig(CallRig.scene(0.5, 0.5))
        try whole.render(seconds: 1, cuts: [4096])
        let bytes = whole.finish()
        #expect(bytes.contains { $0 != 0 })
        let cut = try CallRig(CallRig.scene(0.5, 0.5))
        try cut.render(seconds: 1, cuts: [1, 127, 64, 300])
        #expect(cut.finish() == bytes)
    }

    @Test("It is one switch for both ends, which makes the input mono and is refused while the engine runs")
    func theSwitch() throws {
        let rig = try CallRig(CallRig.scene(1), microphones: 2, isProcessed: false)
        let (input, output) = (rig.input, rig.engine.outputNode)
        #expect(input.outputFormat(forBus: 0).channelCount == 2 && !input.isVoiceProcessingAGCEnabled)
        try output.setVoiceProcessingEnabled(true)
        #expect(input.isVoiceProcessingEnabled && output.isVoiceProcessingEnabled)
        #expect(input.outputFormat(forBus: 0).channelCount == 1 && input.isVoiceProcessingAGCEnabled)
        try rig.render(seconds: 0.1)
        #expect(avfaudioCode { try input.setVoiceProcessingEnabled(false) } == kAudioUnitErr_Initialized)
        #expect(input.isVoiceProcessingEnabled)
        rig.engine.stop()
        input.isVoiceProcessingBypassed = true
        try input.setVoiceProcessingEnabled(false)
        #expect(!output.isVoiceProcessingEnabled && !input.isVoiceProcessingBypassed)
        #expect(input.outputFormat(forBus: 0).channelCount == 2)
        input.isVoiceProcessingBypassed = true
        #expect((rig.engine.lastError as? OssicleError)?.code == Int(kAudioUnitErr_Uninitialized))
    }

    @Test("An input at another rate than the output, and rates that are too high, are refused at the start")
    func rates() throws {
        for (output, input) in [(48_000.0, 16_000.0), (96_000, 96_000)] {
            let rig = try OfflineRig(rate: output)
            let format = OfflineRig.format(input, 1)
            let feeder = RateConversionTests.Feeder(format) { _ in 0 }
            try rig.engine.inputNode.setVoiceProcessingEnabled(true)
            #expect(rig.engine.inputNode.setManualRenderingInputPCMFormat(format) { feeder.next($0) })
            try rig.engine.connectNode(rig.engine.inputNode, to: rig.engine.mainMixerNode, format: nil)
            #expect(avfaudioCode { try rig.engine.start() } == kAudioUnitErr_FormatNotSupported)
        }
    }

    @Test("Bypassed, the microphone comes through bit for bit, as late as what is processed")
    func bypass() throws {
        let rig = try CallRig(CallRig.scene(1))
        rig.input.isVoiceProcessingBypassed = true
        try rig.render(seconds: 1)
        let latency = try #require(rig.engine.machine.session.voice?.latency)
        let heard = rig.finish()
        #expect(Double(latency) / 16_000 <= 0.01)
        #expect((2000..<16_000).allSatisfy { heard[$0] == rig.scene.microphone[$0 - latency] })
    }

    @Test("A muted input is silent, and tells when somebody speaks into it")
    func mutedSpeech() throws {
        let rig = try CallRig(CallRig.scene(0.5, nearAlone: 2))
        let events = Mutex<[AVAudioVoiceProcessingSpeechActivityEvent]>([])
        #expect(rig.input.setMutedSpeechActivityEventListener { event in events.withLock { $0.append(event) } })
        rig.input.isVoiceProcessingInputMuted = true
        // Half a second of echo alone, then the near talker, then silence.
        try rig.render(seconds: 4)
        let heard = rig.finish()
        #expect(heard.allSatisfy { $0 == 0 } && heard.count > 60_000)
        let seen = events.withLock { $0 }
        #expect(seen.count >= 2 && seen.count.isMultiple(of: 2))
        #expect(seen.enumerated().allSatisfy { $1 == ($0.isMultiple(of: 2) ? .started : .ended) }, "\(seen)")
    }

}
