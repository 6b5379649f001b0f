import Foundation

/// A plain radix-2 Fourier transform in double precision, kept apart from the engine's so that one can test the other.
public struct Spectrum: Sendable {
    public var real: [Double]
    public var imaginary: [Double]
    public let sampleRate: Double

    /// Spectrum of a signal, padded with zeros to a power of two (at least `minimumCount`). Bin k lies at k·sampleRate/count Hz.
    /// A second signal may ride along as the imaginary part, to be filtered at no cost; energies then are those of both.
    public init(of signal: [Float], and second: [Float] = [], sampleRate: Double = 48000, minimumCount: Int = 2) {
        var count = 2
        while count < max(signal.count, second.count, minimumCount) { count *= 2 }
        real = signal.map(Double.init) + [Double](repeating: 0, count: count - signal.count)
        imaginary = second.map(Double.init) + [Double](repeating: 0, count: count - second.count)
        self.sampleRate = sampleRate
        Spectrum.transform(&real, &imaginary)
    }

    public var count: Int { real.count }
    public func frequency(_ bin: Int) -> Double { Double(min(bin, count - bin)) * sampleRate / Double(count) }
    public func energy(_ bin: Int) -> Double { real[bin] * real[bin] + imaginary[bin] * imaginary[bin] }

    /// Σ|X|²/count over the bins in [low, high) Hz, both sides: the signal's energy in that band (Parseval).
    public func energy(from low: Double, to high: Double) -> Double {
        (0..<count).reduce(0) { sum, bin in
            let f = frequency(bin)
            return f >= low && f < high ? sum + energy(bin) : sum
        } / Double(count)
    }

    /// The time signals after each bin is multiplied by `weight(frequency)`; the filter is zero phase.
    public func filtered(by weight: (Double) -> Double) -> (first: [Double], second: [Double]) {
        let weights = (0..<count).map { weight(frequency($0)) / Double(count) }
        var (re, im) = (zip(imaginary, weights).map(*), zip(real, weights).map(*))     // swapped parts make the forward transform the inverse
        Spectrum.transform(&re, &im)
        return (im, re)
    }

    /// In place, count a power of two: X[k] = Σ x[n]·e^(−2πi·kn/count).
    public static func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
        let n = real.count
        var j = 0
        for i in 1..<max(n, 1) {
            var bit = n >> 1
            while j & bit != 0 { j ^= bit; bit >>= 1 }
            j ^= bit
            if i < j { real.swapAt(i, j); imaginary.swapAt(i, j) }
        }
        let turns = (0..<max(n / 2, 1)).map { (cos(2 * .pi * Double($0) / Double(n)), -sin(2 * .pi * Double($0) / Double(n))) }
        var half = 1
        while half < n {
            let stride = n / (2 * half)
            for start in Swift.stride(from: 0, to: n, by: 2 * half) {
                for k in 0..<half {
                    let (c, s) = turns[k * stride]
                    let (a, b) = (start + k, start + k + half)
                    let (re, im) = (real[b] * c - imaginary[b] * s, real[b] * s + imaginary[b] * c)
                    (real[b], imaginary[b]) = (real[a] - re, imaginary[a] - im)
                    (real[a], imaginary[a]) = (real[a] + re, imaginary[a] + im)
                }
            }
            half *= 2
        }
    }
}
