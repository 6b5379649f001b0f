import OssicleCore

/// The gain that brings a sound asset to one common loudness, so that calibrated levels mean something.
///
/// Loudness and true peak as ITU-R BS.1770-4 defines them; the target is that of EBU R 128.
package enum LoudnessNormalisation {
    package static let target = -23.0            // LUFS
    package static let greatestChange = 24.0     // dB up or down
    package static let peakCeiling = -1.0        // dBTP

    /// Linear gain for an asset of this integrated loudness (LUFS) and true peak (dBTP).
    ///
    /// The peak ceiling wins over the target. Silence (loudness −∞ or NaN) is left as it is.
    package static func gain(loudness: Double, truePeak: Double) -> Double {
        guard loudness.isFinite else { return 1 }
        let wanted = min(max(target - loudness, -greatestChange), greatestChange)
        return Decibels.amplitude(truePeak.isFinite ? min(wanted, peakCeiling - truePeak) : wanted)
    }
}
