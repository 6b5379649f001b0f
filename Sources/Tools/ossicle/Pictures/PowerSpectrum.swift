import OssicleDSP

/// Squared magnitudes of the discrete Fourier transform of real frames, bins 0 … size/2.
struct PowerSpectrum: ~Copyable {
    private let transform: FourierTransform

    /// - Parameter size: a power of two, at most `FourierTransform.largestCount`.
    init(size: Int) { transform = FourierTransform(count: size) }

    /// - Parameter frame: `size` samples; surplus ones are left out, missing ones are 0.
    func power(of frame: [Float]) -> [Float] {
        let size = transform.count
        var real = Array(frame.prefix(size)) + [Float](repeating: 0, count: max(0, size - frame.count))
        var imaginary = [Float](repeating: 0, count: size)
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { imaginary in
                guard let real = real.baseAddress, let imaginary = imaginary.baseAddress else { return }
                transform.forward(real, imaginary)
            }
        }
        return (0...size / 2).map { real[$0] * real[$0] + imaginary[$0] * imaginary[$0] }
    }
}
