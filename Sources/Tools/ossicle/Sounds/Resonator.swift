import OssicleCore

/// A digital resonator with unity gain at 0 Hz: y = a·x + b·y₋₁ + c·y₋₂ (Klatt 1980, equation 1).
struct Resonator {
    private var a = 1.0, b = 0.0, c = 0.0
    private var y1 = 0.0, y2 = 0.0

    /// - Parameters: centre and −3 dB bandwidth in Hz.
    mutating func tune(frequency: Double, bandwidth: Double, sampleRate: Double) {
        let radius = DeterministicMath.exp(-DeterministicMath.pi * bandwidth / sampleRate)
        c = -radius * radius
        b = 2 * radius * DeterministicMath.cos(2 * DeterministicMath.pi * frequency / sampleRate)
        a = 1 - b - c
    }

    mutating func process(_ x: Double) -> Double {
        let y = a * x + b * y1 + c * y2
        (y2, y1) = (y1, y)
        return y
    }
}
