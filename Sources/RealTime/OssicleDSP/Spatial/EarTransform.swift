import COssicle
import OssicleCore
import Synchronization

/// The Fourier transform in which binaural voices are filtered: both ears' signals as the real and the imaginary part
/// of one, and long enough that a quantum of frames comes out of it whole.
///
///     N ≥ taps − 1 + quantum          overlap-save: of N frames in, the last quantum is the convolution
///
/// Spectra stand in four parts of N/2 bins (see `ossicle_ears_add`). A plain handle to tables that live as long as the
/// process; any thread, but for `init`.
package struct EarTransform: BitwiseCopyable, @unchecked Sendable {
    /// N, a power of two.
    package let size: Int
    private let transform: UnsafePointer<FourierTransform>

    /// Control side.
    /// - Parameter tapCount: of the longest filter, 1 … 65 000.
    package init(tapCount: Int) {
        let least = max(tapCount, 1) - 1 + Grid.quantum
        transform = Self.made.withLock { transforms in
            if let index = transforms.firstIndex(where: { $0.pointee.count >= least && $0.pointee.count < 2 * least }) {
                return transforms[index]
            }
            let new = UnsafeMutablePointer<FourierTransform>.allocate(capacity: 1)
            new.initialize(to: FourierTransform(count: least))
            transforms.append(UnsafePointer(new))
            return UnsafePointer(new)
        }
        size = transform.pointee.count
    }

    private static let made = Mutex<[UnsafePointer<FourierTransform>]>([])

    /// Floats of one set of spectra.
    package var spectraCount: Int { 2 * size }
    /// Floats that `forward` and `inverse` need for each of the two parts of a transform.
    package var partCount: Int { size + 16 }

    /// The transform of N frames of both ears, in rings of N whose first frame is at `begin`, a multiple of a quantum.
    func forward(
        left: UnsafePointer<Float>, right: UnsafePointer<Float>, begin: Int, real: UnsafeMutablePointer<Float>,
        imaginary: UnsafeMutablePointer<Float>
    ) {
        transform.pointee.forward(fromReal: left, imaginary: right, begin: begin, real: real, imaginary: imaginary)
    }

    /// N frames of both ears from sums of filtered spectra.
    func inverse(
        _ spectra: UnsafePointer<Float>, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        ossicle_ears_together(spectra, size, left, right)
        // With its parts swapped, the forward transform is the inverse one, but for the scale, which the filters have.
        transform.pointee.forward(right, left)
    }

    /// The spectra of two filters, scaled so that what is multiplied by them comes out of `inverse` as large as it was.
    /// - Parameter scratch: twice `partCount` floats.
    func filter(
        left: UnsafePointer<Float>, right: UnsafePointer<Float>, tapCount: Int,
        into spectra: UnsafeMutablePointer<Float>, scratch: UnsafeMutablePointer<Float>
    ) {
        let (real, imaginary) = (scratch, scratch + partCount)
        let taps = min(tapCount, size - Grid.quantum + 1)
        real.update(repeating: 0, count: 2 * partCount)
        real.update(from: left, count: taps)
        imaginary.update(from: right, count: taps)
        transform.pointee.forward(real, imaginary)
        ossicle_ears_apart(real, imaginary, size, 0.25 / Float(size), spectra)
    }
}
