import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleNodes
import Testing
@testable import OssicleAVFAudio

@Suite("The spatial mixer by itself") struct SpatialMixerTests {
    /// A mixer of the C interface with a constant of 0.5 in its mono input, rendered until it rests.
    private func mixer(_ prepare: (UnitHandle) -> Void = { _ in }) throws -> UnitHandle {
        let mixer = try UnitHandle(kAudioUnitSubType_SpatialMixer, kAudioUnitType_Mixer)
        let mono = OfflineRig.format(48_000, 1).streamDescription.pointee
        #expect(mixer.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, mono) == noErr)
        let stereo = OfflineRig.format(48_000, 2).streamDescription.pointee
        #expect(mixer.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, stereo) == noErr)
        #expect(mixer.set(kAudioUnitProperty_UsesInternalReverb, kAudioUnitScope_Global, 0, UInt32(0)) == noErr)
        mixer.feed { _, _ in 0.5 }
        prepare(mixer)
        #expect(AudioUnitInitialize(mixer.unit) == noErr)
        return mixer
    }

    private func set(_ mixer: UnitHandle, _ id: AudioUnitParameterID, _ value: Float, offset: UInt32 = 0) {
        #expect(AudioUnitSetParameter(mixer.unit, id, kAudioUnitScope_Input, 0, value, offset) == noErr)
    }

    /// What is heard when all glides are over.
    private func rest(_ mixer: UnitHandle) -> (left: Float, right: Float) {
        let sound = mixer.render(4096)
        return (sound[0].last ?? .nan, sound[1].last ?? .nan)
    }

    /// Equal-power panning, which is at full level in one channel at ±90° and at √½ in both in front.
    @Test(
        "Direction, distance and gain are those of the parameters",
        arguments: [
            (0.0, 1.0, 0.0, 0.35355, 0.35355), (90, 1, 0, 0, 0.5), (-90, 1, 0, 0.5, 0), (90, 4, 0, 0, 0.125),
            (90, 1, -20, 0, 0.05), (90, 2, 6.0206, 0, 0.5),
        ] as [(Float, Float, Float, Float, Float)])
    func levels(azimuth: Float, distance: Float, gain: Float, left: Float, right: Float) throws {
        let mixer = try mixer()
        set(mixer, kSpatialMixerParam_Azimuth, azimuth)
        set(mixer, kSpatialMixerParam_Distance, distance)
        set(mixer, kSpatialMixerParam_Gain, gain)
        let heard = rest(mixer)
        #expect(abs(heard.left - left) < 1e-4 && abs(heard.right - right) < 1e-4, "\(heard)")
    }

