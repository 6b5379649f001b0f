import COssicle
import OssicleCore

/// The filter loop of sound fields at the ears, and of delays at rest: y[i] = Σₖ taps[k]·x[i − k], k ascending, the
/// same bytes on every processor.
package enum HRTFConvolution {
    /// Frames are computed in groups of this many; memory is to be readable and writable up to the next multiple.
    package static let group = 16

    /// - Parameters:
    ///   - signal: `tapCount − 1` older samples, then the block. - output: overwritten.
    @inline(__always)
    package static func run(
        _ signal: UnsafePointer<Float>, _ taps: UnsafePointer<Float>, _ tapCount: Int,
        into output: UnsafeMutablePointer<Float>, _ frames: Int
    ) {
        #if arch(x86_64)
        ossicle_fir(signal, taps, tapCount, output, frames)
        #else
        plain(signal, taps, tapCount, into: output, frames)
        #endif
    }

    /// The same in Swift: for other processors, and to test the C version against.
    package static func plain(
        _ signal: UnsafePointer<Float>, _ taps: UnsafePointer<Float>, _ tapCount: Int,
        into output: UnsafeMutablePointer<Float>, _ frames: Int
    ) {
        var i = 0
        while i < frames {
            let newest = UnsafeRawPointer(signal + (i + tapCount - 1))
            var sum = SIMD16<Float>.zero
            var k = 0
            while k < tapCount {
                sum += (newest - 4 * k).loadUnaligned(as: SIMD16<Float>.self) * taps[k]
                k += 1
            }
            UnsafeMutableRawPointer(output + i).storeBytes(of: sum, as: SIMD16<Float>.self)
            i += group
        }
    }
}

/// The filter with a given magnitude and the least delay. Control side.
package enum MinimumPhase {
    /// Taps whose magnitude is e^`logMagnitudes`, given at equal steps from 0 Hz to half the sample rate, both
    /// included.
    static func taps(_ logMagnitudes: [Double], count: Int) -> [Float] {
        let half = logMagnitudes.count - 1
        guard half > 0, count > 0 else { return [] }
        let cosines = (0..<2 * half).map { DeterministicMath.cos(DeterministicMath.pi * Double($0) / Double(half)) }
        let cepstrum = (0..<min(count, half)).map { n in
            let ends = logMagnitudes[0] + logMagnitudes[half] * (n % 2 == 0 ? 1 : -1)
            return (1..<half).reduce(ends) { $0 + 2 * logMagnitudes[$1] * cosines[n * $1 % (2 * half)] }
                / Double(2 * half)
        }
        return taps(cepstrum: cepstrum, count: count).map { Float($0) }
    }

    /// Taps from the real cepstrum, the inverse transform of the logarithm of the magnitude.
    ///
    /// The cepstrum of a minimum-phase filter is causal, so its taps follow one from the other (Oppenheim and Schafer,
    /// *Discrete-Time Signal Processing*, complex cepstrum):  h₀ = e^c₀,  n·hₙ = Σ k·2c_k·h_{n−k}.
    package static func taps(cepstrum: [Double], count: Int) -> [Double] {
        guard let first = cepstrum.first, count > 0 else { return [] }
        let steps = cepstrum.enumerated().map { Double($0) * 2 * $1 }
        var taps = [Double](repeating: 0, count: count)
        taps[0] = DeterministicMath.exp(first)
        for n in 1..<max(count, 1) {
            var sum = 0.0
            var k = 1
            while k <= min(n, steps.count - 1) {
                sum += steps[k] * taps[n - k]
                k += 1
            }
            taps[n] = sum / Double(n)
        }
        return taps
    }
}
