import AVFoundation

/// The pitch of a voice in a short piece of sound, by autocorrelation.
struct PitchDetector {
    private static let range = 80.0...1000.0
    /// How alike two periods have to be.
    private static let clarity: Float = 0.9

    /// Hz; `nil` for silence and for what has no pitch. Needs two periods and more: 1024 frames go down to 100 Hz.
    static func frequency(of samples: [Float], rate: Double) -> Double? {
        let shortest = Int(rate / range.upperBound)
        let longest = min(Int(rate / range.lowerBound), samples.count / 2)
        let window = samples.count - longest - 1
        guard shortest > 1, longest > shortest, samples.contains(where: { abs($0) > 0.01 }) else { return nil }
        let likeness = (0...longest + 1).map { lag in
            var (product, first, second) = (Float(0), Float(1e-9), Float(1e-9))
            for index in 0..<window {
                let (a, b) = (samples[index], samples[index + lag])
                (product, first, second) = (product + a * b, first + a * a, second + b * b)
            }
            return product / (first * second).squareRoot()
        }
        let peaks = (shortest...longest).filter { likeness[$0] > likeness[$0 - 1] && likeness[$0] >= likeness[$0 + 1] }
        guard let best = peaks.map({ likeness[$0] }).max(), best > clarity else { return nil }
        // Two periods are as much alike as one: the shortest of the good ones counts.
        guard let lag = peaks.first(where: { likeness[$0] > 0.95 * best }) else { return nil }
        // Between frames, by the parabola through the three values around the peak.
        let (left, top, right) = (Double(likeness[lag - 1]), Double(likeness[lag]), Double(likeness[lag + 1]))
        return rate / (Double(lag) + 0.5 * (left - right) / (left - 2 * top + right))
    }

    /// The place on the keyboard, in semitones; 69 is A4.
    static func key(of frequency: Double) -> Double { 69 + 12 * log2(frequency / 440) }
    static func frequency(of key: Double) -> Double { 440 * pow(2, (key - 69) / 12) }
}
