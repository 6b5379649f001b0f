import OssicleCore

/// The discrete Fourier transform of a power of two of complex numbers, in place, real and imaginary parts apart.
///
///     X[k] = Σ x[n]·e^(−2πi·kn/N);   the inverse divides by N
///
/// Radix 2, decimation in time (Cooley and Tukey 1965), twiddles from `DeterministicMath`; vectors run across
/// butterflies, so the order of every sum is that of the plain algorithm. Tables are made by init; `forward` and
/// `inverse` allocate nothing and may run on any thread, also at once.
package struct FourierTransform: ~Copyable, Sendable {
    private typealias Group = SIMD8<Float>
    package static let largestCount = 65_536

    /// N, a power of two from 1 to 65 536.
    package let count: Int
    /// Twiddles of every stage one after the other: half 1, 2, 4 … N/2.
    private let cosines: SampleMemory
    private let sines: SampleMemory
    private let reversed: ReversalTable

    /// - Parameter count: rounded up to a power of two, at most `largestCount`.
    package init(count: Int) {
        var size = 1
        while size < min(count, FourierTransform.largestCount) { size *= 2 }
        self.count = size
        cosines = SampleMemory(count: size)
        sines = SampleMemory(count: size)
        reversed = ReversalTable(count: size)
        var half = 1
        while half < size {
            for k in 0..<half {
                let turn = DeterministicMath.sincos(-DeterministicMath.pi * Double(k) / Double(half))
                cosines[half + k] = Float(turn.cos)
                sines[half + k] = Float(turn.sin)
            }
            half *= 2
        }
    }

    package func forward(_ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>) {
        reversed.apply(real, imaginary)
        var half = 1
        while half < count {
            if half < Group.scalarCount { smallStage(half, real, imaginary) } else { stage(half, real, imaginary) }
            half *= 2
        }
    }

    /// The forward transform with the parts swapped, over N.
    package func inverse(_ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>) {
        forward(imaginary, real)
        let scale = 1 / Float(count)
        for i in 0..<count {
            real[i] *= scale
            imaginary[i] *= scale
        }
    }

    private func smallStage(_ half: Int, _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>)
    {
        var start = 0
        while start < count {
            for k in 0..<half {
                let (a, b) = (start + k, start + k + half)
                let (c, s) = (cosines[half + k], sines[half + k])
                let re = real[b] * c - imaginary[b] * s
                let im = real[b] * s + imaginary[b] * c
                (real[b], imaginary[b]) = (real[a] - re, imaginary[a] - im)
                (real[a], imaginary[a]) = (real[a] + re, imaginary[a] + im)
            }
            start += 2 * half
        }
    }

    private func stage(_ half: Int, _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>) {
        func load(_ p: UnsafeMutablePointer<Float>, _ i: Int) -> Group {
            UnsafeRawPointer(p + i).loadUnaligned(as: Group.self)
        }
        func store(_ v: Group, _ p: UnsafeMutablePointer<Float>, _ i: Int) {
            UnsafeMutableRawPointer(p + i).storeBytes(of: v, as: Group.self)
        }
        var start = 0
        while start < count {
            for k in stride(from: 0, to: half, by: Group.scalarCount) {
                let (a, b) = (start + k, start + k + half)
                let (c, s) = (load(cosines.pointer, half + k), load(sines.pointer, half + k))
                let (br, bi, ar, ai) = (load(real, b), load(imaginary, b), load(real, a), load(imaginary, a))
                let (re, im) = (br * c - bi * s, br * s + bi * c)
                store(ar - re, real, b)
                store(ai - im, imaginary, b)
                store(ar + re, real, a)
                store(ai + im, imaginary, a)
            }
            start += 2 * half
        }
    }
}

/// The discrete Fourier transform of N real numbers: bins 0 … N/2, real and imaginary parts apart.
///
/// Even samples become the real, odd ones the imaginary part of a complex transform of half the length, and one pass
/// takes the two spectra apart (Numerical Recipes, "FFT of real functions"). `forward` and `inverse` use the caller's
/// memory only and allocate nothing; any thread, also at once.
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
    package func forward(
        _ signal: UnsafePointer<Float>, real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>
    ) {
        let m = half.count
        for i in 0..<m {
            real[i] = signal[2 * i]
            imaginary[i] = signal[2 * i + 1]
        }
        half.forward(real, imaginary)
        let (even, odd) = (real[0], imaginary[0])
        (real[0], imaginary[0]) = (even + odd, 0)
        (real[m], imaginary[m]) = (even - odd, 0)
        // Bins k and m − k come out of the same pair: E + t·O and the conjugate of E − t·O, t = e^(−2πik/N), E and O
        // the spectra of even and odd samples.
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
    package func inverse(
        real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>, signal: UnsafeMutablePointer<Float>
    ) {
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

/// Which elements change places when the bits of an index are reversed.
struct ReversalTable: ~Copyable, @unchecked Sendable {
    private let pairs: UnsafeMutablePointer<SIMD2<UInt32>>
    private let pairCount: Int

    init(count: Int) {
        pairs = .allocate(capacity: max(count / 2, 1))
        var (found, j) = (0, 0)
        for i in 0..<count {
            if i < j {
                (pairs + found).initialize(to: SIMD2(UInt32(i), UInt32(j)))
                found += 1
            }
            var bit = count >> 1
            while bit > 0, j & bit != 0 { j ^= bit; bit >>= 1 }
            j |= bit
        }
        pairCount = found
    }

    deinit { pairs.deallocate() }

    func apply(_ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>) {
        for index in 0..<pairCount {
            let (i, j) = (Int(pairs[index].x), Int(pairs[index].y))
            (real[i], real[j]) = (real[j], real[i])
            (imaginary[i], imaginary[j]) = (imaginary[j], imaginary[i])
        }
    }
}
