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
}
