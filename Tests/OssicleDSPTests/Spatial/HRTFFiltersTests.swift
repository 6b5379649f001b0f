import Foundation
import OssicleCore
import OssicleDSP
import OssicleTestSupport
import Testing

@Suite("The built-in head") struct HRTFFiltersTests {
    @Test(
        "has the table's octave levels between the ears within 1 dB, and its delays as near as their two definitions are",
        arguments: [44_100.0, 48_000])
    func matchesTheMeasurement(rate: Double) throws {
        let head = try HRTFFilters(sampleRate: rate)
        let equalisation = try Table.load("kemar-diffuse-field.csv")
        let points = equalisation.rows.map { ($0.number("frequency_hz"), $0.number("level_db")) }
        // A level over an octave depends on the spectrum; undoing the equalisation gives the one the table was made
        // with.
        let frequencies = stride(from: 300.0, to: 12_000, by: 21.5).map { $0 }
        let weights = frequencies.map { f in
            let upper = points.firstIndex { $0.0 > f } ?? points.count - 1
            let ((f0, a), (f1, b)) = (points[max(upper - 1, 0)], points[upper])
            return pow(10, (a + (b - a) * (f - f0) / (f1 - f0)) / 10)
        }
        let spectrum = Spectrum(frequencies, sampleRate: rate, length: head.tapCount)
        for row in try Table.load("kemar-check.csv").rows {
            let response = HeadResponse(
                head, azimuth: row.number("azimuth_deg_left"), elevation: row.number("elevation_deg"))
            // The table's delay is that of the strongest frequencies, which leaps by one or two samples of 44.1 kHz
            // from direction to direction; the head has the delay of 200 to 1500 Hz (`HRTFEarsTests`).
            let delay = Double(response.delays.y - response.delays.x) / rate * 1e6
            #expect(abs(delay - row.number("itd_us")) < 40, "\(row["azimuth_deg_left"])°")
            let (left, right) = (spectrum.power(response.left), spectrum.power(response.right))
            for octave in [500, 1000, 2000, 4000, 8000] {
                let inside = frequencies.indices.filter { abs(log2(frequencies[$0] / Double(octave))) < 0.5 }
                let sum = { (power: [Double]) in inside.reduce(0.0) { $0 + weights[$1] * power[$1] } }
                let difference = 10 * log10(sum(left) / sum(right))
                #expect(
                    abs(difference - row.number("ild_\(octave)_db")) < 1, "\(row["azimuth_deg_left"])°, \(octave) Hz")
            }
        }
    }

    @Test(
        "hears a sound at the right 0.6 … 0.8 ms earlier, and louder, in the right ear",
        arguments: [22_050.0, 32_000, 44_100, 48_000, 88_200, 96_000])
    func right(rate: Double) throws {
        let response = HeadResponse(try HRTFFilters(sampleRate: rate), SIMD3(1, 0, 0))
        let seconds = Double(response.delays.x - response.delays.y) / rate
        #expect(seconds > 0.0006 && seconds < 0.0008)
        let energy = { (taps: [Float]) in taps.reduce(Float(0)) { $0 + $1 * $1 } }
        #expect(energy(response.right) > 4 * energy(response.left))
    }

    @Test("is its own mirror image, to the bit, and the median plane is the same in both ears")
    func mirror() throws {
        let head = try HRTFFilters(sampleRate: 48_000)
        for direction in sphereGrid(step: 3) {
            let response = HeadResponse(head, direction)
            let other = HeadResponse(head, SIMD3(-direction.x, direction.y, direction.z))
            #expect(response == other.mirrored, "\(direction)")
            if direction.x == 0 {
                #expect(response.left == response.right && response.delays.x == response.delays.y, "\(direction)")
            }
        }
    }

    @Test(
        "is flat within 0.4 dB up to 50 Hz in both ears, 0.5 dB between them", arguments: [44_100.0, 48_000, 96_000])
    func lowEnd(rate: Double) throws {
        let head = try HRTFFilters(sampleRate: rate)
        let spectrum = Spectrum([20, 30, 40, 50], sampleRate: rate, length: head.tapCount)
        for direction in sphereGrid(step: 15) {
            let response = HeadResponse(head, direction)
            for (left, right) in zip(spectrum.decibels(response.left), spectrum.decibels(response.right)) {
                #expect(abs(left) < 0.4 && abs(right) < 0.4 && abs(left - right) < 0.5, "\(direction)")
            }
        }
    }

    @Test("gives measured directions exactly")
    func measured() throws {
        let data = try HRTFData.kemar(for: 48_000)
        let head = HRTFFilters(data)
        for direction in data.directions {
            let response = HeadResponse(head, SIMD3<Float>(direction.vector))
            #expect(response.left == direction.left && response.right == direction.right, "\(direction.vector)")
            #expect(abs(response.delays.x - direction.delays.x * 48_000) < 1e-4)
        }
    }

    @Test("answers any direction with finite filters; none at all is the front")
    func anyDirection() throws {
        let head = try HRTFFilters(sampleRate: 48_000)
        for direction in sphereGrid(step: 2) {
            let response = HeadResponse(head, direction * 7)
            #expect(response.isFinite && response.delays.min() >= 0 && response.delays.max() < 60, "\(direction)")
        }
        let front = HeadResponse(head, SIMD3(0, 0, -1))
        #expect(front.delays.x == head.table.frontDelay)
        for direction: SIMD3<Float> in [.zero, SIMD3(.nan, 0, 0), SIMD3(0, .infinity, 1), SIMD3(1e-30, 0, 0)] {
            #expect(HeadResponse(head, direction) == front)
        }
        #expect(HeadResponse(head, SIMD3(1e30, 0, 0)) == HeadResponse(head, SIMD3(1, 0, 0)))
    }

    @Test("moves without a jump, below the measured directions too")
    func smooth() throws {
        let head = try HRTFFilters(sampleRate: 48_000)
        for elevation in [-89.0, -70, -50, -40, -10, 0, 45, 75, 89] {
            var last = HeadResponse(head, azimuth: -180, elevation: elevation)
            for step in 1...1440 {
                let next = HeadResponse(head, azimuth: -180 + 0.25 * Double(step), elevation: elevation)
                let change = zip(next.left, last.left).map { ($0 - $1) * ($0 - $1) }.reduce(0, +).squareRoot()
                // A quarter of a degree is a twentieth of the way between measurements that differ by at most about 1.
                #expect(
                    change < 0.12 && abs(next.delays.x - last.delays.x) < 0.6, "\(elevation)°, step \(step): \(change)")
                last = next
            }
        }
    }

    @Test(
        "keeps level within 0.15 dB up to 8 kHz, and the delay between the ears, when it is resampled",
        arguments: [22_050.0, 32_000, 88_200, 96_000])
    func otherRates(rate: Double) throws {
        let (head, reference) = (try HRTFFilters(sampleRate: rate), HRTFFilters(try .kemar(for: rate)))
        let frequencies = [50.0, 200, 500, 1000, 2000, 4000, 6000, 8000]
        let there = Spectrum(frequencies, sampleRate: rate, length: head.tapCount)
        let here = Spectrum(frequencies, sampleRate: reference.sampleRate, length: reference.tapCount)
        for direction in sphereGrid(step: 30) {
            let (a, b) = (HeadResponse(head, direction), HeadResponse(reference, direction))
            for (x, y) in zip(there.decibels(a.left), here.decibels(b.left)) {
                #expect(abs(x - y) < 0.15, "\(direction)")
            }
            let seconds = (a.delays / Float(rate) - b.delays / Float(reference.sampleRate))
            #expect(abs(seconds.x) < 1e-8 && abs(seconds.y) < 1e-8)
        }
    }

    @Test("measured from above only, holds the nearest directions below")
    func upperHalf() throws {
        var data = try HRTFData.kemar(for: 48_000)
        data.directions.removeAll { $0.vector.y < 0.1 }
        let head = HRTFFilters(data)
        for direction in sphereGrid(step: 5) {
            let response = HeadResponse(head, direction)
            #expect(response.isFinite && response.left.contains { $0 != 0 }, "\(direction)")
        }
    }

    @Test("refuses sample rates out of range", arguments: [0, -48_000, 7999, 400_000, Double.nan, .infinity])
    func rates(rate: Double) {
        #expect(throws: HRTFDataError.self) { try HRTFFilters(sampleRate: rate) }
    }
}

