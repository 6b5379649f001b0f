import Foundation

/// The power of a sound in third-octave bands (IEC 61260-1, base ten: 1 kHz · 10^(n/10)), while it passes by.
package struct ThirdOctaves {
    /// Of the bands, Hz: 25 Hz … 20 kHz.
    package static let centres = (-16...13).map { 1000 * pow(10, Double($0) / 10) }
    /// As people call them.
    package static let nominal: [Double] = [
        25, 31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500, 3150,
        4000, 5000, 6300, 8000, 10_000, 12_500, 16_000, 20_000,
    ]
    private static let halfBand = pow(10, 0.05)

    private let spectrum: BandSpectrum

    package init(channelCount: Int, sampleRate: Double) {
        // Bins of 1.5 Hz at 48 kHz: the lowest band has four.
        var size = 4096
        while Double(size) < sampleRate * 0.6, size < 65_536 { size *= 2 }
        spectrum = BandSpectrum(
            bands: Self.centres.map { $0 / Self.halfBand...$0 * Self.halfBand }, size: size, step: nil,
            channelCount: channelCount, sampleRate: sampleRate)
    }

    /// Takes the next frames, one plane per channel.
    package func add(_ planes: [UnsafePointer<Double>], frames count: Int) { spectrum.add(planes, frames: count) }

    /// Mean square by band, mean over the channels; nil for bands that do not lie below half the sample rate. The last
    /// call.
    package func finish() -> [Double?] { spectrum.finish()[0] }
}
