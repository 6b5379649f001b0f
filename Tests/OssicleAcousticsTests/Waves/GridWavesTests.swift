import Foundation
@testable import OssicleAcoustics
import OssicleCore
import Testing

@Suite struct GridWavesTests {
    private typealias Complex = OssicleAcoustics.Complex

    private let speed = 343.2

    @Test("On a grid a box has the field of its modes, within 1 dB, and its peaks within 0.5 %")
    func box() throws {
        let size = Vector(4, 3, 2.4)
        // Wood's absorption differs by octave, so that masses and springs are at work.
        let tracer = LateRooms.box(size, walls: MaterialLibrary.material(.wood))
        let extent = Vector(size.x, size.z, size.y)
        let (source, point) = (Vector(0.6, 0.5, 0.7), Vector(3.1, 1.7, 2.2))
        let wall = WallAdmittance(absorption: MaterialLibrary.material(.wood).absorption)
        let modes = BoxWaves(
            size: extent, walls: [WallAdmittance](repeating: wall, count: 6), speedOfSound: speed)
        let band = WaveBand(step: 1, count: 200, damping: 4)
        let wanted = modes.fields(from: source, at: [point], band)[0].map(\.magnitude)
        /// What the point hears for so many seconds, and its spectrum.
        func run(_ seconds: Double, workers: Int) -> (record: [Float], spectrum: [Double]) {
            var grid = WaveGrid(Bounds(lower: .zero, upper: extent), finest: speed / 20 / 200)
            grid.cut(by: tracer.scene)
            grid.flood(from: grid.shares(of: source) { _ in true }[0].cell)
            #expect(!grid.isOpen)
            let waves = GridWaves(grid, speedOfSound: speed)
            let record = waves.responses(
                from: grid.shares(of: source) { _ in true }, to: [grid.shares(of: point) { _ in true }],
                count: Int(seconds / waves.step), speedOfSound: speed, workers: WorkerPool(workers: workers))[0]
            return (
                record,
                (0..<band.count).map {
                    GridWaves.spectrum(
                        of: record, grid.slowed(band.s($0), speedOfSound: speed), step: waves.step
                    ).magnitude
                }
            )
        }
        let (record, found) = run(1.6, workers: 2)
        // In a tenth of a second sound runs through the room eight times: over every border between workers.
        for workers in [1, 7] {
            let other = run(0.1, workers: workers).record
            #expect(other.contains { $0 != 0 } && other == Array(record.prefix(other.count)))
        }
        let errors = (25..<band.count).map { 20 * log10(found[$0] / wanted[$0]) }
        let rms = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
        #expect(rms < 0.5, "\(rms) dB")
        /// Where a curve has its peak near an index, and how high.
        func peak(_ curve: [Double], near index: Int) -> (frequency: Double, level: Double) {
            let top = (index - 2...index + 2).max { curve[$0] < curve[$1] } ?? index
            let (a, b, c) = (curve[top - 1], curve[top], curve[top + 1])
            return (Double(top) + (a - c) / (2 * (a - 2 * b + c)), b)
        }
        let peaks = (25..<(band.count - 4)).filter {
            wanted[$0] > wanted[$0 - 1] && wanted[$0] > wanted[$0 + 1]
        }
        #expect(peaks.count > 8)
        for index in peaks {
            let (ours, theirs) = (peak(found, near: index), peak(wanted, near: index))
            #expect(abs(ours.frequency / theirs.frequency - 1) < 0.005, "\(index) Hz: \(ours.frequency)")
            #expect(abs(20 * log10(ours.level / theirs.level)) < 1, "\(index) Hz")
        }
    }

