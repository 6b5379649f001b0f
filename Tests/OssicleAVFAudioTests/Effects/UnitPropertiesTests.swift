import Foundation
import OssicleAudioToolbox
import Testing
@testable import OssicleAVFAudio

@Suite("Units: properties and parameters") struct UnitPropertiesTests {
    @Test("Fresh units have Apple's defaults")
    func defaults() {
        let delay = AVAudioUnitDelay()
        #expect(delay.delayTime == 1 && delay.feedback == 50 && delay.lowPassCutoff == 15_000 && delay.wetDryMix == 100)
        let distortion = AVAudioUnitDistortion()
        #expect(distortion.preGain == -6 && distortion.wetDryMix == 50)
        #expect(AVAudioUnitReverb().wetDryMix == 100)
        let equalizer = AVAudioUnitEQ(numberOfBands: 3)
        #expect(equalizer.globalGain == 0 && equalizer.bands.count == 3)
        for band in equalizer.bands {
            #expect(
                band.filterType == .parametric && band.frequency == 1000 && band.bandwidth == 0.5 && band.gain == 0
                    && band.bypass)
        }
        #expect(AVAudioUnitVarispeed().rate == 1)
        let pitch = AVAudioUnitTimePitch()
        #expect(pitch.rate == 1 && pitch.pitch == 0 && pitch.overlap == 8)
        #expect(!delay.bypass && !pitch.bypass)
    }

    @Test("Values beyond a range come to its edge")
    func ranges() {
        let delay = AVAudioUnitDelay()
        (delay.delayTime, delay.feedback, delay.wetDryMix, delay.lowPassCutoff) = (9, -300, 101, 1)
        #expect(delay.delayTime == 2 && delay.feedback == -100 && delay.wetDryMix == 100 && delay.lowPassCutoff == 10)
        let varispeed = AVAudioUnitVarispeed()
        varispeed.rate = 0
        #expect(varispeed.rate == 0.25)
        let pitch = AVAudioUnitTimePitch()
        (pitch.rate, pitch.pitch, pitch.overlap) = (99, -9999, 1)
        #expect(pitch.rate == 32 && pitch.pitch == -2400 && pitch.overlap == 3)
        let equalizer = AVAudioUnitEQ(numberOfBands: 1), band = equalizer.bands[0]
        (equalizer.globalGain, band.gain, band.bandwidth, band.frequency) = (99, -999, 99, 0)
        #expect(equalizer.globalGain == 24 && band.gain == -96 && band.bandwidth == 5 && band.frequency == 20)
        let distortion = AVAudioUnitDistortion()
        (distortion.preGain, distortion.wetDryMix) = (-99, -1)
        #expect(distortion.preGain == -80 && distortion.wetDryMix == 0)
        #expect(AVAudioUnitEQ(numberOfBands: -4).bands.isEmpty && AVAudioUnitEQ(numberOfBands: 40).bands.count == 40)
    }

    @Test("Where the graph runs at a low rate, frequencies stay below half of it")
    func nyquist() throws {
        let delay = AVAudioUnitDelay()
        let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.noise), through: [delay], rate: 16_000)
        #expect(delay.lowPassCutoff == 8000)
        delay.lowPassCutoff = 30_000
        #expect(delay.lowPassCutoff == 8000 && rig.engine.lastError == nil)
    }

    @Test("What is not a number changes nothing and is recorded")
    func notANumber() throws {
        let delay = AVAudioUnitDelay(), equalizer = AVAudioUnitEQ(numberOfBands: 1)
        let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.noise), through: [delay, equalizer])
        delay.feedback = .nan
        #expect(delay.feedback == 50 && rig.engine.lastError != nil)
        rig.engine.lastError = nil
        equalizer.bands[0].gain = .nan
        #expect(equalizer.bands[0].gain == 0 && rig.engine.lastError != nil)
    }

    @Test("A property, the parameter tree and the C interface are views of one number")
    func views() throws {
        let equalizer = AVAudioUnitEQ(numberOfBands: 2)
        let gain = try #require(
            equalizer.parameterTree.parameter(withAddress: AUParameterAddress(kAUNBandEQParam_Gain) + 1))
        equalizer.bands[1].gain = 6
        #expect(gain.value == 6)
        gain.value = -3
        #expect(equalizer.bands[1].gain == -3)
        #expect(
            AudioUnitSetParameter(equalizer.audioUnit, kAUNBandEQParam_FilterType + 1, kAudioUnitScope_Global, 0, 4, 0)
                == noErr)
        #expect(equalizer.bands[1].filterType == .resonantHighPass && equalizer.bands[0].filterType == .parametric)
        var value: Float = 0
        equalizer.globalGain = -12
        #expect(
            AudioUnitGetParameter(equalizer.audioUnit, kAUNBandEQParam_GlobalGain, kAudioUnitScope_Global, 0, &value)
                == noErr && value == -12)
    }

    @Test("A unit's handle ends with the unit")
    func handle() {
        var unit: AVAudioUnitDelay? = AVAudioUnitDelay()
        let handle = unit?.audioUnit
        #expect(handle == unit?.audioUnit)
        unit = nil
        #expect(
            handle.map { AudioUnitSetParameter($0, kDelayParam_DelayTime, kAudioUnitScope_Global, 0, 1, 0) }
                == kAudioUnitErr_InvalidElement)
    }

    @Test("Rate and cents of the varispeed unit are one quantity")
    func cents() {
        let unit = AVAudioUnitVarispeed()
        let cents = unit.parameterTree.parameter(withAddress: AUParameterAddress(kVarispeedParam_PlaybackCents))
        unit.rate = 2
        #expect(cents?.value == 1200)
        cents?.value = -1200
        #expect(unit.rate == 0.5)
    }

    @Test("Loading a room or a preset sets the unit's parameters and keeps the mix")
    func presets() {
        let reverb = AVAudioUnitReverb()
        reverb.wetDryMix = 30
        let decay = { reverb.value(kReverb2Param_DecayTimeAt0Hz) }
        let hall = decay()
        reverb.loadFactoryPreset(.cathedral)
        #expect(decay() > hall && reverb.wetDryMix == 30)
        let distortion = AVAudioUnitDistortion()
        distortion.wetDryMix = 70
        distortion.loadFactoryPreset(.multiDistortedCubed)
        #expect(distortion.value(kDistortionParam_CubicTerm) == 20 && distortion.wetDryMix == 70)
        for preset in AVAudioUnitDistortionPreset.allCases { distortion.loadFactoryPreset(preset) }
        for preset in AVAudioUnitReverbPreset.allCases { reverb.loadFactoryPreset(preset) }
    }

    @Test("A unit says who made it and what it is")
    func names() {
        let delay = AVAudioUnitDelay()
        #expect(delay.name == "AUDelay" && delay.manufacturerName == "Apple" && delay.version == 0x100)
        #expect(delay.audioComponentDescription.componentSubType == kAudioUnitSubType_Delay)
    }
}
