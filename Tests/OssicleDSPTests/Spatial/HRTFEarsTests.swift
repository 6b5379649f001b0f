import Foundation
import OssicleCore
import OssicleDSP
import OssicleTestSupport
import Testing

/// What two ears hear of one wave between 170 and 1500 Hz.
private struct EarPair {
    /// Hz, and the cross spectrum left · right* there.
    private static let frequencies = stride(from: 180.0, through: 1500, by: 10).map { $0 }
    private let phases: [Double]
    private let ratios: [Double]

    init(_ head: HRTFFilters, _ direction: Vector) {
        let response = HeadResponse(head, SIMD3<Float>(direction))
        let lag = Double(response.delays.y - response.delays.x)
        func transform(_ taps: [Float], _ turn: Double) -> SIMD2<Double> {
            taps.enumerated().reduce(.zero) {
                $0 + SIMD2(cos(turn * Double($1.offset)), -sin(turn * Double($1.offset))) * Double($1.element)
            }
        }
        var (phases, ratios): ([Double], [Double]) = ([], [])
        for frequency in Self.frequencies {
            let turn = 2 * Double.pi * frequency / head.sampleRate
            let (l, r) = (transform(response.left, turn), transform(response.right, turn))
            phases.append(atan2(l.y * r.x - l.x * r.y, l.x * r.x + l.y * r.y) + turn * lag)
            ratios.append(10 * log10((l * l).sum() / (r * r).sum()))
        }
        (self.phases, self.ratios) = (phases, ratios)
    }

    /// Microseconds by which the left ear is earlier: the lag of the largest cross-correlation, all frequencies alike.
    func delay(_ range: ClosedRange<Double>) -> Double {
        let bins = Self.frequencies.indices.filter { range.contains(Self.frequencies[$0]) }
        func best(_ lags: StrideThrough<Double>) -> Double {
            var (found, most) = (Double.nan, -Double.infinity)
            for lag in lags {
                var sum = 0.0
                for bin in bins { sum += cos(phases[bin] - 2e-6 * Double.pi * Self.frequencies[bin] * lag) }
                if sum > most { (found, most) = (lag, sum) }
            }
            return found
        }
        let coarse = best(stride(from: -1000, through: 1000, by: 25))
        return best(stride(from: coarse - 25, through: coarse + 25, by: 1))
    }

    /// dB, left above right, in the mean of the octave of 250 Hz.
    var level: Double {
        let bins = Self.frequencies.indices.filter { Self.frequencies[$0] <= 250 * 2.0.squareRoot() }
        return bins.reduce(0.0) { $0 + ratios[$1] } / Double(bins.count)
    }
}

/// Against the measurement itself (`kemar-ears.csv`), at frequencies where the ear hears the phase.
@Suite("Between its ears the built-in head") struct HRTFEarsTests {
    private struct Row {
        let direction: Vector
        let azimuth, elevation, low, middle, level: Double
    }

    private static func rows() throws -> [Row] {
        try Table.load("kemar-ears.csv").rows.map {
            let (azimuth, elevation) = ($0.number("azimuth_deg_left"), $0.number("elevation_deg"))
            return Row(
                direction: HeadDirection.vector(azimuth: azimuth, elevation: elevation), azimuth: azimuth,
                elevation: elevation, low: $0.number("itd_250_400_us"), middle: $0.number("itd_200_1500_us"),
                level: $0.number("ild_250_db"))
        }
    }

    @Test("has the measurement's delay within 5 % and its level within 1 dB at 250 Hz", arguments: [44_100.0, 48_000])
    func low(rate: Double) throws {
        let head = try HRTFFilters(sampleRate: rate)
        for row in try Self.rows() where row.elevation == 0 {
            let pair = EarPair(head, row.direction)
            #expect(abs(pair.delay(250...400) - row.low) <= max(0.05 * row.low, 2), "\(row.azimuth)°")
            #expect(abs(pair.level - row.level) < 1, "\(row.azimuth)°: \(pair.level) dB for \(row.level)")
        }
    }

    @Test("has a delay that rises with the angle from the front to the side, degree by degree")
    func rising() throws {
        let head = try HRTFFilters(sampleRate: 48_000)
        for range in [250.0...400, 200...1500] {
            var last = -1.0
            for azimuth in stride(from: 0.0, through: 85, by: 1) {
                let pair = EarPair(head, HeadDirection.vector(azimuth: azimuth, elevation: 0))
                let delay = pair.delay(range)
                #expect(delay >= last, "\(azimuth)°: \(delay) µs behind \(last)")
                last = delay
            }
        }
    }

    @Test("has the cross-correlated delay of every measured direction within 10 µs, 3 µs on average")
    func measured() throws {
        let head = try HRTFFilters(sampleRate: 44_100)
        let errors = try Self.rows().map { abs(EarPair(head, $0.direction).delay(200...1500) - $0.middle) }
        let mean = errors.reduce(0, +) / Double(errors.count)
        print("delay between the ears, measured directions: \(mean) µs mean, \(errors.max() ?? 0) µs worst")
        #expect(mean < 3 && errors.allSatisfy { $0 < 10 })
    }

    @Test("has it within 10 µs on average where every second azimuth of the measurement is held out")
    func heldOut() throws {
        let rows = try Self.rows()
        let rings = Dictionary(grouping: rows.filter { $0.azimuth > 0 && $0.azimuth < 180 }) { $0.elevation }
        let heldOut = rings.values.flatMap { ring in
            ring.sorted { $0.azimuth < $1.azimuth }.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        }
        var data = try HRTFData.kemar(for: 44_100)
        data.directions.removeAll { direction in heldOut.contains { $0.direction.dot(direction.vector) > 0.9999 } }
        #expect(data.directions.count + heldOut.count == 370)
        let head = HRTFFilters(data)
        let errors = heldOut.map { abs(EarPair(head, $0.direction).delay(200...1500) - $0.middle) }
        let mean = errors.reduce(0, +) / Double(errors.count)
        print(
            "delay between the ears, \(errors.count) directions held out: \(mean) µs mean, \(errors.max() ?? 0) µs worst"
        )
        #expect(mean < 10)
    }
}
