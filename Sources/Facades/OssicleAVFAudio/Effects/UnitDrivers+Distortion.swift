import OssicleAudioToolbox
import OssicleDSP
import OssicleRender

/// The distortion's two controls that only the class has, in front of and around the unit's own sixteen.
enum DistortionClassParameter {
    /// dB ahead of everything.
    static let preGain: AudioUnitParameterID = 100
    /// Percent of wet around everything.
    static let wetDryMix: AudioUnitParameterID = 101

    static let specifications: [ParameterSpecification] = [
        ParameterSpecification(preGain, "preGain", "Pre-Gain", .decibels, from: -80, to: 20, default: -6),
        ParameterSpecification(wetDryMix, "wetDryMix", "Wet/Dry Mix", .percent, from: 0, to: 100, default: 50),
    ]
}

extension UnitDrivers {
    /// With the gain and the mix of the class, if the tree has them.
    static func distortion(_ value: ParameterReader) -> any UnitDriver {
        KernelDriver(RendererReference.distortion) {
            let isOfClass = value.tree.parameter(withAddress: AUParameterAddress(DistortionClassParameter.preGain)) != nil
            return DistortionEffect.Parameters(settings: distortionSettings(value), preGain: isOfClass ? value[DistortionClassParameter.preGain] : 0,
                                               wetDryMix: isOfClass ? value[DistortionClassParameter.wetDryMix] : 100)
        }
    }

    private static func distortionSettings(_ value: ParameterReader) -> DistortionSettings {
        var settings = DistortionSettings()
        settings.delay = value[kDistortionParam_Delay]
        settings.decay = value[kDistortionParam_Decay]
        settings.delayMix = value[kDistortionParam_DelayMix]
        settings.decimation = value[kDistortionParam_Decimation]
        settings.rounding = value[kDistortionParam_Rounding]
        settings.decimationMix = value[kDistortionParam_DecimationMix]
        settings.linearTerm = value[kDistortionParam_LinearTerm]
        settings.squaredTerm = value[kDistortionParam_SquaredTerm]
        settings.cubicTerm = value[kDistortionParam_CubicTerm]
        settings.polynomialMix = value[kDistortionParam_PolynomialMix]
        settings.ringModFrequency1 = value[kDistortionParam_RingModFreq1]
        settings.ringModFrequency2 = value[kDistortionParam_RingModFreq2]
        settings.ringModBalance = value[kDistortionParam_RingModBalance]
        settings.ringModMix = value[kDistortionParam_RingModMix]
        settings.softClipGain = value[kDistortionParam_SoftClipGain]
        settings.finalMix = value[kDistortionParam_FinalMix]
        return settings
    }

    /// Where each of the unit's parameters is in the kernel's settings, for presets.
    static var distortionFields: [(AudioUnitParameterID, WritableKeyPath<DistortionSettings, Float>)] {
        [
            (kDistortionParam_Delay, \.delay), (kDistortionParam_Decay, \.decay), (kDistortionParam_DelayMix, \.delayMix),
            (kDistortionParam_Decimation, \.decimation), (kDistortionParam_Rounding, \.rounding), (kDistortionParam_DecimationMix, \.decimationMix),
            (kDistortionParam_LinearTerm, \.linearTerm), (kDistortionParam_SquaredTerm, \.squaredTerm), (kDistortionParam_CubicTerm, \.cubicTerm),
            (kDistortionParam_PolynomialMix, \.polynomialMix), (kDistortionParam_RingModFreq1, \.ringModFrequency1),
            (kDistortionParam_RingModFreq2, \.ringModFrequency2), (kDistortionParam_RingModBalance, \.ringModBalance),
            (kDistortionParam_RingModMix, \.ringModMix), (kDistortionParam_SoftClipGain, \.softClipGain), (kDistortionParam_FinalMix, \.finalMix),
        ]
    }
}
