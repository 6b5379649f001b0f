import OssicleCore

/// Brings speech to a level: while somebody speaks the gain approaches what is missing by at most 6 dB a second, within
/// −12 … 18 dB; in pauses it stays. A hop that would clip lowers it at once. Audio thread.
package struct VoiceLevel: BitwiseCopyable, Sendable {
    /// Mean square of speech at −20 dBFS.
    private static let target: Float = 0.01
    private static let range: ClosedRange<Float> = 0.251...7.94
    private static let highestPeak: Float = 0.95

    private let step: Float
    private var power: Float = 0
    package private(set) var gain: Float = 1

    package init(grid: VoiceGrid) {
        step = Float(DeterministicMath.exp(0.3 * DeterministicMath.ln10 * Double(grid.hop) / grid.sampleRate))
    }

    package mutating func reset() { (power, gain) = (0, 1) }

    /// One hop in place, the gain gliding from its last value.
    package mutating func process(_ samples: UnsafeMutablePointer<Float>, _ count: Int, isSpeech: Bool) {
        var (sum, peak): (Float, Float) = (0, 0)
        for i in 0..<count {
            sum += samples[i] * samples[i]
            peak = max(peak, abs(samples[i]))
        }
        let old = gain
        if isSpeech {
            power += 0.01 * (sum / Float(count) - power)
            let wanted = (Self.target / max(power, 1e-9)).squareRoot()
            gain = min(max(wanted, gain / step), gain * step)
        }
        gain = min(min(max(gain, Self.range.lowerBound), Self.range.upperBound), Self.highestPeak / max(peak, 1e-6))
        glide(samples, count, from: min(old, Self.highestPeak / max(peak, 1e-6)))
    }

    /// Back to the level that came, within one hop in place.
    package mutating func release(_ samples: UnsafeMutablePointer<Float>, _ count: Int) {
        guard gain != 1 else { return }
        let old = gain
        reset()
        glide(samples, count, from: old)
    }

    private func glide(_ samples: UnsafeMutablePointer<Float>, _ count: Int, from: Float) {
        for i in 0..<count { samples[i] *= from + (gain - from) * Float(i + 1) / Float(count) }
    }
}
