import Foundation
import OssicleAcoustics
import OssicleCore
@testable import OssicleResponses
@testable import OssicleTestSupport
import Testing

@Suite("Metrics") struct MetricsTests {
    @Test(
        "measured on responses are those of the energies in the mean of four seeds: T20 within 5 %, C80 within 1 dB, D50 within 0.05"
    )
    func agree() throws {
        let times = [1.3, 1.3, 1.2, 1.2, 1.1, 1.0, 1.0, 0.9, 0.8, 0.7]
        // Mirrors would interfere, which energies do not: here there are none.
        let acoustics = Rooms.acoustics(Rooms.box, from: Rooms.source, to: Rooms.listener, order: 0)
        var late = Rooms.decay(times, level: 0, binWidth: 0.002)
        // As in a room nothing comes for a while after the direct sound, with which noise would interfere.
        for bin in 0..<13 { late.bins[bin] = .zeros }
        let start = acoustics.direct.centreDistance / Medium().speedOfSound
        let metrics = RoomMetrics(
            SquaredResponse(direct: acoustics.direct, paths: acoustics.reflections, late: late, medium: Medium()))
        var time = [Double](repeating: 0, count: 10)
        var (clarity, definition) = ([Double](repeating: 0, count: 10), [Double](repeating: 0, count: 10))
        for seed in 1...4 as ClosedRange<UInt64> {
            let response = try ResponseSynthesiser(sampleRate: 48_000, seed: seed).response(
                [acoustics], late: LatePart(energy: late, start: start), listener: Pose(position: Rooms.listener),
                frameCount: 96_000)
            let measured = Measure.reverberationTimes(response.channels, bands: 2..<9, span: 20)
            let spectrum = Spectrum(of: response.channels[0], minimumCount: 100_800)
            for band in 2..<9 {
                time[band] += measured[band - 2] / 4
                let (filtered, _) = spectrum.filtered { Measure.octaveWeight(band, at: $0) }
                // What the filter spreads before the direct sound belongs to the beginning.
                func energy(until time: Double) -> Double {
                    filtered[..<min(Int((start + time) * 48_000), 96_000)].reduce(0) { $0 + $1 * $1 }
                }
                clarity[band] += 10 * log10(energy(until: 0.08) / (energy(until: 3) - energy(until: 0.08))) / 4
                definition[band] += energy(until: 0.05) / energy(until: 3) / 4
            }
        }
        for band in 2..<9 {
            #expect(
                abs(time[band] / Double(metrics.t20[band]) - 1) < 0.05,
                "band \(band): \(time[band]) s for \(metrics.t20[band]) s")
            #expect(
                abs(clarity[band] - Double(metrics.c80[band])) < 1,
                "band \(band): \(clarity[band]) dB, \(metrics.c80[band]) dB")
            #expect(
                abs(definition[band] - Double(metrics.d50[band])) < 0.05,
                "band \(band): \(definition[band]), \(metrics.d50[band])")
        }
    }

    @Test("a decay goes on where rays ran out of bounces, at its own rate and level")
    func continued() {
        let whole = Rooms.decay([Double](repeating: 1, count: 10))
        var cut = whole
        cut.completeBins = 75
        for bin in 75..<cut.bins.count { cut.bins[bin] = .zeros }
        let found = LatePart(energy: cut).continued(to: 3)
        #expect(found.energy.bins.count == 750)
        for bin in [80, 120, 240] {
            #expect(abs(found.energy.bins[bin][4] / whole.bins[bin][4] - 1) < 0.05, "bin \(bin)")
        }
        #expect(found.energy.bins[..<75] == whole.bins[..<75])
        #expect(LatePart(energy: whole).continued(to: 3).energy == whole)
        #expect(abs(found.end(below: 60) - 1) < 0.02)
    }
}
