import OssicleAudioToolbox
import OssicleCoreAudioTypes
import Testing
@testable import OssicleAVFAudio

@Suite("Objects made by NSObject's initialiser")
struct EmptyObjectTests {
    @Test("A format and a time of nothing say so")
    func values() {
        let format = AVAudioFormat()
        #expect(
            format.sampleRate == 0 && format.channelCount == 0
                && AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 16) == nil)
        #expect(!AVAudioTime().isHostTimeValid && !AVAudioTime().isSampleTimeValid)
    }

    @Test("A unit of no component passes sound through, and the engine says what is wrong")
    func units() throws {
        for unit in [AVAudioUnit(), AVAudioUnitEffect()] {
            let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.noise), through: [unit])
            rig.engine.errorHandler = { _ in }
            #expect(try rig.render(512)[0] == (0..<512).map { OfflineRig.noise($0, 0) })
            #expect((rig.engine.lastError as? OssicleError)?.domain == "com.apple.coreaudio.avfaudio")
        }
        #expect(AVAudioUnitTimeEffect().audioComponentDescription == AudioComponentDescription())
        #expect(AVAudioUnitGenerator().audioComponentDescription == AudioComponentDescription())
    }
}