    @Test("Beside and behind a column a plane grid is within 1 dB rms of the boundary-element solution")
    func column() {
        // One cell between two rigid plates is a plane.
        let (half, height) = (6.0, 0.03)
        let plates = [0.0, height].map { z in
            sheet([Vector(-half, -half, z), Vector(half, -half, z), Vector(half, half, z), Vector(-half, half, z)])
        }
        let side = 0.3
        let corners = [Vector(-side, -side, 0), Vector(side, -side, 0), Vector(side, side, 0), Vector(-side, side, 0)]
        let walls = (0..<4).map { index in
            let (a, b) = (corners[index], corners[(index + 1) % 4])
            let up = Vector(0, 0, height)
            return sheet([a, b, b + up, a + up])
        }
        let source = Vector(-2, 0.1, height / 2)
        let places = [(1.0, 0.0), (1.6, 0.3), (1.2, -0.5), (0.4, 1.1), (-0.5, 1.0), (2.2, 0.9), (1.8, -1.4)]
        let points = places.map { Vector($0.0, $0.1, height / 2) }
        let (free, blocked) = (records(plates, source, points, half), records(plates + walls, source, points, half))
        for frequency in [63.0, 125, 250, 500] {
            let elements = BoundaryElements(
                [corners.map { SIMD2($0.x, $0.y) }], number: 2 * .pi * frequency / speed)
            var sum = 0.0
            for (index, place) in places.enumerated() {
                let s = Complex(0, 2 * .pi * frequency)
                let found = GridWaves.spectrum(of: blocked.0[index], s, step: blocked.1)
                let open = GridWaves.spectrum(of: free.0[index], s, step: free.1)
                let exact = elements.ratio(SIMD2(source.x, source.y), SIMD2(place.0, place.1))
                let wanted = hypot(exact.re, exact.im)
                let error = 20 * log10((found / open).magnitude / wanted)
                sum += error * error / Double(places.count)
            }
            #expect(sum.squareRoot() < 1, "\(frequency) Hz: \(sum.squareRoot()) dB")
        }
    }

    private func sheet(_ corners: [Vector]) -> MeshGeometry {
        MeshGeometry(
            TriangleMesh(
                vertices: corners, triangles: [SIMD3(0, 1, 2), SIMD3(0, 2, 3)], elements: [0, 0], elementCount: 1))
    }

    /// Until the border's reflections are heard.
    private func records(
        _ meshes: [MeshGeometry], _ source: Vector, _ points: [Vector], _ half: Double
    ) -> ([[Float]], Double) {
        let scene = AcousticScene(
            occluders: meshes.enumerated().map {
                Occluder(id: UInt64($0), name: "", geometry: $1, materials: [LateRooms.wall(0, scattering: 0)])
            })
        var grid = WaveGrid(
            Bounds(lower: Vector(-half, -half, 0), upper: Vector(half, half, 0.03)), finest: speed / 20 / 500)
        grid.cut(by: scene)
        let shares = grid.shares(of: source) { _ in true }
        grid.flood(from: shares[0].cell)
        let waves = GridWaves(grid, speedOfSound: speed)
        let listeners = points.map { point in grid.shares(of: point) { grid.isAir[$0] } }
        return (
            waves.responses(
                from: shares, to: listeners, count: Int(0.06 / waves.step), speedOfSound: speed,
                workers: WorkerPool(workers: 2)), waves.step
        )
    }

    @Test("A sheet without thickness keeps sound out, and an opening lets it in")
    func sheets() throws {
        let room = LateRooms.box(Vector(4, 3, 2), walls: LateRooms.wall(0.1, scattering: 0)).scene.occluders
        func solver(_ opening: Double) -> WaveSolver<PortableTracer> {
            let wall = sheet([
                Vector(2, 0, 0), Vector(2, 2, 0), Vector(2, 2, 3 - opening), Vector(2, 0, 3 - opening),
            ])
            return WaveSolver(
                tracer: PortableTracer(
                    AcousticScene(occluders: room + [Occluder(id: 9, name: "", geometry: wall)])), limit: 200)
        }
        let band = WaveBand(step: 20, count: 9, damping: 8)
        let (source, point) = (Vector(1, 1, 1), Vector(3, 1, 2))
        #expect(throws: WaveError.self) { try solver(0).fields(from: source, at: [point], band, seconds: 0.3) }
        let ajar = try solver(1).fields(from: source, at: [point], band, seconds: 0.3)[0]
        #expect(ajar[2...].allSatisfy { $0.magnitude > 0.01 })
        #expect(throws: WaveError.self) {
            try solver(1).fields(from: Vector(.nan, 0, 0), at: [point], band, seconds: 0.3)
        }
    }
}
