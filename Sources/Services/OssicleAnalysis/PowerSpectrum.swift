import OssicleDSP

/// Squared magnitudes of the discrete Fourier transform of real frames, bins 0 … size/2.
package struct PowerSpectrum: ~Copyable {
    private let transform: FourierTransform

    /// - Parameter size: a power of two, at most `FourierTransform.largestCount`.
    package init(size: Int) { transform = FourierTransform(count: size) }

    /// The sum of the powers of two frames, which one transform takes as the real and the imaginary part of one:
    /// |Z(k)|² + |Z(N−k)|² = 2·(|X(k)|² + |Y(k)|²).
    ///
    /// - Parameter frame, other: `size` samples each; surplus ones are left out, missing ones are 0.
    package func power(of frame: [Float], and other: [Float] = []) -> [Float] {
        let size = transform.count
        var (real, imaginary) = (filled(frame), filled(other))
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { imaginary in
                guard let real = real.baseAddress, let imaginary = imaginary.baseAddress else { return }
                transform.forward(real, imaginary)
            }
        }
        return (0...size / 2).map { bin in
            let mirror = (size - bin) % size
            return
                (real[bin] * real[bin] + imaginary[bin] * imaginary[bin] + real[mirror] * real[mirror] + imaginary[
                    mirror] * imaginary[mirror]) / 2
        }
    }

    private func filled(_ frame: [Float]) -> [Float] {
        Array(frame.prefix(transform.count)) + [Float](repeating: 0, count: max(0, transform.count - frame.count))
    }
}
