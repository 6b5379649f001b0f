import Foundation
import OssicleCore
import OssicleDSP
@testable import OssicleHRTF
import OssicleTestSupport
import Testing

private let kemarPath = "/usr/share/libmysofa/MIT_KEMAR_normal_pinna.sofa"

/// The measurement that the built-in head was made from, as Debian's libmysofa1 brings it.
@Suite("The KEMAR set of the MIT", .enabled(if: FileManager.default.fileExists(atPath: kemarPath))) struct KemarSetTests
{
    private static let loaded = Result { try HRTFSet(contentsOfFile: kemarPath) }
    private static let at441 = Result { try loaded.get().filters(sampleRate: 44_100) }

    @Test("has the table's octave levels between the ears within 1 dB, and its delays as near as their definitions are")
    func matchesTheMeasurement() throws {
        let head = try Self.at441.get()
        let points = try Table.load("kemar-diffuse-field.csv").rows.map {
            ($0.number("frequency_hz"), $0.number("level_db"))
        }
        for row in try Table.load("kemar-check.csv").rows {
            let heard = Heard(
                head,
                HeadDirection.vector(azimuth: row.number("azimuth_deg_left"), elevation: row.number("elevation_deg")))
            // See HRTFFiltersTests.
            #expect(abs(heard.difference * 1e6 - row.number("itd_us")) < 40, "\(row["azimuth_deg_left"])°")
            for octave in [500, 1000, 2000, 4000, 8000] {
                var (left, right) = (0.0, 0.0)
                for frequency in stride(
                    from: Double(octave) / 2.0.squareRoot(), to: Double(octave) * 2.0.squareRoot(), by: 43)
                {
                    let upper = points.firstIndex { $0.0 > frequency } ?? points.count - 1
                    let ((f0, a), (f1, b)) = (points[max(upper - 1, 0)], points[upper])
                    // The table's levels are those of the measurement, without equalisation.
                    let weight = pow(10, (a + (b - a) * (frequency - f0) / (f1 - f0)) / 10)
                    left += weight * pow(10, Heard.level(heard.left, frequency, 44_100) / 10)
                    right += weight * pow(10, Heard.level(heard.right, frequency, 44_100) / 10)
                }
                #expect(
                    abs(10 * log10(left / right) - row.number("ild_\(octave)_db")) < 1,
                    "\(row["azimuth_deg_left"])°, \(octave) Hz")
            }
        }
    }

    @Test("becomes the built-in head again")
    func builtIn() throws {
        let (head, builtIn) = (try Self.at441.get(), try HRTFFilters.shared(sampleRate: 44_100))
        #expect(head.tapCount == builtIn.tapCount)
        var (worst, sum, count, latest) = (0.0, 0.0, 0, 0.0)
        for elevation in stride(from: -40.0, through: 80, by: 20) {
            for azimuth in stride(from: 0.0, to: 360, by: 24) {
                let direction = HeadDirection.vector(azimuth: azimuth, elevation: elevation)
                let (a, b) = (Heard(head, direction), Heard(builtIn, direction))
                latest = max(latest, abs(a.difference - b.difference))
                for (x, y) in [(a.left, b.left), (a.right, b.right)] {
                    var (error, energy) = (0.0, 0.0)
                    for (p, q) in zip(x, y) {
                        error += Double((p - q) * (p - q))
                        energy += Double(q * q)
                    }
                    worst = max(worst, error / energy)
                    sum += error / energy
                    count += 1
                }
            }
        }
        let (mean, most) = (10 * log10(sum / Double(count)), 10 * log10(worst))
        print(
            "KEMAR from the file against the built-in head: error \(mean) dB mean, \(most) dB worst; delays within \(latest * 1e6) µs"
        )
        #expect(mean < -40 && most < -25 && latest < 2e-6)
    }

    @Test("keeps 99 % of its energy in the common length, 95 % where it keeps least")
    func length() throws {
        let set = try Self.loaded.get()
        let full = set.head(at: 44_100, tapCount: 512), cut = set.head(at: 44_100, tapCount: 128)
        func energy(_ taps: [Float]) -> Double { taps.reduce(0.0) { $0 + Double($1 * $1) } }
        var kept: [Double] = []
        for (whole, part) in zip(full.directions, cut.directions) {
            kept.append(energy(part.left) / energy(whole.left))
            kept.append(energy(part.right) / energy(whole.right))
        }
        let (mean, least) = (kept.reduce(0, +) / Double(kept.count), kept.min() ?? 0)
        print("energy kept in 128 taps: \(mean * 100) % on average, \(least * 100) % at least")
        #expect(mean > 0.99 && least > 0.95)
    }
}
