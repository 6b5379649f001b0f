@testable import OssicleAcoustics
import Foundation
import OssicleCore
import Testing

/// Barriers on the ground: sound over the top with a reflection before it, after it, on both sides and without.
@Suite struct BarrierTests {
    private static func quad(_ corners: Vector...) -> TriangleMesh {
        TriangleMesh(vertices: corners, triangles: [SIMD3(0, 1, 2), SIMD3(0, 2, 3)])
    }

    private static func hard(_ mesh: TriangleMesh, _ id: UInt64) -> Occluder {
        let material = AcousticMaterial(
            name: "hard", absorption: .zeros, scattering: .zeros, transmissionLoss: OctaveBands(repeating: 200))
        return Occluder(id: id, name: "\(id)", geometry: MeshGeometry(mesh), material: material)
    }

    private static let floor = hard(
        quad(Vector(-400, 0, -400), Vector(-400, 0, 400), Vector(400, 0, 400), Vector(400, 0, -400)), 1)

    /// In x = 0.
    private static func sheet(
        from foot: Double, to top: Double, halfWidth: Double = 300, x: Double = 0, z: Double = 0
    ) -> TriangleMesh {
        quad(
            Vector(x, foot, z - halfWidth), Vector(x, foot, z + halfWidth), Vector(x, top, z + halfWidth),
            Vector(x, top, z - halfWidth))
    }

    private func solver(_ occluders: [Occluder]) -> GeometrySolver<PortableTracer> {
        GeometrySolver(tracer: PortableTracer(AcousticScene(occluders: occluders)), quality: .high)
    }

    /// Levels re the free field, each path after its delay.
    private func levels(
        _ solver: GeometrySolver<PortableTracer>, _ source: Vector, _ listener: Vector
    ) -> [Double] {
        let acoustics = solver.paths(DirectPathQuery(source: .point(source), listener: listener))
        let straight = SoundPath(
            kind: .diffraction(edges: 0), identity: 0, length: (source - listener).magnitude,
            bandGains: acoustics.direct.bandGains, arrival: .zero, departure: .zero, corners: [])
        return OctaveTones.levels([straight] + acoustics.diffractions + acoustics.reflections).map {
            $0 + Decibels.of(amplitude: straight.length)
        }
    }

    private static let places = [
        (Vector(-6, 0.5, 0), Vector(2, 1.8, 0.4)), (Vector(-3, 1, 0), Vector(3, 1, 0)),
        (Vector(-4, 1.2, 0.3), Vector(3, 2.6, 1)), (Vector(-2, 0.3, 0), Vector(8, 1.2, -2)),
    ]

    @Test(
        "Over a sheet on or through a floor each octave from 125 Hz to 4 kHz is that of the four image combinations, and the same both ways",
        arguments: [0, -0.5])
    func fourImages(foot: Double) {
        let solver = solver([Self.floor, Self.hard(Self.sheet(from: foot, to: 2.066), 2)])
        let edge = EdgeIntegral(
            start: Vector(0, 2.066, -300), end: Vector(0, 2.066, 300), inward: Vector(0, -1, 0),
            across: Vector(-1, 0, 0))
        for (source, listener) in Self.places {
            let (there, back) = (levels(solver, source, listener), levels(solver, listener, source))
            func image(_ v: Vector) -> Vector { Vector(v.x, -v.y, v.z) }
            let combinations = [
                (source, listener), (image(source), listener), (source, image(listener)),
                (image(source), image(listener)),
            ].map { edge.contributions($0, $1, steps: 60_000) }
            for band in 2..<8 {
                let exact =
                    OctaveTones.level(band) { number in
                        combinations.reduce(Complex(re: 0, im: 0)) { $0 + $1.field(number) }
                    } + Decibels.of(amplitude: (source - listener).magnitude)
                #expect(abs(there[band] - exact) < 1, "band \(band) from \(source): \(there[band]), exactly \(exact)")
                #expect(abs(there[band] - back[band]) < 0.1)
            }
        }
    }

    @Test("With source and listener opposite each other no reflection passes through a sheet's foot")
    func foot() {
        for foot in [0, -0.5, -1e-6] {
            let solver = solver([Self.floor, Self.hard(Self.sheet(from: foot, to: 2.066), 2)])
            for aside in [0, 1e-7, 3e-6, 2e-5, 1e-3] {
                let (source, listener) = (Vector(-3, 1, 0), Vector(3 + aside, 1, 0))
                let found = solver.paths(DirectPathQuery(source: .point(source), listener: listener))
                #expect(!found.reflections.contains { $0.kind == .reflection(order: 1) }, "\(foot), \(aside)")
                #expect(found.reflections.count == 3)
            }
        }
    }

