import Foundation
import OssicleChannels
import OssicleCore
import OssicleDSP
import OssicleRender
import OssicleTestSupport
import Testing

@Suite("An environment's strip renders") struct EnvironmentTableTests {
    private let impulse = Signal.impulse(count: 64)

    @Test("equal-power panning with the tabulated gains, to 1e-6: pan is the lateral angle over 90°")
    func equalPower() throws {
        let sound = Signal.noise(count: 256)
        for row in try Table.load("equal-power-check.csv").rows {
            let bench = try StripBench([sound])
            bench.set { ($0.localiser, $0.direction) = (.equalPower, towards(-90 * row.number("pan"))) }
            let out = bench.render(256)
            #expect(Measure.largestDifference(out[0], sound.map { $0 * Float(row.number("left")) }) < 1e-6)
            #expect(Measure.largestDifference(out[1], sound.map { $0 * Float(row.number("right")) }) < 1e-6)
        }
    }

    @Test("all loudspeakers with the tabulated gains of pairs, to 1e-4")
    func pairs() throws {
        let layouts: [Set<Double>: SpeakerLayout] = [
            [30, -30]: .stereo, [0, 30]: .surround5_1, [30, 110]: .surround5_1, [110, -110]: .surround5_1,
            [30, 90]: .surround7_1, [90, 135]: .surround7_1,
        ]
        for row in try Table.load("vbap-pair-check.csv").rows {
            let (a, b) = (row.number("speaker1_az"), row.number("speaker2_az"))
            let layout = try #require(layouts[[a, b]])
            let bench = try StripBench([[1, 1, 1, 1]], outputs: layout)
            bench.set { ($0.localiser, $0.direction) = (.speakers, towards(row.number("source_az"))) }
            let out = bench.render(4)
            for (azimuth, gain) in [(a, "gain1"), (b, "gain2")] {
                let channel = try #require(layout.speakers.firstIndex { $0.azimuth == azimuth && !$0.isLFE })
                #expect(abs(Double(out[channel][3]) - row.number(gain)) < 1e-4, "\(a)/\(b) at \(row["source_az"])")
            }
        }
    }

    @Test(
        "a spherical head with Woodworth's delays between the ears, within 5 µs, far away and at 0.25 m",
        arguments: [44_100.0, 48_000, 96_000])
    func sphereDelays(rate: Double) throws {
        for row in try Table.load("itd-check.csv").rows {
            let direction = towards(row.number("azimuth_deg_left"), row.number("elevation_deg"))
            for (distance, column) in [(Float(2), "woodworth_us"), (0.25, "woodworth_r025m_us")] {
                let delay = try delayBetweenEars(.sphere, direction, distance: distance, rate: rate)
                #expect(abs(delay - row.number(column)) < 5, "\(row["azimuth_deg_left"])° at \(distance) m: \(delay)")
            }
        }
    }

