import OssicleCore

/// The discrete Fourier transform of a power of two of complex numbers, in place, real and imaginary parts apart.
///
///     X[k] = Σ x[n]·e^(−2πi·kn/N);   the inverse divides by N
///
/// Radix 2, decimation in time (Cooley and Tukey 1965), twiddles from `DeterministicMath`; vectors run across butterflies, so
/// the order of every sum is that of the plain algorithm. Tables are made by init; `forward` and `inverse` allocate nothing and
/// may run on any thread, also at once.
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

    private func smallStage(_ half: Int, _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>) {
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
        func load(_ p: UnsafeMutablePointer<Float>, _ i: Int) -> Group { UnsafeRawPointer(p + i).loadUnaligned(as: Group.self) }
        func store(_ v: Group, _ p: UnsafeMutablePointer<Float>, _ i: Int) { UnsafeMutableRawPointer(p + i).storeBytes(of: v, as: Group.self) }
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
