import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleDSP
@testable import OssicleResponses
import Testing

/// ISO 9613-1 between the octaves' centres too, within 2 % or 0.1 dB.
@Suite("The air along a path") struct AirTests {
    private static let media = [
        Medium(), Medium(temperature: 27, humidity: 35, pressure: 95), Medium(temperature: 10, humidity: 70),
    ]
    private static let distances = [1.0, 5, 12, 31, 60, 100]
    private static let frequencies = [
        250.0, 500, 800, 1000, 1500, 2000, 3150, 4000, 5000, 6300, 8000, 9000, 10_000, 11_300, 12_500, 14_000, 16_000,
    ]

    private func expect(_ taps: [Float], _ medium: Medium, _ distance: Double, _ rate: Double, gain: Double = 1) {
        for frequency in Self.frequencies {
            let wanted = medium.absorption.attenuation(frequency: frequency) * distance
            let found = 20 * log10(gain) - PathTests.level(taps, at: frequency, rate)
            #expect(
                abs(found - wanted) < max(0.02 * wanted, 0.1),
                "\(frequency) Hz after \(distance) m at \(rate): \(found) dB for \(wanted)")
        }
    }

    @Test("is at every frequency what the standard says, in a response", arguments: media)
    func response(medium: Medium) throws {
        for distance in Self.distances {
            let direct = Rooms.direct(from: Vector(0, 0, -distance), to: .zero)
            let response = try ResponseSynthesiser(sampleRate: 48_000, medium: medium)
                .response([SourceAcoustics(direct: direct)], late: nil, listener: Pose(), frameCount: 20_000)
            expect(response.channels[0], medium, distance, 48_000, gain: 1 / distance)
        }
    }

    @Test(
        "is at every frequency what the standard says, in what an engine renders",
        arguments: [44_100.0, 48_000, 96_000])
    func taps(rate: Double) {
        for medium in Self.media {
            let filters = AirFilters(sampleRate: rate, attenuation: medium.absorption.attenuation(frequency:))
            for distance in Self.distances {
                let filter = filters.filter(distance: distance)
                var design = BandEqualizerDesign.solve(filter.rest, sampleRate: rate)
                design.air = filter.taps
                var equalizer = BandEqualizer()
                equalizer.setTarget(design, frames: 0)
                var sound = [Float](repeating: 0, count: 8192)
                sound[0] = 1
                sound.withUnsafeMutableBufferPointer { buffer in
                    guard let sound = buffer.baseAddress else { return }
                    equalizer.process(from: sound, to: sound, buffer.count)
                }
                expect(sound, medium, distance, rate)
            }
        }
    }

    @Test("up to twenty metres needs no octave bands, and none at all where it takes nothing")
    func near() {
        let filters = AirFilters(sampleRate: 48_000, attenuation: Medium().absorption.attenuation(frequency:))
        #expect(filters.filter(distance: 20).rest == .ones)
        for distance in [0, 0.1, -3, Double.nan, .infinity] {
            #expect(filters.filter(distance: distance) == (AirFilters.clear, .ones))
        }
        let far = filters.filter(distance: 5000)
        #expect(far.rest.values.allSatisfy { $0.isFinite && $0 >= 0 } && far.taps.max() < 1)
    }
}
