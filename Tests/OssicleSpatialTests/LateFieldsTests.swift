import OssicleAcoustics
import OssicleCore
import Testing
@testable import OssicleSpatial

/// How late fields follow what moves.
@Suite struct LateFieldsTests {
    /// A closed box around a place, all walls alike and diffuse.
    private struct Room {
        let centre: Vector
        let size: Vector
        let absorption: Double

        var volume: Double { size.x * size.y * size.z }
        /// Seconds, after Eyring.
        var decayTime: Double {
            let surface = 2 * (size.x * size.y + size.y * size.z + size.z * size.x)
            return 24 * DeterministicMath.ln10 / 343.2 * volume / (-surface * DeterministicMath.log(1 - absorption))
        }
        /// Of a diffuse field from a time on, re the direct sound at 1 m.
        func energy(after time: Double) -> Double {
            let rate = 6 * DeterministicMath.ln10 / decayTime
            return 4 * DeterministicMath.pi * 343.2 / volume / rate * DeterministicMath.exp(-rate * time)
        }

        func occluder(_ id: UInt64) -> Occluder {
            let corners = (0..<8).map { (corner: Int) -> Vector in
                let place = Vector(Double(corner & 1), Double(corner >> 1 & 1), Double(corner >> 2))
                return centre + (place - Vector(repeating: 0.5)) * size
            }
            let faces: [[Int32]] = [
                [0, 2, 6, 4], [1, 5, 7, 3], [0, 4, 5, 1], [2, 3, 7, 6], [0, 1, 3, 2], [4, 6, 7, 5],
            ]
            let triangles = faces.flatMap { [SIMD3($0[0], $0[1], $0[2]), SIMD3($0[0], $0[2], $0[3])] }
            return Occluder(
                id: id, name: "room", geometry: MeshGeometry(TriangleMesh(vertices: corners, triangles: triangles)),
                materials: [
                    AcousticMaterial(
                        name: "wall", absorption: OctaveBands(repeating: Float(absorption)), scattering: .ones,
                        transmissionLoss: OctaveBands(repeating: 200))
                ])
        }
    }

    private static let small = Room(centre: .zero, size: Vector(4, 3, 5), absorption: 0.3)
    private static let large = Room(centre: Vector(30, 0, 0), size: Vector(10, 6, 8), absorption: 0.1)

    private func solver() -> SceneSolver {
        let rooms = [Self.small.occluder(1), Self.large.occluder(2)]
        return SceneSolver(scene: AcousticScene(occluders: rooms), quality: .medium)
    }

    /// One simulation, 0.1 s after the last.
    private func simulate(_ fields: LateFields, _ solver: SceneSolver, _ number: Int, head: Vector, source: Vector) {
        _ = fields.update(
            [LateFields.Receiver(listener: 1, head: head, sources: [2: source])], solver, sceneVersion: 1,
            at: Int64(number) * 4800, interval: 4800, inBackground: false)
    }

    @Test func `a listener that jumps into another room has its decay at once`() throws {
        let (fields, solver) = (LateFields(), solver())
        for number in 0..<8 {
            let source = Self.small.centre + Vector(0.1 * Double(number), 0, 1)
            simulate(fields, solver, number, head: Self.small.centre, source: source)
        }
        let before = try #require(fields.room(at: 1))
        #expect(abs(Double(before.t60[5]) / Self.small.decayTime - 1) < 0.15)
        simulate(fields, solver, 8, head: Self.large.centre, source: Self.large.centre + Vector(0, 0, 2))
        let after = try #require(fields.room(at: 1))
        #expect(abs(Double(after.t60[5]) / Self.large.decayTime - 1) < 0.15)
    }

    @Test func `while a source walks, a quarter of the rays keep the level of the diffuse field`() throws {
        let (fields, solver) = (LateFields(), solver())
        for number in 0..<30 {
            let source = Self.large.centre + Vector(0.1 * Double(number) - 1.5, 0.5, 2)
            simulate(fields, solver, number, head: Self.large.centre - Vector(1, 0, 1), source: source)
            guard number > 0 else { continue }
            let field = try #require(fields.field(of: 2, at: 1))
            // Reflections follow the direct sound.
            let arrival = (source - Self.large.centre + Vector(1, 0, 1)).magnitude / 343.2
            let level = Decibels.of(energy: Double(field.energy[5]) / Self.large.energy(after: arrival))
            #expect(abs(level) < 1, "simulation \(number)")
        }
    }

