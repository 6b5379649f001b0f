import OssicleCore

/// Gaussian noise with the spectrum of an octave curve, that goes on for as long as is wanted.
package struct NoiseSpectrum: Sendable, Hashable {
    /// Amplitude density of each band, re the loudest.
    private let gains: OctaveBands

    /// - Parameter density: dB of power per hertz at the octave centres 31.5 Hz … 16 kHz, up to a constant; straight
    ///   lines over the logarithm of frequency between them, but for a ripple of 0.2 dB.
    package init(density: [Double]) {
        let loudest = density.max() ?? 0
        gains = OctaveBands(density.map { Float(Decibels.amplitude($0 - loudest)) })
    }

    package static let white = NoiseSpectrum(density: Array(repeating: 0, count: OctaveBands.count))
    /// The same power in each octave.
    package static let pink = NoiseSpectrum(density: (0..<OctaveBands.count).map { -3.0103 * Double($0) })
    /// Male speech of IEC 60268-16:2011, whose octave levels from 125 Hz to 8 kHz are 2.9, 2.9, −0.8, −6.8, −12.8,
    /// −18.8 and −24.8 dB re the whole A-weighted; 12 dB an octave fall below them and 6 dB above.
    package static let speech = NoiseSpectrum(
        density: [-21.1, -9.1, 2.9, 2.9, -0.8, -6.8, -12.8, -18.8, -24.8, -30.8].enumerated().map {
            $1 - 3.0103 * Double($0)
        })

    /// `count` samples of a mean square of about 1.
    /// - Parameter random: other numbers are other noise.
    package func samples(_ random: CounterRandom, count: Int, sampleRate: Double) -> [Float] {
        let filter = PathFilter.shared(sampleRate: sampleRate).signal(gains, at: 0).samples
        let energy = filter.reduce(0.0) { $0 + Double($1) * Double($1) }
        guard count > 0, energy > 0 else { return [Float](repeating: 0, count: max(count, 0)) }
        let scale = Float(1 / energy.squareRoot())
        let white = BandNoise.gaussian(random, count: (count + filter.count + 1) / 2 * 2)
        let shaped = FastConvolution([filter.map { $0 * scale }]).apply(to: white)[0]
        // What comes before the filter is full is not stationary.
        return Array(shaped[(filter.count - 1)..<(filter.count - 1 + count)])
    }
}
