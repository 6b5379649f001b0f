import Foundation
import OssicleSIMD

/// The same surfaces by class methods; see the initialisers for sizes, limits and kinds of geometry.
extension MDLMesh {
    /// A box with full side lengths.
    @discardableResult
    public class func newBox(
        withDimensions dimensions: vector_float3, segments: vector_uint3, geometryType: MDLGeometryType,
        inwardNormals: Bool,
        allocator: (any MDLMeshBufferAllocator)?
    ) -> Self {
        let mesh = self.init(bufferAllocator: allocator)
        let segments = SIMD3(
            MeshLimits.segments(segments.x), MeshLimits.segments(segments.y), MeshLimits.segments(segments.z))
        mesh.take(.box(size: dimensions, segments: segments), inwardNormals, geometryType: geometryType)
        return mesh
    }

    /// An ellipsoid, or with `hemisphere` its open upper half.
    ///
    /// `radii` are true radii, from the centre to the surface, as the name says. (Apple's page words them as the size
    /// of the box around it.)
    @discardableResult
    public class func newEllipsoid(
        withRadii radii: vector_float3, radialSegments: Int, verticalSegments: Int, geometryType: MDLGeometryType,
        inwardNormals: Bool, hemisphere: Bool, allocator: (any MDLMeshBufferAllocator)?
    ) -> Self {
        let mesh = self.init(bufferAllocator: allocator)
        mesh.take(
            .ellipsoid(
                radii: radii, radialSegments: MeshLimits.segments(radialSegments, atLeast: 3),
                verticalSegments: MeshLimits.segments(verticalSegments), isHemisphere: hemisphere, cap: false),
            inwardNormals, geometryType: geometryType)
        return mesh
    }

    /// A closed cylinder along Y with radii in X and Z.
    @discardableResult
    public class func newCylinder(
        withHeight height: Float, radii: vector_float2, radialSegments: Int, verticalSegments: Int,
        geometryType: MDLGeometryType, inwardNormals: Bool, allocator: (any MDLMeshBufferAllocator)?
    ) -> Self {
        let mesh = self.init(bufferAllocator: allocator)
        mesh.take(
            .cylinder(
                size: SIMD3(radii.x, height, radii.y), radialSegments: MeshLimits.segments(radialSegments, atLeast: 3),
                verticalSegments: MeshLimits.segments(verticalSegments), topCap: true, bottomCap: true), inwardNormals,
            geometryType: geometryType)
        return mesh
    }

    /// A cylinder along Y with round ends; `height` is that of the whole.
    @discardableResult
    public class func newCapsule(
        withHeight height: Float, radii: vector_float2, radialSegments: Int, verticalSegments: Int,
        hemisphereSegments: Int,
        geometryType: MDLGeometryType, inwardNormals: Bool, allocator: (any MDLMeshBufferAllocator)?
    ) -> Self {
        let mesh = self.init(bufferAllocator: allocator)
        mesh.take(
            .capsule(
                size: SIMD3(radii.x, height, radii.y), radialSegments: MeshLimits.segments(radialSegments, atLeast: 3),
                verticalSegments: MeshLimits.segments(verticalSegments),
                hemisphereSegments: MeshLimits.segments(hemisphereSegments)),
            inwardNormals, geometryType: geometryType)
        return mesh
    }

    /// A closed cone along Y, its tip on top.
    @discardableResult
    public class func newEllipticalCone(
        withHeight height: Float, radii: vector_float2, radialSegments: Int, verticalSegments: Int,
        geometryType: MDLGeometryType, inwardNormals: Bool, allocator: (any MDLMeshBufferAllocator)?
    ) -> Self {
        let mesh = self.init(bufferAllocator: allocator)
        mesh.take(
            .cone(
                size: SIMD3(radii.x, height, radii.y), radialSegments: MeshLimits.segments(radialSegments, atLeast: 3),
                verticalSegments: MeshLimits.segments(verticalSegments), cap: true), inwardNormals,
            geometryType: geometryType)
        return mesh
    }

    /// Twenty triangles; `radius` is from the centre to the corners.
    @discardableResult
    public class func newIcosahedron(
        withRadius radius: Float, inwardNormals: Bool, allocator: (any MDLMeshBufferAllocator)?
    ) -> Self {
        newIcosahedron(withRadius: radius, inwardNormals: inwardNormals, geometryType: .triangles, allocator: allocator)
    }

