import OssicleDSP
import OssicleRender

/// Delays and distortion.
package enum DelayUnits {
    /// Those of the catalogue, in the order a search finds them.
    static let all: [UnitDescription] = [delay, sampleDelay, distortion]

    /// An echo with feedback and a low-pass in the loop.
    package static let delay = UnitDescription.effect(
        "dely", "AUDelay", delayFields, initial: DelayEffect.Parameters(), renderer: RendererReference.delay)

    private static let delayFields: [EffectField<DelayEffect.Parameters>] = [
        .init(0, "wetDryMix", "Wet/Dry Mix", .equalPowerCrossfade, from: 0, to: 100, default: 50) { $0.wetDryMix = $1 },
        .init(1, "delayTime", "Delay Time", .seconds, from: 0, to: 2, default: 1) { $0.delayTime = Double($1) },
        .init(2, "feedback", "Feedback", .percent, from: -100, to: 100, default: 50) { $0.feedback = $1 },
        .init(3, "lowPassCutoff", "Low-Pass Cutoff", .hertz, from: 10, to: .halfSampleRate, default: 15_000) {
            $0.lowPassCutoff = $1
        },
    ]

    /// A delay by whole frames.
    package static let sampleDelay = UnitDescription.effect(
        "sdly", "AUSampleDelay", sampleDelayFields, initial: SampleDelay.Parameters(),
        renderer: RendererReference.sampleDelay)

    private static let sampleDelayFields: [EffectField<SampleDelay.Parameters>] = [
        .init(0, "delayFrames", "Delay", .sampleFrames, from: 0, to: .sampleRate, default: 0) { $0.delayFrames = $1 }
    ]

    /// Delay, decimation, polynomial, ring modulation and soft clip, in this order.
    package static let distortion = UnitDescription.effect(
        "dist", "AUDistortion", distortionFields, initial: DistortionEffect.Parameters(preGain: 0, wetDryMix: 100),
        presets: distortionPresets, renderer: RendererReference.distortion)

    /// The distortion with a gain in front and a mix around it, which AVAudioUnitDistortion has and the unit has not.
    package static let distortionWithMix = UnitDescription.effect(
        "dist", "AUDistortion", distortionFields + distortionMixFields, initial: DistortionEffect.Parameters(),
        presets: distortionPresets, renderer: RendererReference.distortion)

    private static let distortionFields: [EffectField<DistortionEffect.Parameters>] = [
        .init(0, "delay", "Delay", .milliseconds, from: 0.1, to: 500, default: 0.1) { $0.settings.delay = $1 },
        .init(1, "decay", "Decay", .rate, from: 0.1, to: 50, default: 1) { $0.settings.decay = $1 },
        .init(2, "delayMix", "Delay Mix", .percent, from: 0, to: 100, default: 50) { $0.settings.delayMix = $1 },
        .init(3, "decimation", "Decimation", .percent, from: 0, to: 100, default: 0) { $0.settings.decimation = $1 },
        .init(4, "rounding", "Rounding", .percent, from: 0, to: 100, default: 0) { $0.settings.rounding = $1 },
        .init(5, "decimationMix", "Decimation Mix", .percent, from: 0, to: 100, default: 50) {
            $0.settings.decimationMix = $1
        },
        .init(6, "linearTerm", "Linear Term", .linearGain, from: 0, to: 1, default: 1) { $0.settings.linearTerm = $1 },
        .init(7, "squaredTerm", "Squared Term", .linearGain, from: 0, to: 20, default: 0) {
            $0.settings.squaredTerm = $1
        },
        .init(8, "cubicTerm", "Cubic Term", .linearGain, from: 0, to: 20, default: 0) { $0.settings.cubicTerm = $1 },
        .init(9, "polynomialMix", "Polynomial Mix", .percent, from: 0, to: 100, default: 50) {
            $0.settings.polynomialMix = $1
        },
        .init(10, "ringModFrequency1", "Ring Modulation Frequency 1", .hertz, from: 0.5, to: 8000, default: 100) {
            $0.settings.ringModFrequency1 = $1
        },
        .init(11, "ringModFrequency2", "Ring Modulation Frequency 2", .hertz, from: 0.5, to: 8000, default: 100) {
            $0.settings.ringModFrequency2 = $1
        },
        .init(12, "ringModBalance", "Ring Modulation Balance", .percent, from: 0, to: 100, default: 50) {
            $0.settings.ringModBalance = $1
        },
        .init(13, "ringModMix", "Ring Modulation Mix", .percent, from: 0, to: 100, default: 0) {
            $0.settings.ringModMix = $1
        },
        .init(14, "softClipGain", "Soft Clip Gain", .decibels, from: -80, to: 20, default: -6) {
            $0.settings.softClipGain = $1
        },
        .init(15, "finalMix", "Final Mix", .percent, from: 0, to: 100, default: 50) { $0.settings.finalMix = $1 },
    ]

    private static let distortionMixFields: [EffectField<DistortionEffect.Parameters>] = [
        .init(100, "preGain", "Pre-Gain", .decibels, from: -80, to: 20, default: -6) { $0.preGain = $1 },
        .init(101, "wetDryMix", "Wet/Dry Mix", .percent, from: 0, to: 100, default: 50) { $0.wetDryMix = $1 },
    ]

    /// Every preset sets all sixteen parameters.
    private static let distortionPresets: [UnitDescription.Preset] = {
        let settings: [KeyPath<DistortionSettings, Float>] = [
            \.delay, \.decay, \.delayMix, \.decimation, \.rounding, \.decimationMix, \.linearTerm, \.squaredTerm,
            \.cubicTerm, \.polynomialMix, \.ringModFrequency1, \.ringModFrequency2, \.ringModBalance, \.ringModMix,
            \.softClipGain, \.finalMix,
        ]
        return DistortionPreset.allCases.map { preset in
            UnitDescription.Preset(
                "\(preset)", settings.enumerated().map { (UInt32($0), preset.settings[keyPath: $1]) })
        }
    }()
}
