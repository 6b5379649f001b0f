@testable import OssicleAcoustics
import OssicleCore
import Testing

/// Absorption by the angle of incidence, against the admittance of a locally reacting surface.
@Suite struct LocalReactionTests {
    private static func felt(_ absorption: Double) -> AcousticMaterial {
        AcousticMaterial(
            name: "felt", absorption: OctaveBands(repeating: Float(absorption)), scattering: .zeros,
            transmissionLoss: OctaveBands(repeating: 200), isLocallyReacting: true)
    }

    /// 1 − α(θ) of an admittance g.
    private static func reflected(_ g: Double, cosine: Double) -> Double {
        let amplitude = (cosine - g) / (cosine + g)
        return amplitude * amplitude
    }

    @Test(
        "A diffuse field loses the statistical coefficient: the mean over all angles is within 0.1 % of it, within 1 % above 0.95"
    )
    func mean() {
        for absorption in [0.001, 0.05, 0.2, 0.5, 0.8, 0.94, 0.97] {
            let reaction = LocalReaction(reflected: OctaveBands(repeating: Float(1 - absorption)))
            let count = 4000
            let mean =
                (0..<count).reduce(0.0) { sum, step in
                    // ∫ f sin 2θ dθ = ∫ f d(cos² θ)
                    sum + Double(reaction.factor(cosine: Float(((Double(step) + 0.5) / Double(count)).squareRoot()))[5])
                } / Double(count)
            let absorbed = 1 - mean * (1 - absorption)
            // Factors are single precision.
            let limit = 1e-5 + absorption * (absorption < 0.95 ? 1e-3 : 1e-2)
            #expect(abs(absorbed - absorption) < limit, "\(absorption): \(absorbed)")
        }
    }

    @Test("Nothing is absorbed at grazing incidence and everything where cos θ is the admittance; hard walls stay hard")
    func angles() {
        let absorption = 0.6
        let g = WallAdmittance.conductance(absorption: absorption)
        let reaction = LocalReaction(reflected: OctaveBands(repeating: Float(1 - absorption)))
        #expect(reaction.factor(cosine: Float(g))[5] < 1e-6)
        #expect(abs(reaction.factor(cosine: 1e-5)[5] * 0.4 - 1) < 1e-3)
        let hard = LocalReaction(reflected: .ones)
        #expect([0.001, 0.5, 1].allSatisfy { hard.factor(cosine: $0)[3] == 1 })
    }

    @Test(
        "An image has |(cos θ − g)/(cos θ + g)| of the amplitude, and rays its energy within 0.4 dB",
        arguments: [0.3, 0.7])
    func wall(absorption: Double) throws {
        let wall = Occluder(
            id: 1, name: "wall", geometry: MeshGeometry(Meshes.screen(width: 400, height: 400)),
            material: Self.felt(absorption))
        let tracer = PortableTracer(AcousticScene(occluders: [wall]))
        let g = WallAdmittance.conductance(absorption: absorption)
        for (source, listener) in [(Vector(-1, 0, 6), Vector(3, 2, 6)), (Vector(-9, 0, 6), Vector(9, 0, 6.5))] {
            let paths = ImageSourceSolver(tracer: tracer).reflections(of: source, at: listener, order: 1, limit: 4)
            let path = try #require(paths.count == 1 ? paths[0] : nil)
            let cosine = (source.z + listener.z) / path.length
            let expected = Self.reflected(g, cosine: cosine)
            #expect(abs(Double(path.bandGains[5] * path.bandGains[5]) - expected) < 1e-5)
            var settings = RaySettings(rays: 100_000, bounces: 4, specularFrom: 1, duration: 0.1, hearsRoom: false)
            settings.includesAir = false
            let found = LateTracer(tracer: tracer, settings: settings, seed: 5).trace(
                sources: [source], listener: listener)
            let energy = found.sources[0].bins.reduce(0) { $0 + Double($1[5]) } * path.length * path.length
            #expect(abs(Decibels.of(energy: energy / expected)) < 0.4, "\(energy) for \(expected)")
        }
    }

    @Test("A box whose walls reflect by the angle has its images by search, and those of a box of the same shape")
    func box() {
        let extent = Vector(6, 3, 5)
        let mesh = Meshes.box(extent, at: extent / 2)
        let room = Occluder(id: 1, name: "room", geometry: MeshGeometry(mesh), material: Self.felt(0.3))
        #expect(BoxRoom(inside: room) == nil)
        let solver = ImageSourceSolver(tracer: PortableTracer(AcousticScene(occluders: [room])))
        let (source, place) = (Vector(1.1, 1.2, 1.3), Vector(4, 1.7, 3.2))
        let plain = BoxRoom(corner: .zero, size: extent, walls: [])
        #expect(solver.reachableOrder(5, from: source, to: place) == 5)
        let found = solver.reflections(of: source, at: place, order: 5, limit: 4096).map(\.length).sorted()
        let expected = plain.paths(of: source, at: place, order: 5).map(\.length).sorted()
        #expect(found.count == expected.count && zip(found, expected).allSatisfy { abs($0 - $1) < 1e-6 })
    }
}
