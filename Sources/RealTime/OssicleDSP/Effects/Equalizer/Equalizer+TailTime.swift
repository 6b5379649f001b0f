extension Equalizer {
    /// Seconds until bands like these have rung out by 60 dB: the sum of their decay times, which is never too short.
    package static func tailTime(of bands: some Sequence<EqualizerBand>, sampleRate: Double) -> Double {
        bands.reduce(0) { sum, band in
            let section = band.section(sampleRate: sampleRate)
            return section.isTransparent ? sum : sum + section.decayTime(sampleRate: sampleRate)
        }
    }

    /// The parameters do not hold the bands, so this is how long the slowest boost there is rings: the narrowest and highest at 20 Hz.
    /// Whoever knows the bands asks `tailTime(of:sampleRate:)`.
    package static func tailTime(_ parameters: Parameters, sampleRate: Double) -> Double {
        tailTime(of: [EqualizerBand(frequency: 20, bandwidth: 0.05, gain: 24, bypass: false)], sampleRate: sampleRate)
    }
}
