import COssicle
import OssicleCore

/// The filter loop of the binaural voice: y[i] = Σₖ taps[k]·x[i − k], k ascending, the same bytes on every processor.
package enum HeadConvolution {
    /// Frames are computed in groups of this many; memory is to be readable and writable up to the next multiple.
    package static let group = 16

    /// - Parameters:
    ///   - signal: `tapCount − 1` older samples, then the block. - output: overwritten.
    @inline(__always)
    package static func run(_ signal: UnsafePointer<Float>, _ taps: UnsafePointer<Float>, _ tapCount: Int,
                            into output: UnsafeMutablePointer<Float>, _ frames: Int) {
        #if arch(x86_64)
        ossicle_fir(signal, taps, tapCount, output, frames)
        #else
        plain(signal, taps, tapCount, into: output, frames)
        #endif
    }

    /// The same signal through two filters.
    @inline(__always)
    package static func runPair(_ signal: UnsafePointer<Float>, _ taps: UnsafePointer<Float>, _ otherTaps: UnsafePointer<Float>, _ tapCount: Int,
                                into output: UnsafeMutablePointer<Float>, _ otherOutput: UnsafeMutablePointer<Float>, _ frames: Int) {
        #if arch(x86_64)
        ossicle_fir_pair(signal, taps, otherTaps, tapCount, output, otherOutput, frames)
        #else
        plain(signal, taps, tapCount, into: output, frames)
        plain(signal, otherTaps, tapCount, into: otherOutput, frames)
        #endif
    }

    /// The same in Swift: for other processors, and to test the C version against.
    package static func plain(_ signal: UnsafePointer<Float>, _ taps: UnsafePointer<Float>, _ tapCount: Int,
                              into output: UnsafeMutablePointer<Float>, _ frames: Int) {
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