    @Test("a spherical head with the exact sphere's levels, within 0.05 dB at every octave, far away and at 0.25 m")
    func sphereLevels() throws {
        for row in try Table.load("sphere-hrtf-check.csv").rows {
            let angle = row.number("incidence_angle_deg")
            let out = try response(.sphere, towards(90 - angle), distance: Float(row.number("source_distance_m")))
            for octave in [125, 250, 500, 1000, 2000, 4000, 8000, 16_000] {
                let level = level(out.left, Double(octave))
                #expect(
                    abs(level - row.number("mag_db_\(octave)")) < 0.05,
                    "\(row["source_distance_m"]) m, \(angle)°, \(octave) Hz: \(level) for \(row["mag_db_\(octave)"])")
            }
        }
    }

    /// The table's delays are lags of the largest correlation over all frequencies, which leap by up to 44 µs between
    /// directions 5° apart. The head has the delays of the measurement's phase below 1.5 kHz, which `HRTFEarsTests`
    /// hold within 10 µs.
    @Test(
        "a measured head with the measurement's lags within 40 µs and octave levels between the ears within 1 dB",
        arguments: [44_100.0, 48_000])
    func measuredHead(rate: Double) throws {
        let equalisation = try Table.load("kemar-diffuse-field.csv").rows.map {
            ($0.number("frequency_hz"), $0.number("level_db"))
        }
        let frequencies = stride(from: 300.0, to: 12_000, by: 43).map { $0 }
        // A level over an octave depends on the spectrum; undoing the equalisation gives the one the table was made
        // with.
        let weights = frequencies.map { f in
            let upper = equalisation.firstIndex { $0.0 > f } ?? equalisation.count - 1
            let ((f0, a), (f1, b)) = (equalisation[max(upper - 1, 0)], equalisation[upper])
            return pow(10, (a + (b - a) * (f - f0) / (f1 - f0)) / 10)
        }
        for row in try Table.load("kemar-check.csv").rows {
            let direction = towards(row.number("azimuth_deg_left"), row.number("elevation_deg"))
            let delay = try delayBetweenEars(.head, direction, distance: 2, rate: rate)
            #expect(abs(delay - row.number("itd_us")) < 40, "\(row["azimuth_deg_left"])°: \(delay)")
            let out = try response(.head, direction, distance: 2, rate: rate)
            let (left, right) = (
                frequencies.map { power(out.left, $0, rate) }, frequencies.map { power(out.right, $0, rate) }
            )
            for octave in [500, 1000, 2000, 4000, 8000] {
                let inside = frequencies.indices.filter { abs(log2(frequencies[$0] / Double(octave))) < 0.5 }
                let sum = { (power: [Double]) in inside.reduce(0.0) { $0 + weights[$1] * power[$1] } }
                #expect(
                    abs(10 * log10(sum(left) / sum(right)) - row.number("ild_\(octave)_db")) < 1,
                    "\(row["azimuth_deg_left"])°, \(octave) Hz")
            }
        }
    }

    @Test(
        "a spherical head whose ears, compared as they are, have Woodworth's delay within 7 µs: the shadow adds hardly any"
    )
    func broadbandDelays() throws {
        for row in try Table.load("itd-check.csv").rows {
            let out = try response(
                .sphere, towards(row.number("azimuth_deg_left"), row.number("elevation_deg")), distance: 2)
            let delay = Measure.delay(of: out.right, after: out.left, range: 64) / 48_000 * 1e6
            #expect(abs(delay - row.number("woodworth_us")) < 7, "\(row["azimuth_deg_left"])°: \(delay)")
        }
    }

    // MARK: Measuring

    private func response(
        _ localiser: EnvironmentInputRenderer.Localiser, _ direction: SIMD3<Float>, distance: Float,
        rate: Double = 48_000
    ) throws -> (left: [Float], right: [Float]) {
        let bench = try StripBench([impulse], sampleRate: rate)
        bench.set { ($0.localiser, $0.direction, $0.distance) = (localiser, direction, distance) }
        let out = bench.render(1024)
        return (out[0], out[1])
    }

    /// Microseconds by which the right ear hears later: the lag of each ear behind its own minimum-phase filter.
    private func delayBetweenEars(
        _ localiser: EnvironmentInputRenderer.Localiser, _ direction: SIMD3<Float>, distance: Float, rate: Double
    ) throws -> Double {
        let out = try response(localiser, direction, distance: distance, rate: rate)
        let (head, sphere) = (try HRTFFilters.shared(sampleRate: rate), SphereFilters.shared(sampleRate: rate))
        let count = localiser == .head ? head.tapCount : sphere.table.tapCount
        var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
        if localiser == .head {
            _ = head.table.interpolate(direction, left: &left, right: &right)
        } else {
            _ = sphere.table.interpolate(direction, distance: distance, left: &left, right: &right)
        }
        let lag = { (ear: [Float], taps: [Float]) in Measure.delay(of: ear, after: taps, range: 256) }
        return (lag(out.right, right) - lag(out.left, left)) / rate * 1e6
    }

    private func power(_ taps: [Float], _ frequency: Double, _ rate: Double) -> Double {
        var (re, im) = (0.0, 0.0)
        for (k, tap) in taps.enumerated() where tap != 0 {
            let angle = 2 * .pi * frequency / rate * Double(k)
            re += Double(tap) * cos(angle)
            im -= Double(tap) * sin(angle)
        }
        return re * re + im * im
    }

    private func level(_ taps: [Float], _ frequency: Double) -> Double { 10 * log10(power(taps, frequency, 48_000)) }
}
