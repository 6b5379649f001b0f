@testable import OssicleAcoustics
import OssicleCore
import Testing

@Suite struct BentReflectionTests {
    /// A mirror in z = 0 and, 6 m before it, a screen whose edge is the line x = 0: it hides from whom stands behind it
    /// what the mirror sends.
    private let mirror = Occluder(
        id: 1, name: "mirror", geometry: MeshGeometry(Meshes.screen(width: 400, height: 400)),
        material: ReflectionScenes.surface(0.2))
    private let screen = Occluder(Meshes.screen(width: 60, height: 60, at: Vector(30, 0, 6)), id: 2)
    private let source = Vector(-6, 0, 6)
    private let image = Vector(-6, 0, -6)
    private let quality = AcousticQuality(
        rays: 1, bounces: 1, reflectionOrder: 1, reflections: 20, edges: 1, bendsReflections: true)

    private func solver(_ quality: AcousticQuality? = nil) -> GeometrySolver<PortableTracer> {
        GeometrySolver(tracer: PortableTracer(AcousticScene(mirror, screen)), quality: quality ?? self.quality)
    }

    /// What comes by way of the mirror.
    private func mirrored(_ solver: GeometrySolver<PortableTracer>, _ listener: Vector) -> [SoundPath] {
        solver.paths(DirectPathQuery(source: .point(source), listener: listener)).reflections.filter {
            abs($0.corners[0].z) < 1e-6
        }
    }

    @Test(
        "Walking out of a reflection behind a screen changes no band from 125 Hz to 8 kHz by more than 1.5 dB per 7.5 cm",
        arguments: [0.3, 1.7])
    func walk(height: Double) {
        let solver = solver()
        let walk = (0...400).map { step in mirrored(solver, Vector(2 + Double(step) * 0.015, height, 16)) }
        // Only one of the two is there at a time: no phases to choose.
        let levels = walk.map { paths in
            (2...8).map { band in
                Decibels.of(amplitude: paths.reduce(1e-9) { $0 + Double($1.bandGains[band]) / $1.length })
            }
        }
        let steps = zip(levels, levels.dropFirst(5)).map { before, after in
            zip(before, after).map { abs($0 - $1) }.max() ?? 0
        }
        let kinds = walk.map { $0.map(\.kind) }
        let worst = steps.max() ?? 100
        // The far edges of the screen bend a little as well.
        #expect(kinds[0] == [.reflection(order: 1)] && kinds[400].first == .diffractedReflection(order: 1))
        #expect(!kinds[400].contains(.reflection(order: 1)))
        #expect(worst < 1.5)
        // It is a real change: from the whole reflection to little of it.
        let drop = (levels.first?[6] ?? 0) - (levels.last?[6] ?? 0)
        #expect(drop > 15)
    }

    @Test("A bent reflection is the image's own sound around the edge, times what the mirror leaves")
    func bent() throws {
        let open = DiffractionSolver(screen)
        for x in [5.2, 6, 8, 12] {
            let listener = Vector(x, 0.4, 16)
            let bent = try #require(mirrored(solver(), listener).first)
            let around = try #require(open.paths(from: image, to: listener, edges: 1).first)
            let isSame = zip(bent.bandGains.values, around.bandGains.values).allSatisfy {
                abs($0 - $1 * Float(0.8.squareRoot())) < 1e-5
            }
            #expect(isSame && abs(bent.length - around.length) < 1e-9)
            #expect((bent.arrival - around.arrival).magnitude < 1e-9)
            // It leaves towards the mirror.
            let departure = around.departure
            #expect((bent.departure - Vector(departure.x, departure.y, -departure.z)).magnitude < 1e-6)
            let points = [source] + bent.corners + [listener]
            let length = zip(points, points.dropFirst()).reduce(0.0) { $0 + ($1.1 - $1.0).magnitude }
            #expect(abs(length - bent.length) < 1e-6)
        }
    }

    @Test("In sight of the reflection the edge takes from it what it takes from the image's sound")
    func lit() throws {
        let open = DiffractionSolver(screen)
        for x in [2.0, 4, 4.8] {
            let listener = Vector(x, 0.4, 16)
            let plain = try #require(mirrored(solver(), listener).first)
            let factor = open.lit(from: image, to: listener)
            let isSame = zip(plain.bandGains.values, factor.values).allSatisfy {
                abs($0 - $1 * Float(0.8.squareRoot())) < 1e-5
            }
            #expect(isSame && plain.kind == .reflection(order: 1))
        }
    }

    @Test("Qualities that do not bend reflections lose them at the boundary, as before")
    func unbent() {
        var plain = quality
        plain.bendsReflections = false
        #expect(mirrored(solver(plain), Vector(4.5, 0.3, 16)).count == 1)
        #expect(mirrored(solver(plain), Vector(5.5, 0.3, 16)).isEmpty)
    }

    @Test("Bent ones count towards the budget, and none appears twice")
    func budget() {
        let partition = Occluder(Meshes.box(Vector(0.2, 3, 2), at: Vector(3, 2, 1.2)), id: 8)
        let scene = AcousticScene(ReflectionScenes.tableRoom(), partition)
        var quality = AcousticQuality.reference
        quality.reflectionOrder = 2
        let (source, listener) = (Vector(1.5, 2, 1), Vector(4.5, 2.2, 1.1))
        let query = DirectPathQuery(source: .point(source), listener: listener)
        let all = GeometrySolver(tracer: PortableTracer(scene), quality: quality).paths(query).reflections
        let bent = all.filter { if case .diffractedReflection = $0.kind { true } else { false } }
        #expect(!bent.isEmpty && Set(all.map(\.identity)).count == all.count)
        for path in bent {
            let points = [source] + path.corners + [listener]
            let length = zip(points, points.dropFirst()).reduce(0.0) { $0 + ($1.1 - $1.0).magnitude }
            #expect(abs(length - path.length) < 1e-3)
        }
        quality.reflections = 7
        #expect(GeometrySolver(tracer: PortableTracer(scene), quality: quality).paths(query).reflections.count == 7)
    }
}
