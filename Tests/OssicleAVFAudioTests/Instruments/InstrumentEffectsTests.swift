import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

/// Reverb and chorus of instruments as clients switch them, and the choice of a synthesiser.
@Suite struct InstrumentEffectsTests {
    /// What sounds once a note with all of its sends has ended.
    private func tail(_ change: (AVAudioUnitSampler) throws -> Void = { _ in }) throws -> Double {
        let rig = try SamplerRig()
        try rig.sampler.loadSoundBankInstrument(
            at: try rig.write("levels.sf2", SamplerRig.levels), program: 0, bankMSB: 0x79, bankLSB: 0)
        try change(rig.sampler)
        for controller in [91, 93] as [UInt8] { rig.sampler.sendController(controller, withValue: 127, onChannel: 0) }
        rig.sampler.startNote(60, withVelocity: 127, onChannel: 0)
        _ = try rig.render(9600)
        rig.sampler.stopNote(60, onChannel: 0)
        return Measure.level(try rig.render(9600)[0][4800...])
    }

    private func isOn(_ unit: AudioUnit) -> UInt32 {
        var value = UInt32.max, size = UInt32(4)
        #expect(
            AudioUnitGetProperty(
                unit, kMusicDeviceProperty_UsesInternalReverb, kAudioUnitScope_Global, 0, &value, &size) == noErr)
        return value
    }

    @Test func `what is sent rings on, and three switches end it`() throws {
        #expect(try tail() > -70)
        #expect(try tail { $0.rendersEffects = false } < -150)
        let byProperty = try tail { sampler in
            #expect(isOn(sampler.audioUnit) == 1)
            var off = UInt32(0)
            #expect(
                AudioUnitSetProperty(
                    sampler.audioUnit, kMusicDeviceProperty_UsesInternalReverb, kAudioUnitScope_Global, 0, &off, 4)
                    == noErr)
            #expect(isOn(sampler.audioUnit) == 0 && !sampler.rendersEffects)
        }
        #expect(byProperty < -150)
        let other = AVAudioUnitSampler()
        other.rendersEffects = false
        let state = other.auAudioUnit.fullState
        #expect(try tail { $0.auAudioUnit.fullState = state } < -150)
        #expect(other.auAudioUnit.tailTime == 0)
        other.rendersEffects = true
        #expect((1.5...4).contains(other.auAudioUnit.tailTime))
    }

    @Test func `the synthesiser with a bank of its own has three parameters`() throws {
        let unit = try AUAudioUnit(
            componentDescription: AudioComponentDescription(
                builtIn: kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth))
        let parameters = try #require(unit.parameterTree).allParameters
        #expect(parameters.map(\.displayName) == ["Tuning", "Volume", "Reverb Volume"])
        let addresses = [kMusicDeviceParam_Tuning, kMusicDeviceParam_Volume, kMusicDeviceParam_ReverbVolume]
        #expect(parameters.map(\.address) == addresses.map { AUParameterAddress($0) })
        #expect(parameters.map(\.minValue) == [-1200, -120, -120] && parameters.map(\.maxValue) == [1200, 40, 40])
    }

    @Test func `a sampler plays its own samples; a synthesiser may be FluidSynth, or says what is missing`() throws {
        #expect(throws: OssicleError.self) { try AVAudioUnitSampler().setSynthesiser(.fluidSynth) }
        let node = AVAudioUnitMIDIInstrument(
            audioComponentDescription: AudioComponentDescription(
                builtIn: kAudioUnitType_MusicDevice, kAudioUnitSubType_MIDISynth))
        do {
            try node.setSynthesiser(.fluidSynth)
            #expect(node.synthesiser == .fluidSynth)
        } catch {
            #expect("\(error)".contains("FluidSynth") && node.synthesiser == .ossicle)
        }
    }
}