    /// Twenty triangles, or their edges or corners; `radius` is from the centre to the corners.
    @discardableResult
    public class func newIcosahedron(
        withRadius radius: Float, inwardNormals: Bool, geometryType: MDLGeometryType,
        allocator: (any MDLMeshBufferAllocator)?
    ) -> Self {
        let mesh = self.init(bufferAllocator: allocator)
        mesh.take(.icosahedron(radii: SIMD3(repeating: radius)), inwardNormals, geometryType: geometryType)
        return mesh
    }

    /// A rectangle in the XZ plane with normals along +Y.
    @discardableResult
    public class func newPlane(
        withDimensions dimensions: vector_float2, segments: vector_uint2, geometryType: MDLGeometryType,
        allocator: (any MDLMeshBufferAllocator)?
    ) -> Self {
        let mesh = self.init(bufferAllocator: allocator)
        mesh.take(
            .plane(
                size: SIMD3(dimensions.x, 0, dimensions.y),
                segments: SIMD2(MeshLimits.segments(segments.x), MeshLimits.segments(segments.y))),
            false, geometryType: geometryType)
        return mesh
    }
}

/// Every level cuts each triangle into four at the middles of its edges; the surface keeps its shape. Attributes are
/// averaged.
///
/// The result holds one submesh, of triangles. Levels end before the triangles would be more than 4 194 304.
extension MDLMesh {
    /// A submesh of `mesh` with smaller triangles. Empty if there is no submesh with that index, or none that has
    /// faces.
    public convenience init(
        meshBySubdividingMesh mesh: MDLMesh, submeshIndex: Int32, subdivisionLevels: UInt32,
        allocator: (any MDLMeshBufferAllocator)?
    ) {
        self.init(bufferAllocator: allocator ?? mesh.allocator)
        subdivide(mesh, submeshIndex: Int(submeshIndex), levels: Int(subdivisionLevels))
    }

    /// A submesh of `mesh` with smaller triangles. Nil if there is no submesh with that index, or none that has faces.
    @discardableResult
    public class func newSubdividedMesh(_ mesh: MDLMesh, submeshIndex: Int, subdivisionLevels: Int) -> Self? {
        let result = self.init(bufferAllocator: mesh.allocator)
        return result.subdivide(mesh, submeshIndex: submeshIndex, levels: subdivisionLevels) ? result : nil
    }

    @discardableResult
    private func subdivide(_ mesh: MDLMesh, submeshIndex: Int, levels: Int) -> Bool {
        guard mesh.allSubmeshes.indices.contains(submeshIndex) else { return false }
        let submesh = mesh.allSubmeshes[submeshIndex]
        var table = VertexTable(
            reading: mesh.layout.usedAttributes.map { $0.duplicate() }, from: mesh, stored: mesh.layout)
        var triangles = mesh.triangles(of: submesh)
        guard !triangles.isEmpty else { return false }
        for _ in 0..<max(0, levels) {
            guard triangles.count / 3 <= MeshLimits.subdividedTriangles / 4 else { break }
            triangles = Self.quartered(triangles, &table)
        }
        guard store(table, by: mesh.layout) else { return false }
        name = mesh.name
        submeshes = [
            MDLSubmesh(
                (triangles, nil), indexType: .reaching(vertexCount: vertexCount), geometryType: .triangles,
                like: submesh,
                allocator: allocator)
        ]
        return true
    }

    private static func quartered(_ triangles: [UInt32], _ table: inout VertexTable) -> [UInt32] {
        var middles: [SIMD2<UInt32>: UInt32] = [:]
        func middle(_ a: UInt32, _ b: UInt32) -> UInt32 {
            let edge = SIMD2(min(a, b), max(a, b))
            if let known = middles[edge] { return known }
            let index = UInt32(table.count)
            table.appendMiddle(of: Int(edge.x), Int(edge.y))
            middles[edge] = index
            return index
        }
        var result: [UInt32] = []
        result.reserveCapacity(triangles.count * 4)
        for first in stride(from: 0, to: triangles.count, by: 3) {
            let (a, b, c) = (triangles[first], triangles[first + 1], triangles[first + 2])
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a))
            result += [a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca]
        }
        return result
    }
}
