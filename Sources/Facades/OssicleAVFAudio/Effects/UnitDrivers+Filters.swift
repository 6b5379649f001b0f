import OssicleAudioToolbox
import OssicleCore
import OssicleDSP

extension UnitDrivers {
    /// The units that are bands of an equaliser.
    static func filter(_ subtype: OSType, _ value: ParameterReader) -> (any UnitDriver)? {
        switch subtype {
        case kAudioUnitSubType_NBandEQ: return bandEQ(value)
        case kAudioUnitSubType_GraphicEQ: return EqualizerDriver(count: GraphicBands.count) { GraphicBands.band($0, value) }
        case kAudioUnitSubType_LowPassFilter:
            return band(.resonantLowPass) { (value[kLowPassParam_CutoffFrequency], resonance(value[kLowPassParam_Resonance]), 0) }
        case kAudioUnitSubType_HighPassFilter:
            return band(.resonantHighPass) { (value[kHipassParam_CutoffFrequency], resonance(value[kHipassParam_Resonance]), 0) }
        case kAudioUnitSubType_BandPassFilter:
            return band(.bandPass) { (value[kBandpassParam_CenterFrequency], value[kBandpassParam_Bandwidth] / 1200, 0) }
        case kAudioUnitSubType_HighShelfFilter:
            return band(.highShelf) { (value[kHighShelfParam_CutOffFrequency], 1, value[kHighShelfParam_Gain]) }
        case kAudioUnitSubType_LowShelfFilter:
            return band(.lowShelf) { (value[kAULowShelfParam_CutoffFrequency], 1, value[kAULowShelfParam_Gain]) }
        case kAudioUnitSubType_ParametricEQ:
            return band(.parametric) {
                (value[kParametricEQParam_CenterFreq], EqualizerBand.bandwidth(q: Double(value[kParametricEQParam_Q])), value[kParametricEQParam_Gain])
            }
        default: return nil
        }
    }

    /// A single filter from its frequency in Hz, bandwidth in octaves and gain in dB.
    private static func band(_ kind: EqualizerBand.FilterKind, _ read: @escaping () -> (Float, Float, Float)) -> any UnitDriver {
        EqualizerDriver(count: 1) { _ in
            let (frequency, bandwidth, gain) = read()
            return EqualizerBand(kind: kind, frequency: frequency, bandwidth: bandwidth, gain: gain, bypass: false)
        }
    }

    /// The bandwidth at which a pass has this many dB at its cutoff: there its gain is its Q.
    private static func resonance(_ decibels: Float) -> Float { EqualizerBand.bandwidth(q: Decibels.amplitude(Double(decibels))) }

    private static func bandEQ(_ value: ParameterReader) -> any UnitDriver {
        let count = value.tree.allParameters.count { (kAUNBandEQParam_Frequency..<kAUNBandEQParam_Gain).contains(AudioUnitParameterID(truncatingIfNeeded: $0.address)) }
        return EqualizerDriver(gain: { value[kAUNBandEQParam_GlobalGain] }, count: count) { number in
            let index = AudioUnitParameterID(number)
            return EqualizerBand(kind: EqualizerBand.FilterKind(rawValue: UInt8(value[kAUNBandEQParam_FilterType + index].rounded())) ?? .parametric,
                                 frequency: value[kAUNBandEQParam_Frequency + index], bandwidth: value[kAUNBandEQParam_Bandwidth + index],
                                 gain: value[kAUNBandEQParam_Gain + index], bypass: value.isOn(kAUNBandEQParam_BypassBand + index))
        }
    }
}

/// The fixed frequencies of the graphic equaliser: ISO 266, octaves from 31.5 Hz or thirds from 20 Hz.
enum GraphicBands {
    static let count = 31

    static func band(_ index: Int, _ value: ParameterReader) -> EqualizerBand {
        let areThirds = value.isOn(kGraphicEQParam_NumberOfBands)
        let exponent = areThirds ? Double(index - 17) / 10 : Double(index - 5) * 0.3
        return EqualizerBand(frequency: Float(1000 * DeterministicMath.exp2(exponent * 3.321928094887362)), bandwidth: areThirds ? 1.0 / 3 : 1,
                             gain: value[AudioUnitParameterID(index)], bypass: !areThirds && index >= 10)
    }
}
