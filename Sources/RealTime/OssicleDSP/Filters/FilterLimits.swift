import OssicleCore

/// What every filter design holds its arguments within, so that no argument makes an unstable filter. Not finite counts as harmless.
enum FilterLimits {
    /// 1 Hz … 0.499 of the sample rate.
    static func frequency(_ frequency: Double, _ sampleRate: Double) -> Double { frequency.isFinite ? min(max(frequency, 1), 0.499 * sampleRate) : 0.25 * sampleRate }
    /// Above 0.01.
    static func q(_ q: Double) -> Double { q.isFinite ? max(q, 0.01) : 1 }
    /// ±120 dB.
    static func decibels(_ decibels: Double) -> Double { decibels.isFinite ? min(max(decibels, -120), 120) : 0 }
}
