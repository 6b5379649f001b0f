import Foundation

/// A plain radix-2 Fourier transform in double precision, kept apart from the engine's so that one can test the other.
public struct Spectrum: Sendable {
    public var real: [Double]
    public var imaginary: [Double]
    public let sampleRate: Double

    /// Spectrum of a signal, padded with zeros to a power of two (at least `minimumCount`). Bin k lies at
    /// k·sampleRate/count Hz. A second signal may ride along as the imaginary part, to be filtered at no cost; energies
    /// then are those of both.
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
        // Swapped parts make the forward transform the inverse.
        var (re, im) = (zip(imaginary, weights).map(*), zip(real, weights).map(*))
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
        let turns = (0..<max(n / 2, 1)).map {
            (cos(2 * .pi * Double($0) / Double(n)), -sin(2 * .pi * Double($0) / Double(n)))
        }
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

extension Measure {
    /// A sine found in a signal by least squares: offset + amplitude·sin(2πft + phase) + residual.
    public struct Tone: Sendable {
        public var frequency: Double
        public var amplitude: Double
        public var phase: Double
        /// RMS of what the sine and the offset leave over.
        public var residual: Double
        /// Tone over residual in dB: the signal-to-noise-and-distortion ratio.
        public var signalToNoise: Double { Measure.decibels(amplitude / 2.0.squareRoot() / residual) }
    }

    /// The tone of a known frequency (Hz), three-parameter sine fit of IEEE 1057.
    public static func tone(_ frequency: Double, in signal: [Float], sampleRate: Double = 48000) -> Tone {
        let w = 2 * .pi * frequency / sampleRate
        let fit = leastSquares(signal, [{ sin(w * $0) }, { cos(w * $0) }, { _ in 1 }])
        return Tone(
            frequency: frequency, amplitude: hypot(fit.weights[0], fit.weights[1]),
            phase: atan2(fit.weights[1], fit.weights[0]), residual: fit.residual)
    }

    /// Gain in dB at one frequency between a system's input and output; skip what is not settled with `from`.
    public static func gain(
        at frequency: Double, from input: [Float], to output: [Float], sampleRate: Double = 48000, skip: Int = 0
    ) -> Double {
        let (a, b) = (
            tone(frequency, in: Array(input.dropFirst(skip)), sampleRate: sampleRate),
            tone(frequency, in: Array(output.dropFirst(skip)), sampleRate: sampleRate)
        )
        return decibels(b.amplitude / a.amplitude)
    }

    /// The tone near a frequency, its pitch refined by Gauss–Newton (four-parameter sine fit of IEEE 1057). The start
    /// must lie within about half a period over the signal's length of the truth.
    public static func pitch(near frequency: Double, in signal: [Float], sampleRate: Double = 48000) -> Tone {
        var found = tone(frequency, in: signal, sampleRate: sampleRate)
        for _ in 0..<12 {
            let w = 2 * .pi * found.frequency / sampleRate
            let middle = Double(signal.count) / 2
            let (s, c) = (found.amplitude * cos(found.phase), found.amplitude * sin(found.phase))
            let fit = leastSquares(
                signal,
                [{ sin(w * $0) }, { cos(w * $0) }, { _ in 1 }, { ($0 - middle) * (s * cos(w * $0) - c * sin(w * $0)) }])
            let step = fit.weights[3] * sampleRate / (2 * .pi)
            found = tone(found.frequency + step, in: signal, sampleRate: sampleRate)
            if abs(step) < 1e-9 * found.frequency { break }
        }
        return found
    }

    /// Weights of the basis functions of the sample index that leave the least squared residual (normal equations).
    private static func leastSquares(
        _ signal: [Float], _ basis: [(Double) -> Double]
    ) -> (weights: [Double], residual: Double) {
        let n = basis.count
        var matrix = [[Double]](repeating: [Double](repeating: 0, count: n + 1), count: n)
        for (index, sample) in signal.enumerated() {
            let row = basis.map { $0(Double(index)) }
            for i in 0..<n {
                for j in 0..<n { matrix[i][j] += row[i] * row[j] }
                matrix[i][n] += row[i] * Double(sample)
            }
        }
        for i in 0..<n where matrix[i][i] != 0 {
            for k in 0..<n where k != i {
                let factor = matrix[k][i] / matrix[i][i]
                for j in i...n { matrix[k][j] -= factor * matrix[i][j] }
            }
        }
        let weights = (0..<n).map { matrix[$0][$0] == 0 ? 0 : matrix[$0][n] / matrix[$0][$0] }
        let squares = signal.enumerated().reduce(0.0) { sum, item in
            let error = Double(item.element) - zip(weights, basis).reduce(0) { $0 + $1.0 * $1.1(Double(item.offset)) }
            return sum + error * error
        }
        return (weights, (squares / Double(max(signal.count, 1))).squareRoot())
    }
}
