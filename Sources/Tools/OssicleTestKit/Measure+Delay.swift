import Foundation

extension Measure {
    /// Index of the first sample louder than `threshold` times the peak; nil in silence.
    public static func onset(of signal: [Float], threshold: Float = 0.1) -> Int? {
        let limit = peak(signal) * threshold
        return limit > 0 ? signal.firstIndex { $0.magnitude >= limit } : nil
    }

    /// How many frames `later` lags behind `earlier` (negative: leads), to about a thousandth of a frame: the peak of the band-limited
    /// cross-correlation, searched over ±`range` frames.
    public static func delay(of later: [Float], after earlier: [Float], range: Int) -> Double {
        let count = max(later.count, earlier.count) + range + 1
        let (x, y) = (Spectrum(of: earlier, minimumCount: count), Spectrum(of: later, minimumCount: count))
        let n = x.count
        let re = (0..<n).map { x.real[$0] * y.real[$0] + x.imaginary[$0] * y.imaginary[$0] }
        let im = (0..<n).map { x.real[$0] * y.imaginary[$0] - x.imaginary[$0] * y.real[$0] }
        var (a, b) = (im, re)                                            // swapped parts make the forward transform the inverse
        Spectrum.transform(&a, &b)
        let coarse = (-range...range).max { b[($0 + n) % n] < b[($1 + n) % n] } ?? 0
        func correlation(_ lag: Double) -> Double {
            (1..<n / 2).reduce(0) { sum, k in
                let angle = 2 * .pi * Double(k) * lag / Double(n)
                return sum + re[k] * cos(angle) - im[k] * sin(angle)
            }
        }
        var (low, high) = (Double(coarse) - 1, Double(coarse) + 1)
        for _ in 0..<24 {
            let (left, right) = (low + (high - low) / 3, high - (high - low) / 3)
            if correlation(left) < correlation(right) { low = left } else { high = right }
        }
        return (low + high) / 2
    }
}
