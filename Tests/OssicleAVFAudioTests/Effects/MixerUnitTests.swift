import Foundation
import OssicleAudioToolbox
import Testing
@testable import OssicleAVFAudio

@Suite("Units: mixers") struct MixerUnitTests {
    private func make(_ subtype: OSType) throws -> AVAudioUnit {
        try AVAudioUnit.make(AudioComponentDescription(builtIn: kAudioUnitType_Mixer, subtype))
    }

    /// An engine with a mixer and two sources: 1, 2 and 3, 4 on their channels.
    private func play(through mixer: AVAudioUnit) throws -> OfflineRig {
        let rig = try OfflineRig()
        rig.engine.attach(mixer)
        for (bus, base) in [1, 3].enumerated() {
            let source = OfflineRig.source { _, channel in Float(base + channel) }
            rig.engine.attach(source)
            rig.engine.connect(source, to: mixer, fromBus: 0, toBus: bus, format: rig.format)
        }
        rig.engine.connect(mixer, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        return rig
    }

    private func last(_ rig: OfflineRig) throws -> [Float] { try rig.render(512).compactMap(\.last) }

    @Test("The multi-channel mixer adds its inputs, each by its volume, switch and pan")
    func multiChannel() throws {
        let mixer = try make(kAudioUnitSubType_MultiChannelMixer)
        let rig = try play(through: mixer)
        #expect(try last(rig) == [4, 6])
        AudioUnitSetParameter(mixer.audioUnit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 1, 0.5, 0)
        #expect(try last(rig) == [2.5, 4])
        AudioUnitSetParameter(mixer.audioUnit, kMultiChannelMixerParam_Enable, kAudioUnitScope_Input, 0, 0, 0)
        #expect(try last(rig) == [1.5, 2])
        AudioUnitSetParameter(mixer.audioUnit, kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, 1, 1, 0)
        #expect(try last(rig) == [0, 2])
        AudioUnitSetParameter(mixer.audioUnit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Output, 0, 0.25, 0)
        #expect(try last(rig) == [0, 0.5] && rig.engine.lastError == nil)
    }

    @Test("The matrix mixer is silent until cross-points are set, and multiplies four volumes")
    func matrix() throws {
        let mixer = try make(kAudioUnitSubType_MatrixMixer)
        let rig = try play(through: mixer)
        #expect(try last(rig) == [0, 0])
        func cross(_ input: UInt32, _ output: UInt32, _ gain: Float) -> OSStatus {
            AudioUnitSetParameter(
                mixer.audioUnit, kMatrixMixerParam_Volume, kAudioUnitScope_Global, input << 16 | output, gain, 0)
        }
        #expect(cross(0, 1, 1) == noErr && cross(3, 0, 1) == noErr)
        #expect(try last(rig) == [4, 1])
        AudioUnitSetParameter(mixer.audioUnit, kMatrixMixerParam_Volume, kAudioUnitScope_Input, 3, 0.5, 0)
        AudioUnitSetParameter(mixer.audioUnit, kMatrixMixerParam_Volume, kAudioUnitScope_Output, 1, 0.5, 0)
        #expect(try last(rig) == [2, 0.5])
        #expect(
            AudioUnitSetParameter(mixer.audioUnit, kMatrixMixerParam_Volume, kAudioUnitScope_Global, .max, 0.5, 0)
                == noErr)
        #expect(try last(rig) == [1, 0.25])
        #expect(cross(99, 0, 1) == kAudioUnitErr_InvalidElement && rig.engine.lastError == nil)
    }

    @Test("A cross-point set before the engine starts holds, and so it does when the graph changes")
    func early() throws {
        let mixer = try make(kAudioUnitSubType_MatrixMixer)
        AudioUnitSetParameter(mixer.audioUnit, kMatrixMixerParam_Volume, kAudioUnitScope_Global, 2 << 16 | 1, 1, 0)
        let rig = try play(through: mixer)
        #expect(try last(rig) == [0, 3])
        let third = OfflineRig.source { _, _ in 8 }
        rig.engine.attach(third)
        rig.engine.connect(third, to: mixer, fromBus: 0, toBus: 2, format: rig.format)
        #expect(try last(rig) == [0, 3])
        rig.engine.disconnectNodeInput(mixer, bus: 0)
        // The channels are counted anew: the third input's first is now number 2.
        #expect(try last(rig) == [0, 8])
    }
}
