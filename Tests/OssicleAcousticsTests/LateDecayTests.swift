@testable import OssicleAcoustics
import OssicleCore
import OssicleTestSupport
import Testing

/// Decays of whole rooms as rays find them, held against the tables.
@Suite struct LateDecayTests {
    /// The response of a room on average: several listeners, several sources for each.
    private func room(
        _ tracer: PortableTracer, _ size: Vector, rays: Int, listeners: Int, sources: Int, duration: Double,
        seed: UInt64
    ) -> EnergyResponse {
        let settings = RaySettings(
            rays: rays / listeners, bounces: 600, specularFrom: 0, duration: duration, includesAir: false,
            hearsRoom: false)
        let places = LateRooms.places(listeners + sources * listeners, in: size)
        var responses: [EnergyResponse] = []
        for listener in 0..<listeners {
            let first = listeners + listener * sources
            let late = LateTracer(tracer: tracer, settings: settings, seed: seed * 1000 + UInt64(listener))
            responses += late.trace(sources: Array(places[first..<first + sources]), listener: places[listener]).sources
        }
        return LateRooms.average(responses)
    }

    private static let scattering = ["0", "0.05", "0.1", "0.3", "1.0"]

    /// All five columns in one trace, each in two bands: what is scattered by band must not leak into another.
    private func decays(_ row: Table.Row, seed: UInt64) -> [(t20: Double, t30: Double)] {
        let size = LateRooms.vector(row["dims_m"])
        let bands = OctaveBands((Self.scattering + Self.scattering).compactMap { Float($0) })
        let tracer = LateRooms.box(size, walls: LateRooms.wall(row.number("alpha_all"), scattering: bands))
        let response = room(
            tracer, size, rays: 8192, listeners: 2, sources: 8, duration: row.number("ism_t30_s") * 0.65, seed: seed)
        return Self.scattering.indices.map { band in
            let curve = response.curve(band)
            return (curve.time(from: -5, to: -25) ?? .nan, curve.time(from: -5, to: -35) ?? .nan)
        }
    }

    @Test(
        "Decay times of four rooms with scattering 0…1 are the table's within 5 %, and two seeds differ by less than half of that",
        arguments: ["R1", "R2", "R3", "R6"])
    func rooms(name: String) throws {
        let row = try #require(try Table.load("room-decay-check.csv").rows.first { $0["room"] == name })
        let (found, again) = (decays(row, seed: 1), decays(row, seed: 2))
        for (index, column) in Self.scattering.enumerated() {
            let (t20, t30) = (row.number("mc_t20_s_scatter\(column)"), row.number("mc_t30_s_scatter\(column)"))
            let errors = [found[index].t20 / t20 - 1, found[index].t30 / t30 - 1].map(\.magnitude)
            #expect(errors[0] < 0.05, "T20 at scattering \(column): \(found[index].t20) for \(t20)")
            #expect(errors[1] < 0.05, "T30 at scattering \(column): \(found[index].t30) for \(t30)")
            let spread = (found[index].t20 / again[index].t20 - 1).magnitude
            #expect(spread < 0.025, "T20 at scattering \(column): \(found[index].t20) and \(again[index].t20)")
        }
    }

    /// Decay times by the table's names.
    private func decays(underCeiling row: Table.Row, rays: Int, seed: UInt64) -> [(name: String, time: Double)] {
        let (size, scattering) = (Vector(10, 8, 3), row.number("scatter_probability"))
        let tracer = LateRooms.box(
            size, walls: LateRooms.wall(0.02, scattering: scattering),
            ceiling: LateRooms.wall(0.7, scattering: scattering))
        let curve = room(
            tracer, size, rays: rays, listeners: 8, sources: 6, duration: row.number("t30_s") * 0.65, seed: seed
        ).curve(5)
        return [("edt", 0.0, -10.0), ("t20", -5, -25), ("t30", -5, -35)].map {
            ($0.0, curve.time(from: $0.1, to: $0.2) ?? .nan)
        }
    }

    /// Within 5 % of the table; where its own runs spread by more than twice that, as T30 at a scattering of 0.05, half
    /// the spread is added.
    @Test(
        "Under an absorbing ceiling, where Sabine and Eyring fail, decays are the table's, and two seeds differ by less than 2.5 %",
        arguments: zip(0..<6, [65_536, 49_152, 32_768, 24_576, 24_576, 16_384]))
    func absorbingCeiling(index: Int, rays: Int) throws {
        let row = try Table.load("absorbing-ceiling-check.csv").rows[index]
        let (found, again) = (
            decays(underCeiling: row, rays: rays, seed: 1), decays(underCeiling: row, rays: rays, seed: 2)
        )
        for (one, other) in zip(found, again) {
            let expected = row.number("\(one.name)_s")
            let spread = row.number("spread_\(one.name)") / expected
            let tolerance = spread < 0.1 ? 0.05 : 0.05 + spread / 2
            #expect(abs(one.time / expected - 1) < tolerance, "\(one.name): \(one.time) for \(expected)")
            if one.name != "edt" {
                #expect(abs(one.time / other.time - 1) < 0.025, "\(one.name): \(one.time) and \(other.time)")
            }
        }
    }
}