    /// 1 cm in 0.1 s, half a metre altogether: ten steps of 5 cm, and the first simulation.
    @Test func `what creeps is simulated once a step, with a quarter of the rays, and keeps its level`() throws {
        let (fields, solver) = (LateFields(), solver())
        let head = Self.large.centre - Vector(1, 0, 1)
        for number in 0...50 {
            let source = Self.large.centre + Vector(0.01 * Double(number), 0.5, 2)
            simulate(fields, solver, number, head: head, source: source)
            let task = try #require(fields.task(at: 1))
            #expect(number < 6 || task.solver.quality.rays <= AcousticQuality.medium.rays / 4)
            #expect((source - (task.receiver.sources[2] ?? .zero)).magnitude < 0.05)
            let field = try #require(fields.field(of: 2, at: 1))
            let level = Decibels.of(
                energy: Double(field.energy[5]) / Self.large.energy(after: (source - head).magnitude / 343.2))
            #expect(abs(level) < 1, "update \(number)")
        }
        #expect(try #require(fields.task(at: 1)).round <= 10)
    }

    @Test func `what rests converges in sixteen simulations, and what trembles in as many`() throws {
        for (tremor, updates) in [(0.0, 16), (0.001, 8 * 16)] {
            let (fields, solver) = (LateFields(), solver())
            for number in 0..<(2 * updates) {
                let source = Self.large.centre + Vector(number % 2 == 0 ? tremor : 0, 0.5, 2)
                simulate(fields, solver, number, head: Self.large.centre - Vector(1, 0, 1), source: source)
                let task = try #require(fields.task(at: 1))
                #expect(task.solver.quality.rays == AcousticQuality.medium.rays)
                if number == updates { #expect(task.round == 15) }
            }
            #expect(try #require(fields.task(at: 1)).round == 15)
        }
    }

    /// The errors that `.medium` asks for, times 1.6: the greatest of five bands is looked at, and what the mean of
    /// eight forgets is not all of its noise.
    @Test func `while a source walks, decay times and levels scatter by no more than asked for`() throws {
        let (fields, solver) = (LateFields(), solver())
        var (times, levels) = ([[Double]](), [[Double]]())
        for number in 0..<60 {
            let source = Self.large.centre + Vector(0.06 * Double(number) - 2, 0.5, 2)
            simulate(fields, solver, number, head: Self.large.centre - Vector(1, 0, 1), source: source)
            guard number >= 12 else { continue }
            let field = try #require(fields.field(of: 2, at: 1))
            times.append((3...7).map { DeterministicMath.log(Double(field.t60[$0])) })
            levels.append((3...7).map { Decibels.of(energy: Double(field.energy[$0])) })
        }
        func scatter(_ values: [[Double]], _ band: Int) -> Double {
            let mean = values.reduce(0) { $0 + $1[band] } / Double(values.count)
            return (values.reduce(0) { $0 + ($1[band] - mean) * ($1[band] - mean) } / Double(values.count)).squareRoot()
        }
        let error = AcousticQuality.medium.lateError
        for band in 0..<5 {
            #expect(scatter(times, band) < 1.6 * error, "band \(band + 3)")
            #expect(scatter(levels, band) < 1.6 * 5 * error, "band \(band + 3)")
        }
    }

    @Test func `a body between two rooms radiates into each its part, and follows into one within 0_8 s`() throws {
        let (fields, solver) = (LateFields(), solver())
        let head = Self.large.centre - Vector(1, 0, 1)
        /// Four places in a row, of which some are in the large room.
        func places(_ inside: Int) -> [Vector] {
            (0..<4).map { place in
                let step = Vector(0, 0.5, 0.5 * Double(place))
                return (place < inside ? Self.large.centre + Vector(2, 0, 1) : Self.small.centre) + step
            }
        }
        func simulate(_ number: Int, inside: Int) throws -> Double {
            let receiver = LateFields.Receiver(
                listener: 1, head: head, sources: [2: Self.large.centre], bodies: [2: places(inside)])
            _ = fields.update(
                [receiver], solver, sceneVersion: 1, at: Int64(number) * 4800, interval: 4800, inBackground: false)
            return Double(try #require(fields.field(of: 2, at: 1)).energy[5])
        }
        let half = try simulate(0, inside: 2)
        var whole = 0.0
        for number in 1...8 { whole = try simulate(number, inside: 4) }
        #expect(abs(Decibels.of(energy: whole / half) - Decibels.of(energy: 2)) < 0.7)
        let level = Decibels.of(energy: whole / Self.large.energy(after: 0.01))
        #expect(abs(level) < 1, "\(level) dB")
    }
}
