import Foundation
import OssicleResponses
import OssicleTestSupport
import Testing

@testable import OssicleAnalysis

@Suite("Band filters and powers of bands") struct BandFilterTests {
    private static let rate = 48_000.0

    private static func level(_ samples: some Collection<Double>) -> Double {
        10 * log10(samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count))
    }

    private static func sine(_ frequency: Double, _ count: Int = 48_000) -> [Double] {
        (0..<count).map { sin(2 * .pi * frequency * Double($0) / rate) }
    }

    @Test(
        "a tone loses what two passes of eighth order take: 0.03 dB in the middle, 3 dB at an edge, 90 dB an octave outside",
        arguments: [250.0, 1000, 4000])
    func tones(centre: Double) {
        let filter = BandFilter(centre / 2.0.squareRoot()...centre * 2.0.squareRoot(), sampleRate: Self.rate)
        // The analogue prototype; the bilinear transform lets higher frequencies fall faster, at 4 kHz by some
        // hundredths of a decibel.
        let angle = Double.pi / 16, whole = angle / sin(angle), share = 1 - 1.0 / 16
        func expected(_ frequency: Double) -> Double {
            let high = frequency / (centre * 2.0.squareRoot() / (whole * share))
            let low = (centre / 2.0.squareRoot() / (whole * (2 - share))) / frequency
            return -20 * log10(1 + pow(high, 16)) - 20 * log10(1 + pow(low, 16))
        }
        for frequency in [centre, centre * 1.2, centre / 1.2, centre * 2.0.squareRoot(), centre / 2.0.squareRoot()] {
            let found = Self.level(filter.filtered(Self.sine(frequency))[12_000..<36_000])
            #expect(abs(found + 3.0103 - expected(frequency)) < (centre > 2000 ? 0.6 : 0.05), "\(frequency) Hz")
        }
        for frequency in [centre * 2.0.squareRoot() * 2, centre / 2.0.squareRoot() / 2] {
            #expect(Self.level(filter.filtered(Self.sine(frequency))[12_000..<36_000]) < -85, "\(frequency) Hz")
        }
    }

    @Test("white noise keeps the power of the ideal band, and an impulse stays where it is")
    func noise() throws {
        let noise = Signal.noise(count: 480_000, seed: 7).map(Double.init)
        for (low, high) in [(500.0, 2000.0), (2000, 8000)] {
            let expected = 10 * log10((high - low) / 24_000 / 3)
            let found = Self.level(BandFilter(low...high, sampleRate: Self.rate).filtered(noise))
            // The power of B Hz of noise in 10 s scatters by 4.3/√(10·B) dB.
            #expect(abs(found - expected) < 4 * 4.3 / (10 * (high - low)).squareRoot() + 0.02)
        }
        let response = BandFilter(500...2000, sampleRate: Self.rate).filtered(
            Signal.impulse(count: 9601, at: 4800).map(Double.init))
        let peak = try #require(response.indices.max { abs(response[$0]) < abs(response[$1]) })
        #expect(peak == 4800)
        #expect((1...400).allSatisfy { abs(response[4800 - $0] - response[4800 + $0]) < 1e-9 })
    }

    @Test("steps have the power of the sound in them, and all bands together its mean square")
    func steps() throws {
        // A second of 1 kHz at 0.5, a second of silence, a second of 4 kHz at 0.25.
        let sound =
            Self.sine(1000).map { $0 * 0.5 } + Array(repeating: 0, count: 48_000) + Self.sine(4000).map { $0 * 0.25 }
        let spectrum = BandSpectrum(
            bands: [700...1400, 2800...5600, 30_000...40_000], size: 4096, step: 48_000, channelCount: 1,
            sampleRate: Self.rate)
        for start in stride(from: 0, to: sound.count, by: 7000) {
            let piece = Array(sound[start..<min(start + 7000, sound.count)])
            piece.withUnsafeBufferPointer { spectrum.add([$0.baseAddress!], frames: piece.count) }
        }
        let steps = spectrum.finish()
        #expect(steps.count == 3)
        // A window is 85 ms wide: up to a twentieth of a step may count in its neighbour.
        #expect(abs(10 * log10((steps[0][0] ?? 0) / 0.125)) < 0.2)
        #expect(abs(10 * log10((steps[2][1] ?? 0) / 0.03125)) < 0.2)
        #expect((steps[1][0] ?? 1) < 0.125 * 0.05 && (steps[0][1] ?? 1) < 1e-4)
        #expect(steps[0][2] == nil)
        let total = steps.reduce(0) { $0 + ($1[0] ?? 0) + ($1[1] ?? 0) }
        #expect(abs(total / 0.15625 - 1) < 0.01)
    }
}
