@testable import OssicleAcoustics
import OssicleCore
import Testing

@Suite struct DiffractionEdgeTests {
    private func lengths(_ mesh: TriangleMesh) -> [Double] {
        EdgeSet(mesh).wedges.map { ($0.length * 1000).rounded() / 1000 }.sorted()
    }

    @Test("A box has twelve right-angled edges, however its corners are stored and whichever way it is wound")
    func box() {
        let box = Meshes.box(Vector(1, 2, 3))
        for mesh in [
            box, Meshes.unwelded(box), Meshes.box(Vector(1, 2, 3), inverted: true),
            TriangleMesh(vertices: box.vertices, triangles: box.triangles + box.triangles),
        ] {
            let wedges = EdgeSet(mesh).wedges
            #expect(wedges.count == 12 && wedges.allSatisfy { abs($0.openness - 1.5) < 1e-9 })
            // The open side is the outer one.
            #expect(wedges.allSatisfy { ($0.start + $0.direction * ($0.length / 2)).dot($0.outward) > 0.3 })
            #expect(lengths(mesh) == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3])
        }
    }

    @Test("Triangulation makes no edges, and pieces of a rim are one edge")
    func chains() {
        #expect(lengths(Meshes.screen(width: 2, height: 3)) == [2, 2, 3, 3])
        #expect(EdgeSet(Meshes.screen(width: 2, height: 3)).wedges.allSatisfy { $0.openness == 2 })
        // Four outer edges (the lower one in two parts beside the door), and three of the door.
        #expect(lengths(Meshes.doorSheet) == [0.9, 2.1, 2.1, 3, 3, 3.55, 3.55, 8])
        let strip = Meshes.sheet(
            (0..<50).map { (piece: Int) -> (x: ClosedRange<Double>, y: ClosedRange<Double>) in
                (Double(piece) * 0.1...Double(piece + 1) * 0.1, 0...1)
            })
        #expect(lengths(strip) == [1, 1, 5, 5])
    }

    @Test("Of triangles around one line the widest gap is open, a fold is a screen, a flat one none")
    func fans() {
        let fan = TriangleMesh(
            vertices: [.zero, Vector(0, 1, 0), Vector(1, 0, 0), Vector(0, 0, 1), Vector(1, 0, 1)],
            triangles: [SIMD3(0, 1, 2), SIMD3(0, 1, 3), SIMD3(1, 0, 4)])
        let spine = EdgeSet(fan).wedges.filter {
            $0.direction.y.magnitude > 0.999 && $0.start.x.magnitude + $0.start.z.magnitude < 1e-9
        }
        #expect(spine.count == 1 && abs((spine.first?.openness ?? 0) - 1.5) < 1e-9)
        let fold = TriangleMesh(
            vertices: [.zero, Vector(0, 1, 0), Vector(1, 0, 0), Vector(2, 0.5, 0)],
            triangles: [SIMD3(0, 1, 2), SIMD3(0, 1, 3)])
        #expect(EdgeSet(fold).wedges.contains { $0.openness == 2 && $0.direction.y.magnitude > 0.999 })
        #expect(
            EdgeSet(TriangleMesh(vertices: [.zero, Vector(1, 0, 0), Vector(2, 0, 0)], triangles: [SIMD3(0, 1, 2)]))
                .wedges.isEmpty)
        #expect(EdgeSet(TriangleMesh(vertices: [], triangles: [])).wedges.isEmpty)
    }

    @Test("A pose takes edges along, mirrored ones too")
    func posed() {
        let wedge = EdgeSet(Meshes.box(Vector(1, 2, 3))).wedges[0]
        let pose = Pose(
            position: Vector(3, 0, 0), right: Vector(0, 0, -1), up: Vector(0, 1, 0), back: Vector(1, 0, 0), scale: -2)
        let placed = wedge.placed(pose)
        #expect(
            (placed.end - pose.toWorld(wedge.end)).magnitude < 1e-12 && abs(placed.length - 2 * wedge.length) < 1e-12)
        let inside = pose.toWorld(.zero)
        let outside = pose.toWorld(wedge.start + wedge.direction * (wedge.length / 2) + wedge.outward * 0.5)
        #expect(!placed.isOpen(placed.planar(inside)) && placed.isOpen(placed.planar(outside)))
    }

    @Test("A search finds the edges that trying all of them finds", arguments: [SceneEdges.Standing.sees, .parts])
    func search(standing: SceneEdges.Standing) {
        let random = CounterRandom(seed: 31, object: 7)
        func place(_ draw: Int, in size: Vector) -> Vector {
            let draw = UInt64(3 * draw)
            return (Vector(random.unit(draw), random.unit(draw + 1), random.unit(draw + 2)) - 0.5) * size
        }
        let brick = MaterialLibrary.material(.brick)
        let crate = MeshGeometry(Meshes.box(Vector(1, 2, 3)))
        let edges = SceneEdges(
            AcousticScene(
                occluders: [
                    Occluder(
                        id: 1, name: "", geometry: MeshGeometry(Meshes.room(bodies: 20, rings: 6, sectors: 6)),
                        material: brick)
                ]
                    + (0..<6).map {
                        Occluder(
                            id: UInt64(2 + $0), name: "", geometry: crate,
                            pose: Pose(position: place(1000 + $0, in: Vector(40, 10, 40)), scale: $0 < 3 ? -0.5 : 2),
                            material: brick)
                    }))
        let all =
            edges.placed.indices.flatMap { set in
                edges.placed[set].edges.wedges.indices.filter { !edges.placed[set].covered.contains($0) }.map {
                    edges.wedge(SceneEdges.Place(set: set, index: $0))
                }
            } + edges.joined.map(\.wedge)
        for draw in 0..<100 {
            let (a, b) = (place(2 * draw, in: Vector(30, 8, 30)), place(2 * draw + 1, in: Vector(30, 8, 30)))
            let lengths = all.filter { wedge in
                let (p, q) = (wedge.planar(a), wedge.planar(b))
                guard wedge.isOpen(p), wedge.isOpen(q) else { return false }
                return (wedge.clearance(p, q) > 0) == (standing == .sees)
            }.map { wedge in
                let point = wedge.point(at: wedge.shortestPlace(a, b))
                return (a - point).magnitude + (point - b).magnitude
            }.sorted().prefix(12)
            let found = edges.nearest(from: a, to: b, standing: standing, count: 12).map(\.length)
            #expect(found.count == lengths.count && zip(found, lengths).allSatisfy { abs($0 - $1) < 1e-9 })
        }
    }

    @Test("No path over a point of a box is shorter than its bound, and for a single point the bound is the path")
    func detours() {
        let random = CounterRandom(seed: 5, object: 3)
        for draw in 0..<5000 {
            func value(_ number: Int) -> Double { random.unit(UInt64(24 * draw + number)) }
            func vector(_ number: Int) -> Vector { Vector(value(number), value(number + 1), value(number + 2)) }
            let (a, b, centre) = (vector(0) * 20, vector(3) * 20, vector(6) * 20)
            let half = vector(9) * vector(12) * vector(15) * 8
            let point = centre + half * (2 * vector(18) - 1)
            func length(_ p: Vector) -> Double { (p - a).magnitude + (b - p).magnitude }
            let detours = Detours(a, b)
            #expect(detours.shortest(by: centre - half, centre + half) <= length(point))
            #expect(abs(detours.shortest(by: centre, centre) - length(centre)) < 1e-5)
        }
    }
}
