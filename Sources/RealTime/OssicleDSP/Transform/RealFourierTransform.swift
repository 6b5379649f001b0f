import OssicleCore

/// The discrete Fourier transform of N real numbers: bins 0 … N/2, real and imaginary parts apart.
///
/// Even samples become the real, odd ones the imaginary part of a complex transform of half the length, and one pass takes
/// the two spectra apart (Numerical Recipes, "FFT of real functions"). `forward` and `inverse` use the caller's memory only and
/// allocate nothing; any thread, also at once.
package struct RealFourierTransform: ~Copyable, Sendable {
    /// N, a power of two from 2 to 65 536.
    package let count: Int
    /// N/2 + 1.
    package var binCount: Int { count / 2 + 1 }
    private let half: FourierTransform
    private let cosines: SampleMemory
    private let sines: SampleMemory

    /// - Parameter count: rounded up to a power of two, at most `FourierTransform.largestCount`.
    package init(count: Int) {
        half = FourierTransform(count: (min(max(count, 2), FourierTransform.largestCount) + 1) / 2)
        self.count = half.count * 2
        cosines = SampleMemory(count: half.count / 2 + 1)
        sines = SampleMemory(count: half.count / 2 + 1)
        for k in 0...(half.count / 2) {
            let turn = DeterministicMath.sincos(-DeterministicMath.pi * Double(k) / Double(half.count))
            cosines[k] = Float(turn.cos)
            sines[k] = Float(turn.sin)
        }
    }

    /// N samples in, `binCount` bins out.
    package func forward(_ signal: UnsafePointer<Float>, real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>) {
        let m = half.count
        for i in 0..<m {
            real[i] = signal[2 * i]
            imaginary[i] = signal[2 * i + 1]
        }
        half.forward(real, imaginary)
        let (even, odd) = (real[0], imaginary[0])
        (real[0], imaginary[0]) = (even + odd, 0)
        (real[m], imaginary[m]) = (even - odd, 0)
        // Bins k and m − k come out of the same pair: E + t·O and the conjugate of E − t·O, t = e^(−2πik/N), E and O the spectra of even and odd samples.
        for k in stride(from: 1, through: m / 2, by: 1) {
            let (a, b) = ((real[k], imaginary[k]), (real[m - k], imaginary[m - k]))
            let e = ((a.0 + b.0) * 0.5, (a.1 - b.1) * 0.5)
            let o = ((a.1 + b.1) * 0.5, (b.0 - a.0) * 0.5)
            let t = (o.0 * cosines[k] - o.1 * sines[k], o.0 * sines[k] + o.1 * cosines[k])
            (real[k], imaginary[k]) = (e.0 + t.0, e.1 + t.1)
            (real[m - k], imaginary[m - k]) = (e.0 - t.0, t.1 - e.1)
        }
    }

    /// `binCount` bins in (destroyed), N samples out. The imaginary parts of the first and last bin are taken as 0.
    package func inverse(real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>, signal: UnsafeMutablePointer<Float>) {
        let m = half.count
        (real[0], imaginary[0]) = ((real[0] + real[m]) * 0.5, (real[0] - real[m]) * 0.5)
        for k in stride(from: 1, through: m / 2, by: 1) {
            let (x, y) = ((real[k], imaginary[k]), (real[m - k], imaginary[m - k]))
            let e = ((x.0 + y.0) * 0.5, (x.1 - y.1) * 0.5)
            let t = ((x.0 - y.0) * 0.5, (x.1 + y.1) * 0.5)
            let o = (t.0 * cosines[k] + t.1 * sines[k], t.1 * cosines[k] - t.0 * sines[k])
            (real[k], imaginary[k]) = (e.0 - o.1, e.1 + o.0)
            (real[m - k], imaginary[m - k]) = (e.0 + o.1, o.0 - e.1)
        }
        half.inverse(real, imaginary)
        for i in 0..<m {
            signal[2 * i] = real[i]
            signal[2 * i + 1] = imaginary[i]
        }
    }
}