    @Test(
        "Exchanging source and listener changes no octave by more than 0.1 dB in 100 scenes of floors, sheets, blocks and columns"
    )
    func reciprocity() {
        for number in 0..<100 {
            let random = CounterRandom(seed: 77, object: UInt64(number))
            var count: UInt64 = 0
            func draw(_ low: Double, _ high: Double) -> Double {
                count += 1
                return low + (high - low) * random.unit(count)
            }
            let bodies = (0...(number % 3)).map { index -> Occluder in
                let (x, z) = (draw(-1.5, 1.5), draw(-2, 2))
                let (foot, top, width, depth): (Double, Double, Double, Double)
                switch Int(draw(0, 3)) {
                case 0:
                    return Self.hard(
                        Self.sheet(from: 0, to: draw(0.8, 2.5), halfWidth: draw(1, 6), x: x, z: z), UInt64(index + 2))
                case 1: (foot, top, width, depth) = (0, draw(0.5, 2.5), draw(0.3, 3), draw(0.1, 1))
                default: (foot, top, width, depth) = (draw(0, 0.3), draw(2, 3), draw(0.2, 0.5), draw(0.2, 0.5))
                }
                let box = Meshes.box(from: Vector(x - depth, foot, z - width), to: Vector(x + depth, top, z + width))
                return Self.hard(box, UInt64(index + 2))
            }
            let solver = solver([Self.floor] + bodies)
            let (one, other) = (
                Vector(draw(-7, -3), draw(0.2, 2.2), draw(-2, 2)), Vector(draw(3, 7), draw(0.2, 2.2), draw(-2, 2))
            )
            let (there, back) = (levels(solver, one, other), levels(solver, other, one))
            #expect(
                zip(there, back).dropFirst().prefix(7).allSatisfy { abs($0 - $1) < 0.1 },
                "scene \(number): \(there), \(back)")
        }
    }

    @Test("On the wall of a room whose normals look out a source is in the room")
    func onWall() {
        let solver = solver([Self.hard(Meshes.box(Vector(6, 3, 5)), 1)])
        let listener = Vector(1, 0.2, 0.5)
        let (exact, aside) = (
            levels(solver, Vector(-3, 0.3, 0), listener), levels(solver, Vector(-2.999, 0.3, 0), listener)
        )
        #expect(zip(exact, aside).prefix(9).allSatisfy { abs($0 - $1) < 0.3 }, "\(exact), \(aside)")
    }

    @Test("In the plane of a solid's face it sounds as 1 mm outside of it, within 0.2 dB")
    func planes() {
        let wall = Self.hard(Meshes.box(from: Vector(-0.1, 0, -3), to: Vector(0.1, 2.5, 3)), 1)
        let column = Self.hard(Meshes.box(from: Vector(-0.3, 0, -0.3), to: Vector(0.3, 4, 0.3)), 1)
        let cases: [(Occluder, Vector, Vector, Vector)] = [
            (wall, Vector(-4, 2.5, 0), Vector(4, 1.5, 0.3), Vector(0, 1, 0)),
            (wall, Vector(-4, 2.5, 0), Vector(4, 2.5, 0.3), Vector(0, 1, 0)),
            (wall, Vector(-4, 1.2, 3), Vector(4, 1.2, 2), Vector(0, 0, 1)),
            (wall, Vector(-4, 1.2, 3), Vector(4, 1.2, 4), Vector(0, 0, 1)),
            (wall, Vector(0.1, 1.2, -6), Vector(1, 1.2, 5), Vector(1, 0, 0)),
            (wall, Vector(0.1, 1.2, -1), Vector(0.1, 1.2, 5), Vector(1, 0, 0)),
            (column, Vector(0.3, 1.2, -6), Vector(-0.5, 1.2, 5), Vector(1, 0, 0)),
            (column, Vector(0.3, 1.2, -6), Vector(0.3, 1.2, 5), Vector(1, 0, 0)),
        ]
        for (body, place, other, outward) in cases {
            let solver = solver([body])
            let (exact, aside) = (levels(solver, place, other), levels(solver, place + outward * 0.001, other))
            let back = levels(solver, other, place)
            #expect(zip(exact, aside).prefix(9).allSatisfy { abs($0 - $1) < 0.2 }, "\(place): \(exact), \(aside)")
            #expect(zip(exact, back).prefix(9).allSatisfy { abs($0 - $1) < 0.1 }, "\(place): \(exact), \(back)")
        }
    }
}