@Suite("Between measured directions the head") struct HRTFInterpolationTests {
    @Test("is nearer to the truth than its nearest neighbour, every second azimuth held out")
    func heldOut() throws {
        let full = try HRTFData.kemar(for: 44_100)
        let (kept, heldOut) = HRTFInterpolationTests.split(full)
        var data = full
        data.directions = kept
        let head = HRTFFilters(data)
        let spectrum = Spectrum(
            stride(from: 200.0, through: 16_000, by: 100).map { $0 }, sampleRate: 44_100, length: full.tapCount)
        var interpolated: [Double] = [], nearest: [Double] = [], delays: [Double] = []
        for direction in heldOut {
            let response = HeadResponse(head, SIMD3<Float>(direction.vector))
            let neighbour = try #require(kept.max { $0.vector.dot(direction.vector) < $1.vector.dot(direction.vector) })
            interpolated += [
                spectrum.distortion(response.left, direction.left),
                spectrum.distortion(response.right, direction.right),
            ]
            nearest += [
                spectrum.distortion(neighbour.left, direction.left),
                spectrum.distortion(neighbour.right, direction.right),
            ]
            let difference = response.delays / 44_100 - direction.delays
            delays.append(Double(abs(difference.y - difference.x)) * 1e6)
        }
        let mean = { (values: [Double]) in values.reduce(0, +) / Double(values.count) }
        print(
            "held out: \(heldOut.count) directions, distortion \(mean(interpolated)) dB, nearest \(mean(nearest)) dB, delay \(mean(delays)) µs"
        )
        #expect(mean(interpolated) < 2.1)
        #expect(mean(interpolated) < 0.8 * mean(nearest))
        #expect(mean(delays) < 5)
    }

    /// Rings lose every second azimuth; the median plane and the poles stay.
    private static func split(_ data: HRTFData) -> (kept: [HRTFData.Direction], heldOut: [HRTFData.Direction]) {
        let rings = Dictionary(grouping: data.directions) { ($0.vector.y * 1000).rounded() }
        var kept: [HRTFData.Direction] = [], heldOut: [HRTFData.Direction] = []
        for key in rings.keys.sorted() {
            let ring = rings[key, default: []].sorted { $0.vector.z < $1.vector.z }
            for (index, direction) in ring.enumerated() {
                if index % 2 == 0 || direction.vector.x == 0 {
                    kept.append(direction)
                } else {
                    heldOut.append(direction)
                }
            }
        }
        return (kept, heldOut)
    }
}
