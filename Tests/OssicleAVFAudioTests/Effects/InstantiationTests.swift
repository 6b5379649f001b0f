import Foundation
import OssicleAudioToolbox
import Testing
@testable import OssicleAVFAudio

@Suite("Units: from a description") struct InstantiationTests {
    @Test("The class follows from the type")
    func classes() async throws {
        #expect(try await kind(kAudioUnitType_Effect, kAudioUnitSubType_Delay) == "AVAudioUnitEffect")
        #expect(
            try await kind(kAudioUnitType_FormatConverter, kAudioUnitSubType_NewTimePitch) == "AVAudioUnitTimeEffect")
        #expect(
            try await kind(kAudioUnitType_Generator, kAudioUnitSubType_ScheduledSoundPlayer) == "AVAudioUnitGenerator")
    }

    private func kind(_ type: OSType, _ subtype: OSType) async throws -> String {
        let unit = try await AVAudioUnit.instantiate(
            with: AudioComponentDescription(builtIn: type, subtype), options: [])
        return "\(Swift.type(of: unit))"
    }

    @Test("A completion handler gets the unit, or the reason why there is none")
    func completion() async {
        let name: String? = await withCheckedContinuation { done in
            AVAudioUnit.instantiate(
                with: AudioComponentDescription(builtIn: kAudioUnitType_Effect, kAudioUnitSubType_Reverb2)
            ) { unit, error in
                done.resume(returning: error == nil ? unit?.name : nil)
            }
        }
        #expect(name == "AUReverb2")
        let code: Int? = await withCheckedContinuation { done in
            AVAudioUnit.instantiate(with: AudioComponentDescription(builtIn: 1, 2)) { unit, error in
                done.resume(returning: unit == nil ? (error as NSError?)?.code : nil)
            }
        }
        #expect(code == Int(kAudioComponentErr_UnsupportedType))
    }

    @Test(
        "A unit of no component, or of another type, passes sound through, and the engine says so",
        arguments: [
            AudioComponentDescription(builtIn: kAudioUnitType_Effect, 0x6E6F6E65),
            AudioComponentDescription(builtIn: kAudioUnitType_Mixer, kAudioUnitSubType_MatrixMixer),
            AudioComponentDescription(), AudioComponentDescription(builtIn: kAudioUnitType_Effect, 0),
        ])
    func misuse(description: AudioComponentDescription) throws {
        for unit in [
            AVAudioUnitEffect(audioComponentDescription: description),
            AVAudioUnitTimeEffect(audioComponentDescription: description),
        ] {
            let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.noise), through: [unit])
            #expect(try rig.render(500)[0] == (0..<500).map { OfflineRig.noise($0, 0) })
            #expect((rig.engine.lastError as NSError?)?.code == Int(kAudioComponentErr_UnsupportedType))
            #expect(
                AudioUnitSetParameter(unit.audioUnit, 0, kAudioUnitScope_Global, 0, 1, 0)
                    == kAudioUnitErr_InvalidParameter)
        }
    }

    @Test("A generator without an implementation is silent")
    func generator() throws {
        let unit = AVAudioUnitGenerator(
            audioComponentDescription: AudioComponentDescription(
                builtIn: kAudioUnitType_Generator, kAudioUnitSubType_ScheduledSoundPlayer))
        let rig = try OfflineRig()
        rig.engine.attach(unit)
        rig.engine.connect(unit, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        #expect(
            try rig.render(500)[0].allSatisfy { $0 == 0 } && unit.numberOfInputs == 0 && rig.engine.lastError == nil)
    }

    @Test("A unit can go from one engine to another")
    func moving() throws {
        let unit = AVAudioUnitDelay()
        unit.delayTime = 0.01
        for rate in [48_000.0, 44_100] {
            let rig = try OfflineRig.playing(
                OfflineRig.source(OfflineRig.impulse), through: [unit], rate: rate, channels: 1)
            let sound = try rig.render(1000)[0]
            #expect(sound.firstIndex { $0 != 0 } == Int(rate / 100))
            rig.engine.detach(unit)
        }
    }
}
