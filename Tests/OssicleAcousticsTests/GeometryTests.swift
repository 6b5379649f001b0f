@testable import OssicleAcoustics
import OssicleCore
import Testing

@Suite struct GeometryTests {
    private func pieces(_ mesh: TriangleMesh) -> [MeshGeometry.Piece] { MeshGeometry(mesh).pieces }
    private let solid = MeshGeometry.Piece(isClosed: true, outward: 1)

    @Test("Boxes and spheres are closed, however their vertices are shared and wound")
    func closedShapes() {
        let box = Meshes.box(Vector(1, 2, 3))
        #expect(pieces(box) == [solid])
        #expect(pieces(Meshes.unwelded(box)) == [solid])
        #expect(pieces(Meshes.box(Vector(1, 2, 3), inverted: true)) == [.init(isClosed: true, outward: -1)])
        #expect(pieces(Meshes.sphere(radius: 2, at: Vector(40, 1, -7))) == [solid])
    }

    @Test("A sheet is open, and so is a box without one triangle")
    func openShapes() {
        let box = Meshes.box(Vector(1, 1, 1))
        let holed = TriangleMesh(vertices: box.vertices, triangles: Array(box.triangles.dropLast()))
        #expect(pieces(Meshes.screen(width: 1, height: 1)).map(\.isClosed) == [false])
        #expect(pieces(holed).map(\.isClosed) == [false])
    }

    @Test(
        "Each piece of a mesh is judged by itself; the normals of an inverted shell inside another look out of the solid, into a cavity"
    )
    func pieceByPiece() {
        let shell = Meshes.joined([
            Meshes.box(Vector(4, 4, 4)), Meshes.box(Vector(3, 3, 3), inverted: true),
            Meshes.screen(width: 9, height: 9, at: Vector(0, 0, 8)),
        ])
        #expect(pieces(shell) == [solid, solid, .init(isClosed: false, outward: 0)])
        let apart = Meshes.joined([
            Meshes.box(Vector(4, 4, 4)), Meshes.box(Vector(3, 3, 3), at: Vector(9, 0, 0), inverted: true),
        ])
        #expect(pieces(apart) == [solid, .init(isClosed: true, outward: -1)])
    }

    @Test("A sheet with a triangle on each side is closed but encloses nothing")
    func doubledSheet() {
        let sheet = Meshes.screen(width: 1, height: 1)
        let back = sheet.triangles.map { SIMD3($0.x, $0.z, $0.y) }
        #expect(
            pieces(TriangleMesh(vertices: sheet.vertices, triangles: sheet.triangles + back)) == [
                .init(isClosed: true, outward: 0)
            ])
    }

    @Test("Lines, points and what lies at the end of the world have no surface")
    func degenerateTriangles() {
        let mesh = TriangleMesh(
            vertices: [.zero, Vector(1, 0, 0), Vector(2, 0, 0), Vector(0, 1, 0), Vector(1e300, 0, 0)],
            triangles: [SIMD3(0, 0, 0), SIMD3(0, 1, 1), SIMD3(0, 1, 2), SIMD3(0, 4, 3)])
        let geometry = MeshGeometry(mesh)
        #expect(geometry.bounds.isEmpty)
        #expect(geometry.mesh.triangles.count == 3)
        #expect(MeshGeometry(TriangleMesh(vertices: [], triangles: [])).bounds.isEmpty)
    }

    @Test("A tree over boxes of any kind finds what testing each box finds")
    func treeFindsAll() {
        let random = CounterRandom(seed: 7, object: 1)
        func place(_ i: Int) -> Vector {
            Vector(random.unit(UInt64(3 * i)), random.unit(UInt64(3 * i + 1)), random.unit(UInt64(3 * i + 2))) * 10
        }
        var boxes = (0..<300).map { Bounds(lower: place($0), upper: place($0) + Vector(0.3, 0, 0.5)) }
        // A hundred in one place, some nowhere, and a cluster that shrinks by powers of two.
        boxes += Array(repeating: boxes[0], count: 100) + Array(repeating: .empty, count: 5)
        boxes += (0..<600).map {
            let x = Double(sign: .plus, exponent: -$0, significand: 1);
            return Bounds(lower: Vector(x, x, x), upper: Vector(2 * x, 2 * x, 2 * x))
        }
        let tree = BoxTree(boxes)
        #expect(tree.order.sorted() == boxes.indices.filter { !boxes[$0].isEmpty }.map { Int32($0) })
        for i in 0..<200 {
            let way = Segment(from: place(1000 + i), to: place(2000 + i))
            var found: Set<Int32> = []
            _ = tree.view.search(way) {
                found.insert(tree.order[$0]); return false
            }
            let expected = boxes.indices.filter {
                !boxes[$0].isEmpty && Slabs(way).meet(boxes[$0].lower, boxes[$0].upper, before: 1)
            }.map { Int32($0) }
            #expect(found.isSuperset(of: expected))
            var inOrder: Set<Int32> = []
            tree.view.searchInOrder(way, { 1 }) { inOrder.insert(tree.order[$0]) }
            #expect(inOrder.isSuperset(of: expected))
        }
    }
}
