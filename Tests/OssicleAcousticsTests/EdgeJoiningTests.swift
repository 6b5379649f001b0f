@testable import OssicleAcoustics
import OssicleCore
import OssicleTestSupport
import Testing

/// Edges that continue each other across occluders.
@Suite struct EdgeJoiningTests {
    /// A free-standing wall 6 m by 3 m of boxes in line, cut at these places.
    private func wall(cutAt cuts: [Double], thickness: Double = 0.2) -> [Occluder] {
        let ends = [-3] + cuts + [3]
        return zip(ends, ends.dropFirst()).enumerated().map { number, range in
            Occluder(
                Meshes.box(from: Vector(range.0, 0, -thickness / 2), to: Vector(range.1, 3, thickness / 2)),
                id: UInt64(number + 1))
        }
    }

    /// The same as sheets of two triangles.
    private func screen(cutAt cuts: [Double]) -> [Occluder] {
        let ends = [-3] + cuts + [3]
        return zip(ends, ends.dropFirst()).enumerated().map { number, range in
            Occluder(Meshes.sheet([(range.0...range.1, 0...3)]), id: UInt64(number + 1))
        }
    }

    private func solver(_ occluders: [Occluder]) -> DiffractionSolver<PortableTracer> {
        DiffractionSolver(tracer: PortableTracer(AcousticScene(occluders: occluders)))
    }

    private static let places = [
        (Vector(0.4, 1.2, -2), Vector(0.1, 1.5, 3)), (Vector(-1.9, 2, -1), Vector(1.7, 1.1, 2)),
        (Vector(0.9, 2.5, -4), Vector(-0.8, 3.4, 3)), (Vector(2.6, 2.2, -3), Vector(2.5, 1.8, 3)),
    ]

    @Test(
        "A wall in two or three parts, in any order, sounds like the whole one within 0.2 dB",
        arguments: [[0.3], [-1, 1], [1, 1.2]])
    func parts(cuts: [Double]) {
        for make in [{ wall(cutAt: $0) }, { screen(cutAt: $0) }] as [([Double]) -> [Occluder]] {
            let whole = solver(make([]))
            for occluders in [make(cuts), make(cuts).reversed()] {
                let cut = solver(occluders)
                for (source, listener) in Self.places {
                    guard whole.tracer.isBlocked(from: source, to: listener) else {
                        let (lit, expected) = (
                            cut.lit(from: source, to: listener), whole.lit(from: source, to: listener)
                        )
                        #expect(
                            zip(lit.values, expected.values).allSatisfy {
                                abs(Decibels.of(amplitude: Double($0 / $1))) < 0.2
                            })
                        continue
                    }
                    let (paths, wanted) = (
                        cut.paths(from: source, to: listener), whole.paths(from: source, to: listener)
                    )
                    #expect(paths.count == wanted.count && !paths.isEmpty)
                    for (path, want) in zip(paths, wanted) {
                        #expect(path.kind == want.kind && abs(path.length - want.length) < 1e-6)
                        #expect(zip(path.levels(over: 1), want.levels(over: 1)).allSatisfy { abs($0 - $1) < 0.2 })
                    }
                }
            }
        }
    }

    @Test("Only what lies in one line between the same faces and touches is joined")
    func apart() {
        func joined(_ other: TriangleMesh) -> Int {
            SceneEdges(AcousticScene(Occluder(Meshes.box(Vector(2, 2, 2))), Occluder(other, id: 2))).joined.count
        }
        #expect(joined(Meshes.box(Vector(2, 2, 2), at: Vector(2, 0, 0))) == 4)
        #expect(joined(Meshes.box(Vector(2, 2, 2), at: Vector(2.0005, 0, 0))) == 4)
        #expect(joined(Meshes.box(Vector(2, 2, 2), at: Vector(2.01, 0, 0))) == 0)
        // Two edges of a lower one still continue; of one that stands aside none, nor of a screen on top.
        #expect(joined(Meshes.box(Vector(2, 1, 2), at: Vector(2, -0.5, 0))) == 2)
        #expect(joined(Meshes.box(Vector(2, 2, 2), at: Vector(2, 0.2, 0.2))) == 0)
        #expect(joined(Meshes.screen(width: 2, height: 2, at: Vector(0, 2, 1))) == 0)
    }

    @Test("What touching occluders close is no edge, what they leave open is one")
    func closed() {
        func open(_ other: TriangleMesh) -> Int {
            let edges = SceneEdges(AcousticScene(Occluder(Meshes.box(Vector(2, 2, 2))), Occluder(other, id: 2)))
            return edges.joined.count + edges.placed.reduce(0) { $0 + $1.edges.wedges.count - $1.covered.count }
        }
        // Two boxes in line have the edges of one.
        #expect(open(Meshes.box(Vector(2, 2, 2), at: Vector(2, 0, 0))) == 12)
        // Corner to corner no more than a quarter of the space is open on either side of the edge they share.
        #expect(open(Meshes.box(Vector(2, 2, 2), at: Vector(2, 2, 0))) == 24 - 2)
        // Beside a lower one the edge between both bottoms is closed, and so are its own uprights; two edges go on in
        // it.
        #expect(open(Meshes.box(Vector(2, 1, 2), at: Vector(2, -0.5, 0))) == 24 - 4 - 2)
    }

    @Test("Poses, mirrored and scaled ones too, join as the same boxes in place do, and the first part names the edge")
    func posed() throws {
        let box = MeshGeometry(Meshes.box(Vector(1, 1, 1)))
        let turned = Pose(
            position: Vector(3, 0, 0), right: Vector(0, 0, -1), up: Vector(0, 1, 0), back: Vector(1, 0, 0), scale: -2)
        let occluders = [Pose(position: Vector(1, 0, 0), scale: 2), turned].enumerated().map {
            Occluder(id: UInt64($0 + 1), name: "", geometry: box, pose: $1, material: nil)
        }
        let edges = SceneEdges(AcousticScene(occluders: occluders))
        let alone = SceneEdges(AcousticScene(occluders: [occluders[0]]))
        #expect(
            edges.joined.count == 4
                && edges.joined.allSatisfy { abs($0.wedge.length - 4) < 1e-9 && $0.parts.count == 2 })
        for number in edges.joined.indices {
            let own = SceneEdges.Place(set: 2, index: number)
            #expect(edges.identity(own) == alone.identity(edges.joined[number].parts[0]))
            // Both ends' rims once, and the two joined edges across the two faces.
            let neighbours = edges.neighbours(own)
            #expect(neighbours.filter { abs($0.length - 4) < 1e-9 }.count == 2)
            // 2 m by 2 m faces on both sides of the edge.
            let depths = edges.joined[number].wedge.depths
            #expect(abs(depths.x - 2) < 1e-9 && abs(depths.y - 2) < 1e-9)
        }
    }
}
