@testable import OssicleAcoustics
import OssicleCore
import Testing

@Suite struct ReflectionLevelTests {
    private func path(
        _ mesh: TriangleMesh, _ material: AcousticMaterial, _ source: Vector, _ listener: Vector
    ) throws -> SoundPath {
        let plate = Occluder(id: 1, name: "plate", geometry: MeshGeometry(mesh), material: material)
        let found = ReflectionScenes.solver(plate).reflections(of: source, at: listener, order: 1, limit: 10)
        return try #require(found.count == 1 ? found[0] : nil)
    }

    @Test("A large wall leaves √((1 − max(α, τ))(1 − s)) of the amplitude")
    func materials() throws {
        let brick = try #require(MaterialLibrary["brick"])
        let curtain = AcousticMaterial(
            name: "curtain", absorption: OctaveBands(repeating: 0.2), scattering: OctaveBands(repeating: 0.3),
            transmissionLoss: OctaveBands(repeating: 3))
        for material in [brick, curtain] {
            let path = try path(Meshes.screen(width: 200, height: 200), material, Vector(-1, 0, 2), Vector(1, 0, 2))
            for band in 0..<OctaveBands.count {
                let back =
                    1
                    - max(
                        Double(material.absorption[band]),
                        Double(Decibels.energy(-Double(material.transmissionLoss[band]))))
                #expect(
                    abs(Double(path.bandGains[band]) - (back * (1 - Double(material.scattering[band]))).squareRoot())
                        < 1e-5)
            }
        }
    }

    @Test("Each face answers with its own material")
    func elements() throws {
        let halves = Meshes.joined([-10.0, 10.0].map { Meshes.screen(width: 20, height: 40, at: Vector($0, 0, 0)) })
        let mesh = TriangleMesh(
            vertices: halves.vertices, triangles: halves.triangles, elements: [0, 0, 1, 1], elementCount: 2)
        let wall = Occluder(
            id: 1, name: "wall", geometry: MeshGeometry(mesh),
            materials: [ReflectionScenes.surface(0.19), ReflectionScenes.surface(0.36)])
        for (x, gain) in [(-1.0, 0.9), (1.0, 0.8)] {
            let found = ReflectionScenes.solver(wall).reflections(
                of: Vector(x, 0, 2), at: Vector(x, 0.5, 2), order: 1, limit: 10)
            #expect(found.count == 1 && abs(Double(found[0].bandGains[7]) - gain) < 1e-6)
        }
    }

    @Test(
        "A plate reflects in proportion to each of its sides over √(λ d₁ d₂ / (d₁ + d₂)), the one in the plane of incidence as it is seen"
    )
    func smallPlate() throws {
        for (width, height, source, listener) in [
            (0.5, 0.8, Vector(0, 0, 3), Vector(0, 0, 5)), (1.0, 0.4, Vector(-4, 0, 3), Vector(4, 0, 3)),
        ] {
            let path = try path(Meshes.screen(width: width, height: height), ReflectionScenes.mirror, source, listener)
            let (before, after) = (source.magnitude, listener.magnitude)
            for band in 0..<OctaveBands.count {
                let wavelength = 343.2 / OctaveBands.centre(band)
                let zone = (wavelength * before * after / (before + after)).squareRoot()
                let share = min(width * (source.z / before) / zone, 1) * min(height / zone, 1)
                #expect(
                    abs(Decibels.of(amplitude: Double(path.bandGains[band])) - Decibels.of(amplitude: share))
                        < 1e-3)
            }
        }
    }

    @Test("A plate of many triangles, turned and scaled, reflects as the one it is made of")
    func cutPlate() throws {
        let (source, listener) = (Vector(-2, 0.03, 1.5), Vector(2.4, 0, 2))
        let plain = try path(Meshes.screen(width: 3, height: 0.2), ReflectionScenes.mirror, source, listener)
        let pose = ReflectionScenes.turned(scale: 0.5)
        let cut = ReflectionScenes.split(Meshes.screen(width: 6, height: 0.4), 3)
        let plate = Occluder(
            id: 1, name: "plate", geometry: MeshGeometry(cut), pose: pose, material: ReflectionScenes.mirror)
        let found = ReflectionScenes.solver(plate).reflections(
            of: pose.toWorld(source * 2), at: pose.toWorld(listener * 2), order: 1, limit: 10)
        #expect(found.count == 1)
        for band in 0..<OctaveBands.count {
            #expect(abs(found[0].bandGains[band] - plain.bandGains[band]) < 1e-5)
        }
    }

    @Test("At low frequencies that is what Kirchhoff's integral over the plate gives, at high ones the full mirror")
    func integral() throws {
        let (width, source, listener) = (0.4, Vector(-2, 0, 3), Vector(2, 0.0, 3))
        let path = try path(Meshes.screen(width: width, height: width), ReflectionScenes.mirror, source, listener)
        for band in 0...4 {
            let k = 2 * DeterministicMath.pi * OctaveBands.centre(band) / 343.2
            var (real, imaginary) = (0.0, 0.0)
            let n = 40
            for i in 0..<n {
                for j in 0..<n {
                    let p = Vector((Double(i) + 0.5) / Double(n) - 0.5, (Double(j) + 0.5) / Double(n) - 0.5, 0) * width
                    let (a, b) = ((source - p).magnitude, (listener - p).magnitude)
                    let (s, c) = DeterministicMath.sincos(k * (a + b))
                    let part =
                        (source.z / a + listener.z / b) / 2 / (a * b) * (width * width / Double(n * n)) * k
                        / (2 * DeterministicMath.pi)
                    (real, imaginary) = (real + c * part, imaginary - s * part)
                }
            }
            let expected = (real * real + imaginary * imaginary).squareRoot() * path.length
            #expect(abs(Decibels.of(amplitude: Double(path.bandGains[band])) - Decibels.of(amplitude: expected)) < 0.5)
        }
        #expect(path.bandGains[9] == 1)
    }

    @Test("In a closed room no wall is a small plate, however low the frequency")
    func rooms() {
        let room = ReflectionScenes.tableRoom(isPlain: false)
        for path in ReflectionScenes.solver(room).reflections(
            of: Vector(1, 1, 1), at: Vector(5, 4, 2), order: 2, limit: 100)
        {
            let isFlat = path.bandGains.values.allSatisfy { $0 == path.bandGains[5] }
            #expect(isFlat)
        }
    }

    @Test(
        "Loudest first; over the budget masked ones go, near ones join, the rest stays in order and has the energy of all"
    )
    func budget() {
        func path(_ identity: UInt64, _ length: Double, _ arrival: Vector, _ gain: Float) -> SoundPath {
            SoundPath(
                kind: .reflection(order: 1), identity: identity, length: length,
                bandGains: OctaveBands(repeating: gain),
                arrival: arrival.direction ?? .zero, departure: Vector(0, 0, 1), corners: [])
        }
        let paths = [
            path(1, 10, Vector(1, 0, 0), 0.5), path(2, 11, Vector(1, 0.05, 0), 0.04),
            path(3, 12, Vector(0, 1, 0), 0.55), path(4, 12.1, Vector(0.01, 1, 0), 0.55),
            path(5, 30, Vector(0, 0, 1), 0.9), path(6, 10, Vector(-1, 0, 0), 0.5),
        ]
        let roomy = ReflectionBudget(limit: 6, speedOfSound: 343.2).chosen(paths) { nil }
        #expect(roomy.map(\.identity) == [1, 6, 3, 4, 5, 2])
        let tight = ReflectionBudget(limit: 4, speedOfSound: 343.2).chosen(paths) { nil }
        #expect(tight.map(\.identity) == [3, 1, 6, 5])
        func energy(_ paths: [SoundPath]) -> Double {
            paths.reduce(0) { $0 + Double($1.bandGains[3] * $1.bandGains[3]) / ($1.length * $1.length) }
        }
        // What is masked is shared out in equal parts.
        let joint = energy([paths[2], paths[3]])
        let (first, second) = (energy([tight[0]]) - joint, energy([tight[1]]) - energy([paths[0]]))
        #expect(abs(first / second - 1) < 1e-3)
        let scarce = ReflectionBudget(limit: 2, speedOfSound: 343.2).chosen(paths.reversed()) { nil }
        #expect(scarce.map(\.identity) == [3, 1])
        for chosen in [tight, scarce] { #expect(abs(energy(chosen) / energy(paths) - 1) < 1e-5) }
        // The straight way masks as well, and is not among the answers.
        let quiet = [
            path(1, 10, Vector(1, 0, 0), 0.05), path(3, 12, Vector(0, 1, 0), 0.5), path(5, 30, Vector(0, 0, 1), 0.1),
        ]
        let (open, straight) = (
            ReflectionBudget(limit: 2, speedOfSound: 343.2), SoundPath.straight(from: Vector(9, 0, 0), to: .zero)
        )
        #expect(open.chosen(quiet) { nil }.map(\.identity) == [3, 1])
        #expect(open.chosen(quiet) { straight }.map(\.identity) == [3, 5])
    }
}
