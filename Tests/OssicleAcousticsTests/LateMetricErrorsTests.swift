@testable import OssicleAcoustics
import OssicleCore
import OssicleTestSupport
import Testing

/// How far quantities scatter from seed to seed, and what is said about it.
@Suite struct LateMetricErrorsTests {
    private struct Runs {
        let metrics, errors: [RoomMetrics]

        /// R1 by 24 seeds.
        static let first = Result { try Runs("R1", seeds: 24) }

        /// A room of the tables with walls that scatter by bands: nothing at 1 kHz, all at 4 kHz.
        init(_ name: String, seeds: Int) throws {
            let row = try #require(try Table.load("room-decay-check.csv").rows.first { $0["room"] == name })
            let size = LateRooms.vector(row["dims_m"])
            var scattering = OctaveBands.zeros
            (scattering[6], scattering[7]) = (0.1, 1)
            let tracer = LateRooms.box(size, walls: LateRooms.wall(row.number("alpha_all"), scattering: scattering))
            let (source, listener) = (LateRooms.vector(row["source"]), LateRooms.vector(row["receiver"]))
            let found = (1...seeds).map { seed in
                GeometrySolver(tracer: tracer, quality: .high, seed: UInt64(seed)).roomMetrics(
                    of: .point(LateRooms.place(source.x, source.y, source.z)),
                    at: LateRooms.place(listener.x, listener.y, listener.z))
            }
            (metrics, errors) = (found.map(\.metrics), found.compactMap(\.errors))
        }

        func deviation(
            ofSeeds seeds: Int, _ value: (RoomMetrics) -> Double
        ) -> (mean: Double, deviation: Double, stated: Double) {
            let values = metrics.prefix(seeds).map(value), count = Double(values.count)
            let mean = values.reduce(0, +) / count
            let square = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
            let stated = errors.prefix(seeds).reduce(0) { $0 + value($1) * value($1) } / count
            return (mean, square.squareRoot(), stated.squareRoot())
        }
    }

    @Test(
        "T20 of a box of mirrors scatters by less than 2 % at the rays of roomMetrics", arguments: ["R1", "R2", "R3"])
    func mirrors(name: String) throws {
        let runs = try name == "R1" ? Runs.first.get() : Runs(name, seeds: 16)
        let t20 = runs.deviation(ofSeeds: 16) { Double($0.t20[5]) }
        print("\(name), mirrors: T20 \(t20.mean) s, by seed \(100 * t20.deviation / t20.mean) %")
        #expect(t20.deviation < 0.02 * t20.mean)
    }

    @Test("Standard errors are what seeds differ by, within a factor of two")
    func errors() throws {
        let runs = try Runs.first.get()
        #expect(runs.errors.count == 24)
        for band in 5...7 {
            let quantities: [(String, (RoomMetrics) -> Double)] = [
                ("T20", { Double($0.t20[band]) }), ("T30", { Double($0.t30[band]) }),
                ("C80", { Double($0.c80[band]) }), ("G", { Double($0.strength[band]) }),
                ("centre time", { Double($0.centreTime[band]) }), ("D50", { Double($0.d50[band]) }),
            ]
            for (name, value) in quantities {
                let found = runs.deviation(ofSeeds: 24, value)
                print("\(name) \(OctaveBands.centre(band)): \(found)")
                #expect(found.stated > found.deviation / 2 && found.stated < found.deviation * 2, "\(name), \(band)")
            }
        }
    }
}
