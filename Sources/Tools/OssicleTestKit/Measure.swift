import Foundation

/// Measurements on rendered sound. Levels in dB are 20·log₁₀ of amplitude; silence is −∞.
public enum Measure {
    public static func peak(_ signal: some Sequence<Float>) -> Float { signal.reduce(0) { max($0, $1.magnitude) } }

    public static func energy(_ signal: some Sequence<Float>) -> Double { signal.reduce(0) { $0 + Double($1) * Double($1) } }

    public static func rms(_ signal: some Collection<Float>) -> Double {
        signal.isEmpty ? 0 : (energy(signal) / Double(signal.count)).squareRoot()
    }

    public static func decibels(_ amplitudeRatio: Double) -> Double { 20 * log10(amplitudeRatio) }

    /// Level of a full-scale reference of 1: dB of the RMS value.
    public static func level(_ signal: some Collection<Float>) -> Double { decibels(rms(signal)) }

    public static func isFinite(_ signal: some Sequence<Float>) -> Bool { signal.allSatisfy(\.isFinite) }

    /// Whether two signals are the same, bit for bit (−0 is not 0, a NaN equals itself).
    public static func sameBytes(_ a: [Float], _ b: [Float]) -> Bool { a.map(\.bitPattern) == b.map(\.bitPattern) }

    /// Largest |a − b| over the common length.
    public static func largestDifference(_ a: [Float], _ b: [Float]) -> Float { zip(a, b).reduce(0) { max($0, ($1.0 - $1.1).magnitude) } }

    /// Pearson correlation at lag zero, −1…1.
    public static func correlation(_ a: [Float], _ b: [Float]) -> Double {
        let cross = zip(a, b).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
        return cross / max((energy(a) * energy(b)).squareRoot(), .leastNormalMagnitude)
    }

    /// Largest second difference |x[n] − 2x[n−1] + x[n−2]|: a click stands out against a smooth signal's 2πf/fs squared.
    public static func largestKink(_ x: [Float]) -> Float {
        zip(zip(x, x.dropFirst()), x.dropFirst(2)).reduce(0) { max($0, ($1.0.0 - 2 * $1.0.1 + $1.1).magnitude) }
    }
}
