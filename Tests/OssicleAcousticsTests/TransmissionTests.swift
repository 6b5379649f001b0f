@testable import OssicleAcoustics
import OssicleCore
import Testing

@Suite struct TransmissionTests {
    private let listener = Vector(0.13, 0.07, 3)
    private let source = SourceGeometry.point(Vector(-0.11, 0.05, -3))

    private func losses(
        _ occluders: Occluder..., source: SourceGeometry? = nil, listener: Vector? = nil,
        rule: TransmissionRule = .init()
    ) -> [Double] {
        DirectPathSolver(scene: AcousticScene(occluders: occluders), transmission: rule)
            .solve(source: source ?? self.source, listener: listener ?? self.listener).losses
    }

    private func table(_ name: String) -> [Double] {
        MaterialLibrary[name]?.transmissionLoss.values.map(Double.init) ?? []
    }

    private func expect(
        _ losses: [Double], _ expected: [Double], within tolerance: Double = 0.001, _ comment: String = ""
    ) {
        #expect(
            zip(losses, expected).allSatisfy { abs($0 - $1) < tolerance }, "\(comment) \(losses) is not \(expected)")
    }

    @Test(
        "A wall that blocks all takes what its material's table says within 0.001 dB, as a sheet and at any thickness",
        arguments: MaterialLibrary.Preset.allCases)
    func walls(preset: MaterialLibrary.Preset) {
        let name = preset.rawValue
        expect(losses(Occluder(Meshes.screen(width: 50, height: 50), name)), table(name), "sheet")
        for thickness in [0.001, 0.01, 0.1, 0.5, 2] {
            expect(losses(Occluder(Meshes.box(Vector(50, 50, thickness)), name)), table(name), "\(thickness) m")
            expect(
                losses(Occluder(Meshes.box(Vector(50, 50, thickness), inverted: true), name)), table(name),
                "inverted \(thickness) m")
        }
    }

    @Test("The losses of several walls add, down to 80 dB in all")
    func wallsAdd() {
        let glass = Occluder(Meshes.box(Vector(50, 50, 0.1)), "glass")
        let wood = Occluder(Meshes.screen(width: 50, height: 50, at: Vector(0, 0, 1)), "wood", id: 2)
        let brick = Occluder(Meshes.box(Vector(50, 50, 0.1), at: Vector(0, 0, -1)), "brick", id: 3)
        expect(losses(glass, wood), zip(table("glass"), table("wood")).map { min($0 + $1, 80) })
        expect(
            losses(glass, wood, brick),
            zip(table("glass"), zip(table("wood"), table("brick"))).map { min($0 + $1.0 + $1.1, 80) })
        expect(losses(Occluder(Meshes.screen(width: 50, height: 50), "rigid")), Array(repeating: 80, count: 10))
    }

    @Test("Source or listener inside a solid hears its loss once; both inside, none")
    func inside() {
        let room = Occluder(Meshes.box(Vector(2, 2, 2), at: Vector(0, 0, 3)), "drywall")
        expect(losses(room), table("drywall"), "listener inside")
        expect(losses(room, source: .point(listener), listener: Vector(0, 0, -3)), table("drywall"), "source inside")
        expect(losses(room, source: .point(Vector(-0.4, 0.3, 2.5))), table("open"), "both inside")
        let other = Occluder(Meshes.box(Vector(2, 2, 2), at: Vector(0, 0, -3)), "glass", id: 2)
        expect(
            losses(room, other), zip(table("drywall"), table("glass")).map { min($0 + $1, 80) },
            "each in a room of its own")
    }

    @Test("A shell of two walls around a cavity costs once each way, and both ways through twice")
    func shells() {
        let shell = Meshes.joined([
            Meshes.box(Vector(2, 2, 2), at: Vector(0, 0, 3)),
            Meshes.box(Vector(1.8, 1.8, 1.8), at: Vector(0, 0, 3), inverted: true),
        ])
        let room = Occluder(shell, "drywall")
        expect(losses(room), table("drywall"), "into the cavity")
        expect(losses(room, source: .point(listener), listener: Vector(0, 0, -3)), table("drywall"), "out of it")
        expect(
            losses(room, listener: Vector(0.13, 0.07, 9)), table("drywall").map { min(2 * $0, 80) },
            "through both walls")
    }

    @Test("Two rooms in one mesh: out of the one and into the other costs twice")
    func twoRoomsInOneMesh() {
        let rooms = Meshes.joined([
            Meshes.box(Vector(2, 2, 2), at: Vector(0, 0, 3)), Meshes.box(Vector(2, 2, 2), at: Vector(0, 0, -3)),
        ])
        expect(losses(Occluder(rooms, "wood")), table("wood").map { min(2 * $0, 80) })
    }

    @Test("A doubled sheet costs once, an open mesh each time it is crossed")
    func sheets() {
        let sheet = Meshes.screen(width: 50, height: 50)
        let doubled = TriangleMesh(
            vertices: sheet.vertices, triangles: sheet.triangles + sheet.triangles.map { SIMD3($0.x, $0.z, $0.y) })
        expect(losses(Occluder(doubled, "glass")), table("glass"))
        let curtain = Meshes.joined([sheet, Meshes.screen(width: 50, height: 50, at: Vector(0, 0, 0.2))])
        expect(losses(Occluder(curtain, "curtain_heavy")), table("curtain_heavy").map { 2 * $0 })
    }

    @Test(
        "Elements have materials of their own; a pair of different faces costs the larger loss; none given is concrete")
    func elements() {
        let mesh = Meshes.box(Vector(50, 50, 0.2), elements: [0, 0, 0, 0, 1, 2])
        let geometry = MeshGeometry(mesh)
        let wall = Occluder(
            id: 1, name: "wall", geometry: geometry,
            materials: [nil, MaterialLibrary["glass"], MaterialLibrary["wood"]])
        expect(losses(wall), zip(table("glass"), table("wood")).map { max($0, $1) })
        expect(losses(Occluder(id: 1, name: "wall", geometry: geometry, materials: [])), table("concrete"))
    }

    @Test("The correction for thickness is asked for, and bounded by −10 and +15 dB")
    func thickness() {
        let rule = TransmissionRule(correctsThickness: true)
        // 200 mm concrete is the reference; straight through.
        let place = Vector(0, 0, 3)
        for (thickness, correction) in [(0.2, 0.0), (0.1, -6.02), (0.02, -10), (1, 13.98), (2, 15)] {
            let found = losses(
                Occluder(Meshes.box(Vector(50, 50, thickness)), "concrete"), source: .point(Vector(0, 0, -3)),
                listener: place, rule: rule)
            expect(found, table("concrete").map { min($0 + correction, 80) }, within: 0.02, "\(thickness)")
        }
        expect(
            losses(Occluder(Meshes.screen(width: 50, height: 50), "concrete"), rule: rule), table("concrete"),
            "a sheet has no thickness")
    }
}
