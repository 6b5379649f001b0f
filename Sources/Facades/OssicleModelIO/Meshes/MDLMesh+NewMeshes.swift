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
