import OssicleDSP

/// Convolution of one long signal with one or several responses by transforms (overlap-add, with partitions where the
/// responses are long). Sums are taken partition after partition and block after block: the same bits everywhere.
package struct FastConvolution: ~Copyable, Sendable {
    private let transform: RealFourierTransform
    /// Samples of a block, and of a partition.
    private let step: Int
    /// By response and partition.
    private let spectra: [[Spectrum]]
    private let longest: Int

    private struct Spectrum: Sendable {
        var real: [Float]
        var imaginary: [Float]

        init(bins: Int) {
            (real, imaginary) = ([Float](repeating: 0, count: bins), [Float](repeating: 0, count: bins))
        }
    }

    /// - Parameter responses: one or more, of any lengths.
    package init(_ responses: [[Float]]) {
        longest = responses.map(\.count).max() ?? 0
        var step = 512
        while step < longest, 2 * step < FourierTransform.largestCount { step *= 2 }
        self.step = step
        let transform = RealFourierTransform(count: 2 * step)
        spectra = responses.map { response in
            stride(from: 0, to: response.count, by: step).map { start in
                var block = [Float](repeating: 0, count: 2 * step)
                let end = min(start + step, response.count)
                block.replaceSubrange(0..<end - start, with: response[start..<end])
                var spectrum = Spectrum(bins: step + 1)
                transform.forward(block, real: &spectrum.real, imaginary: &spectrum.imaginary)
                return spectrum
            }
        }
        self.transform = transform
    }

    /// The signal through each response: `signal.count` + the longest response − 1 samples each.
    package func apply(to signal: [Float]) -> [[Float]] {
        guard !signal.isEmpty, longest > 0 else { return spectra.map { _ in [] } }
        let count = signal.count + longest - 1
        var outputs = [[Float]](repeating: [Float](repeating: 0, count: count), count: spectra.count)
        var (input, product) = (Spectrum(bins: step + 1), Spectrum(bins: step + 1))
        var (block, result) = ([Float](repeating: 0, count: 2 * step), [Float](repeating: 0, count: 2 * step))
        for start in stride(from: 0, to: signal.count, by: step) {
            let length = min(step, signal.count - start)
            block.replaceSubrange(0..<length, with: signal[start..<start + length])
            for index in length..<step { block[index] = 0 }
            transform.forward(block, real: &input.real, imaginary: &input.imaginary)
            for (response, partitions) in spectra.enumerated() {
                for (partition, spectrum) in partitions.enumerated() {
                    FastConvolution.multiply(input, spectrum, into: &product)
                    transform.inverse(real: &product.real, imaginary: &product.imaginary, signal: &result)
                    PlacedSignal(start: start + partition * step, samples: result).add(to: &outputs[response], gain: 1)
                }
            }
        }
        return outputs
    }

    private static func multiply(_ a: Spectrum, _ b: Spectrum, into product: inout Spectrum) {
        product.real.withUnsafeMutableBufferPointer { real in
            product.imaginary.withUnsafeMutableBufferPointer { imaginary in
                for bin in real.indices {
                    real[bin] = a.real[bin] * b.real[bin] - a.imaginary[bin] * b.imaginary[bin]
                    imaginary[bin] = a.real[bin] * b.imaginary[bin] + a.imaginary[bin] * b.real[bin]
                }
            }
        }
    }
}