    @Test("The head's yaw turns all inputs the other way; a disabled input is silent; bounds hold the gain")
    func more() throws {
        let mixer = try mixer()
        set(mixer, kSpatialMixerParam_Distance, 1)
        #expect(
            AudioUnitSetParameter(mixer.unit, kSpatialMixerParam_HeadYaw, kAudioUnitScope_Global, 0, 90, 0) == noErr)
        #expect(abs(rest(mixer).left - 0.5) < 1e-4)
        set(mixer, kSpatialMixerParam_MaxGain, 0.25)
        #expect(abs(rest(mixer).left - 0.125) < 1e-4)
        set(mixer, kSpatialMixerParam_Enable, 0)
        #expect(rest(mixer).left == 0)
    }

    /// Loss in dB at 10 m, between 1 m and 100 m with 40 dB at most.
    @Test(
        "Curves of distance",
        arguments: [
            (AUSpatialMixerAttenuationCurve.spatialMixerAttenuationCurve_Power, 20.0),
            (.spatialMixerAttenuationCurve_Exponential, 40 * 9 / 99), (.spatialMixerAttenuationCurve_Inverse, 20),
            (.spatialMixerAttenuationCurve_Linear, -20 * log10(1 - 0.99 * 9 / 99)),
        ])
    func curves(curve: AUSpatialMixerAttenuationCurve, loss: Double) throws {
        let mixer = try mixer {
            let id = kAudioUnitProperty_SpatialMixerAttenuationCurve
            #expect($0.set(id, kAudioUnitScope_Input, 0, curve.rawValue) == noErr)
        }
        set(mixer, kSpatialMixerParam_Azimuth, 90)
        set(mixer, kSpatialMixerParam_Distance, 10)
        #expect(abs(20 * log10(Double(rest(mixer).right) / 0.5) + loss) < 0.01)
        let flags = AUSpatialMixerRenderingFlags.spatialMixerRenderingFlags_InterAuralDelay.rawValue
        let id = kAudioUnitProperty_SpatialMixerRenderingFlags
        #expect(mixer.set(id, kAudioUnitScope_Input, 0, flags) == noErr)
        #expect(abs(rest(mixer).right - 0.5) < 1e-4)
    }

    @Test("Properties are read as they were written; wrong ones are refused")
    func properties() throws {
        let mixer = try mixer()
        func check(_ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ value: UInt32, wrong: UInt32) {
            #expect(mixer.set(id, scope, 0, value) == noErr)
            #expect(mixer.get(id, scope, 0, UInt32(99)) == (noErr, value))
            #expect(mixer.set(id, scope, 0, wrong) == kAudioUnitErr_InvalidPropertyValue)
        }
        check(kAudioUnitProperty_SpatializationAlgorithm, kAudioUnitScope_Input, 6, wrong: 8)
        check(kAudioUnitProperty_SpatialMixerSourceMode, kAudioUnitScope_Input, 2, wrong: 4)
        check(kAudioUnitProperty_SpatialMixerPointSourceInHeadMode, kAudioUnitScope_Input, 1, wrong: 2)
        check(kAudioUnitProperty_SpatialMixerOutputType, kAudioUnitScope_Global, 3, wrong: 0)
        check(kAudioUnitProperty_ReverbRoomType, kAudioUnitScope_Global, 8, wrong: 13)
        check(kAudioUnitProperty_SpatialMixerPersonalizedHRTFMode, kAudioUnitScope_Global, 2, wrong: 3)
        let far = MixerDistanceParams(mReferenceDistance: 2, mMaxDistance: 50, mMaxAttenuation: 30)
        let distances = kAudioUnitProperty_SpatialMixerDistanceParams
        #expect(mixer.set(distances, kAudioUnitScope_Input, 0, far) == noErr)
        #expect(mixer.get(distances, kAudioUnitScope_Input, 0, MixerDistanceParams()) == (noErr, far))
        var wrong = far
        wrong.mReferenceDistance = .nan
        #expect(mixer.set(distances, kAudioUnitScope_Input, 0, wrong) == kAudioUnitErr_InvalidPropertyValue)
        #expect(mixer.set(distances, kAudioUnitScope_Input, 5, far) == kAudioUnitErr_InvalidElement)
        let delay = try UnitHandle(kAudioUnitSubType_Delay)
        #expect(
            delay.set(kAudioUnitProperty_ReverbRoomType, kAudioUnitScope_Global, 0, UInt32(1))
                == kAudioUnitErr_InvalidProperty)
    }

    @Test("As a node of an engine it follows the same parameters")
    func node() throws {
        let node = try AVAudioUnit.make(
            AudioComponentDescription(builtIn: kAudioUnitType_Mixer, kAudioUnitSubType_SpatialMixer))
        let rig = try OfflineRig(), source = OfflineRig.source { _, _ in 0.5 }
        rig.engine.attach(source)
        rig.engine.attach(node)
        rig.engine.connect(source, to: node, format: OfflineRig.format(48_000, 1))
        rig.engine.connect(node, to: rig.engine.mainMixerNode, format: rig.format)
        var off = UInt32(0)
        #expect(
            AudioUnitSetProperty(
                node.audioUnit, kAudioUnitProperty_UsesInternalReverb, kAudioUnitScope_Global, 0, &off, 4) == noErr)
        for (id, value) in [(kSpatialMixerParam_Azimuth, 90), (kSpatialMixerParam_Distance, 1)] as [(UInt32, Float)] {
            #expect(AudioUnitSetParameter(node.audioUnit, id, kAudioUnitScope_Input, 0, value, 0) == noErr)
        }
        try rig.engine.start()
        let sound = try rig.render(8192)
        #expect(abs((sound[1].last ?? 0) - 0.5) < 1e-4 && abs(sound[0].last ?? 1) < 1e-4)
    }
}
