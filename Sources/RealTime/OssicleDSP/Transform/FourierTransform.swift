import COssicle
import OssicleCore

/// The discrete Fourier transform of a power of two of complex numbers, in place, real and imaginary parts apart.
///
///     X[k] = Σ x[n]·e^(−2πi·kn/N);   the inverse divides by N
///
/// Radix 2, decimation in time (Cooley and Tukey 1965), twiddles from `DeterministicMath`. The kernel takes several
/// stages in one pass over memory and vectors across butterflies; every element goes through the operations of the
/// plain algorithm in their order. Tables are made by init; `forward` and `inverse` allocate nothing and may run on any
/// thread, also at once.
package struct FourierTransform: ~Copyable, Sendable {
    package static let largestCount = 65_536

    /// N, a power of two from 1 to 65 536.
    package let count: Int
    /// Twiddles of every stage one after the other: half 1, 2, 4 … N/2.
    private let cosines: SampleMemory
    private let sines: SampleMemory
    private let reversed: ReversalTable
    /// Places of the columns of eight, for `ossicle_fourier_from`.
    private let columns: OwnedMemory<UInt32>

    /// - Parameter count: rounded up to a power of two, at most `largestCount`.
    package init(count: Int) {
        var size = 1
        while size < min(count, FourierTransform.largestCount) { size *= 2 }
        self.count = size
        cosines = SampleMemory(count: size)
        sines = SampleMemory(count: size)
        reversed = ReversalTable(count: size)
        columns = OwnedMemory(count: size / 8, 0)
        let bits = max(size / 8, 1).trailingZeroBitCount
        for column in 0..<columns.count {
            columns.pointer[column] = (0..<bits).reduce(0) { $0 | UInt32(column >> $1 & 1) << UInt32(bits - 1 - $1) }
        }
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
        guard
            ossicle_fourier_in_place(real, imaginary, cosines.pointer, sines.pointer, columns.pointer, count) == 0
        else { return }
        reversed.apply(real, imaginary)
        ossicle_fourier(real, imaginary, cosines.pointer, sines.pointer, count)
    }

    /// The same, into other memory than where the signal is, which may lie in rings of N.
    /// - Parameter begin: where in the rings the first number is, a multiple of 8.
    package func forward(
        fromReal: UnsafePointer<Float>, imaginary fromImaginary: UnsafePointer<Float>, begin: Int = 0,
        real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>
    ) {
        guard count >= 64 else {
            for k in 0..<count {
                let place = (begin + k) & (count - 1)
                (real[k], imaginary[k]) = (fromReal[place], fromImaginary[place])
            }
            return forward(real, imaginary)
        }
        ossicle_fourier_from(
            fromReal, fromImaginary, begin, real, imaginary, cosines.pointer, sines.pointer, columns.pointer, count)
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
        ossicle_deinterleave_pair(signal, real, imaginary, m)
        half.forward(real, imaginary)
        let (even, odd) = (real[0], imaginary[0])
        (real[0], imaginary[0]) = (even + odd, 0)
        (real[m], imaginary[m]) = (even - odd, 0)
        ossicle_take_spectra_apart(real, imaginary, cosines.pointer, sines.pointer, m)
    }

    /// `binCount` bins in (destroyed), N samples out. The imaginary parts of the first and last bin are taken as 0.
    package func inverse(
        real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>, signal: UnsafeMutablePointer<Float>
    ) {
        let m = half.count
        (real[0], imaginary[0]) = ((real[0] + real[m]) * 0.5, (real[0] - real[m]) * 0.5)
        ossicle_put_spectra_together(real, imaginary, cosines.pointer, sines.pointer, m)
        half.inverse(real, imaginary)
        ossicle_interleave_pair(real, imaginary, signal, m)
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
