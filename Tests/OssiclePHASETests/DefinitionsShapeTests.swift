import OssicleCore
import PHASE
import Testing
@testable import OssiclePHASE

@Suite struct DefinitionsShapeTests {
    private let engine = PHASEEngine(updateMode: .manual)
    private let corners: [SIMD3<Float>] = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]

    /// A mesh of the four corners of a unit square.
    private func square(
        _ indices: [UInt32], _ type: MDLGeometryType, claimedCount: Int? = nil, vertices: [SIMD3<Float>]? = nil
    ) -> MDLMesh {
        let positions = (vertices ?? corners).flatMap { [$0.x, $0.y, $0.z] }
        let vertexBuffer = MDLMeshBufferData(type: .vertex, data: positions.withUnsafeBytes { Data($0) })
        let indexBuffer = MDLMeshBufferData(type: .index, data: indices.withUnsafeBytes { Data($0) })
        let submesh = MDLSubmesh(
            indexBuffer: indexBuffer, indexCount: claimedCount ?? indices.count, indexType: .uInt32, geometryType: type,
            material: nil)
        let descriptor = MDLVertexDescriptor()
        descriptor.addOrReplaceAttribute(
            MDLVertexAttribute(name: MDLVertexAttributePosition, format: .float3, offset: 0, bufferIndex: 0))
        (descriptor.layouts[0] as? MDLVertexBufferLayout)?.stride = 12
        return MDLMesh(
            vertexBuffer: vertexBuffer, vertexCount: positions.count / 3, descriptor: descriptor, submeshes: [submesh])
    }

    private func area(_ mesh: TriangleMesh) -> Vector {
        mesh.triangles.indices.reduce(Vector.zero) { (sum: Vector, triangle: Int) -> Vector in
            let (a, b, c) = mesh.corners(triangle)
            return sum + (b - a).cross(c - a) / 2
        }
    }

    @Test(
        "triangles, quads and strips give the same oriented surface (exact)",
        arguments: [
            ([0, 1, 2, 0, 2, 3], MDLGeometryType.triangles), ([0, 1, 2, 3], .quads), ([0, 1, 3, 2], .triangleStrips),
            ([0, 1, 3, 3, 3, 1, 1, 2, 3], .triangleStrips),
        ] as [([UInt32], MDLGeometryType)])
    func kinds(indices: [UInt32], type: MDLGeometryType) {
        let shape = PHASEShape(engine: engine, mesh: square(indices, type))
        #expect(shape.mesh.triangles.count == 2 && shape.elements.count == 1)
        #expect(area(shape.mesh) == Vector(0, 0, 1))
        #expect(engine.recordedErrors.isEmpty)
    }

    @Test("a generated box has the surface of its sides (1e-5), closed")
    func box() {
        let mesh = MDLMesh.newBox(
            withDimensions: [1, 2, 3], segments: [1, 1, 1], geometryType: .triangles, inwardNormals: false,
            allocator: nil)
        let shape = PHASEShape(engine: engine, mesh: mesh)
        let surface = shape.mesh.triangles.indices.map { index -> Double in
            let (a, b, c) = shape.mesh.corners(index)
            return (b - a).cross(c - a).magnitude / 2
        }.reduce(0, +)
        #expect(abs(surface - 22) < 1e-5 && area(shape.mesh).magnitude < 1e-5)
        #expect(engine.recordedErrors.isEmpty)
    }

    @Test("indices out of range, positions that are not finite and counts beyond the buffer are left out and recorded")
    func broken() {
        let stray = PHASEShape(engine: engine, mesh: square([0, 1, 2, 0, 2, 900, 0, 1, .max], .triangles))
        #expect(stray.mesh.triangles.count == 1 && engine.recordedErrors.count == 1)
        var bent = corners
        bent[3].y = .nan
        #expect(
            PHASEShape(engine: engine, mesh: square([0, 1, 2, 0, 2, 3], .triangles, vertices: bent)).mesh.triangles
                .count == 1)
        #expect(engine.recordedErrors.count == 2)
        #expect(
            PHASEShape(engine: engine, mesh: square([0, 1, 2, 3], .quads, claimedCount: 4000)).mesh.triangles.count == 2
        )
    }

    @Test("lines, no positions and no submeshes give a shape without surface, and an error each that names the mesh")
    func empty() {
        let lines = square([0, 1], .lines)
        lines.name = "wire"
        #expect(PHASEShape(engine: engine, mesh: lines).mesh.triangles.isEmpty)
        #expect(
            engine.recordedErrors.count == 1
                && engine.recordedErrors.first?.localizedDescription.contains("“wire”") == true)
        let nothing = PHASEShape(engine: engine, mesh: MDLMesh(bufferAllocator: nil))
        #expect(nothing.mesh.triangles.isEmpty && nothing.elements.isEmpty && engine.recordedErrors.count == 3)
    }

    @Test("materials go round; an empty list is recorded and leaves none")
    func materials() {
        let wood = PHASEMaterial(engine: engine, preset: .wood)
        let shape = PHASEShape(
            engine: engine, mesh: square([0, 1, 2, 3], .quads),
            materials: [wood, PHASEMaterial(engine: engine, preset: .glass)])
        #expect(shape.elements.map { $0.material === wood } == [true] && engine.recordedErrors.isEmpty)
        let bare = PHASEShape(engine: engine, mesh: square([0, 1, 2, 3], .quads), materials: [])
        #expect(bare.elements.count == 1 && bare.elements[0].material == nil && engine.recordedErrors.count == 1)
    }

    @Test("a copy has elements of its own")
    func copies() throws {
        let shape = PHASEShape(
            engine: engine, mesh: square([0, 1, 2, 3], .quads),
            materials: [PHASEMaterial(engine: engine, preset: .wood)])
        let copy = try #require(shape.copy() as? PHASEShape)
        copy.elements[0].material = nil
        #expect(shape.elements[0].material != nil && copy.mesh == shape.mesh)
    }
}
