import Foundation
import OssicleSIMD

/// Surfaces to order.
///
/// All are centred on the origin. Box and plane take full side lengths; the extent of a round solid holds its half axes
/// in X and Z and, for those with a length, the full height in Y; that of a sphere or icosahedron holds three half
/// axes. Extents lose their sign, those that are no number count as 0, and none goes beyond 1e9. Segments are limited
/// to 1...512, around an axis to 3...512.
///
/// Vertices carry position, normal and texture coordinates in one buffer; there is one submesh. Faces turn
/// counter-clockwise to the side of the normals: outwards, or inwards by `inwardNormals`. `.quads` is given where the
/// surface has no triangles (box, plane, cylinder without caps) and becomes `.triangles` elsewhere, as does
/// `.triangleStrips`; `.variableTopology`, `.lines` and `.points` are always given.
extension MDLMesh {
    /// A box.
    public convenience init(
        boxWithExtent extent: vector_float3, segments: vector_uint3, inwardNormals: Bool, geometryType: MDLGeometryType,
        allocator: (any MDLMeshBufferAllocator)?
    ) {
        self.init(bufferAllocator: allocator)
        let segments = SIMD3(
            MeshLimits.segments(segments.x), MeshLimits.segments(segments.y), MeshLimits.segments(segments.z))
        take(.box(size: extent, segments: segments), inwardNormals, geometryType: geometryType)
    }

    /// A sphere or ellipsoid; segments around the Y axis and from top to bottom (at least 2).
    public convenience init(
        sphereWithExtent extent: vector_float3, segments: vector_uint2, inwardNormals: Bool,
        geometryType: MDLGeometryType,
        allocator: (any MDLMeshBufferAllocator)?
    ) {
        self.init(bufferAllocator: allocator)
        take(
            .ellipsoid(
                radii: extent, radialSegments: MeshLimits.segments(segments.x, atLeast: 3),
                verticalSegments: MeshLimits.segments(segments.y),
                isHemisphere: false, cap: false), inwardNormals, geometryType: geometryType)
    }

    /// The upper half of a sphere or ellipsoid, its rim at height 0; `cap` closes it from below.
    public convenience init(
        hemisphereWithExtent extent: vector_float3, segments: vector_uint2, inwardNormals: Bool, cap: Bool,
        geometryType: MDLGeometryType, allocator: (any MDLMeshBufferAllocator)?
    ) {
        self.init(bufferAllocator: allocator)
        take(
            .ellipsoid(
                radii: extent, radialSegments: MeshLimits.segments(segments.x, atLeast: 3),
                verticalSegments: MeshLimits.segments(segments.y),
                isHemisphere: true, cap: cap), inwardNormals, geometryType: geometryType)
    }

    /// A cylinder along Y; segments around it and along it. Caps close it.
    public convenience init(
        cylinderWithExtent extent: vector_float3, segments: vector_uint2, inwardNormals: Bool, topCap: Bool,
        bottomCap: Bool,
        geometryType: MDLGeometryType, allocator: (any MDLMeshBufferAllocator)?
    ) {
        self.init(bufferAllocator: allocator)
        take(
            .cylinder(
                size: extent, radialSegments: MeshLimits.segments(segments.x, atLeast: 3),
                verticalSegments: MeshLimits.segments(segments.y),
                topCap: topCap, bottomCap: bottomCap), inwardNormals, geometryType: geometryType)
    }

    /// A cylinder along Y with round ends. The height is that of the whole; an end is as high as the larger half axis,
    /// or half of the whole.
    public convenience init(
        capsuleWithExtent extent: vector_float3, cylinderSegments segments: vector_uint2, hemisphereSegments: Int32,
        inwardNormals: Bool, geometryType: MDLGeometryType, allocator: (any MDLMeshBufferAllocator)?
    ) {
        self.init(bufferAllocator: allocator)
        take(
            .capsule(
                size: extent, radialSegments: MeshLimits.segments(segments.x, atLeast: 3),
                verticalSegments: MeshLimits.segments(segments.y),
                hemisphereSegments: MeshLimits.segments(Int(hemisphereSegments))), inwardNormals,
            geometryType: geometryType)
    }

    /// A cone along Y, its tip on top; segments around it and along it. A cap closes it.
    public convenience init(
        coneWithExtent extent: vector_float3, segments: vector_uint2, inwardNormals: Bool, cap: Bool,
        geometryType: MDLGeometryType, allocator: (any MDLMeshBufferAllocator)?
    ) {
        self.init(bufferAllocator: allocator)
        take(
            .cone(
                size: extent, radialSegments: MeshLimits.segments(segments.x, atLeast: 3),
                verticalSegments: MeshLimits.segments(segments.y),
                cap: cap), inwardNormals, geometryType: geometryType)
    }

    /// A rectangle at right angles to the axis of its smallest extent, its normals along that axis; Y if several are
    /// smallest.
    public convenience init(
        planeWithExtent extent: vector_float3, segments: vector_uint2, geometryType: MDLGeometryType,
        allocator: (any MDLMeshBufferAllocator)?
    ) {
        self.init(bufferAllocator: allocator)
        take(
            .plane(size: extent, segments: SIMD2(MeshLimits.segments(segments.x), MeshLimits.segments(segments.y))),
            false, geometryType: geometryType)
    }

    /// Twenty flat triangles; the extent holds half axes, from the centre to the corners.
    public convenience init(
        icosahedronWithExtent extent: vector_float3, inwardNormals: Bool, geometryType: MDLGeometryType,
        allocator: (any MDLMeshBufferAllocator)?
    ) {
        self.init(bufferAllocator: allocator)
        take(.icosahedron(radii: extent), inwardNormals, geometryType: geometryType)
    }

    /// Makes a surface the content of this mesh.
    func take(_ surface: Surface, _ inwardNormals: Bool, geometryType: MDLGeometryType) {
        var surface = surface
        if inwardNormals { surface.turnInside() }
        layout = Self.generatedLayout()
        vertexCount = surface.vertices.count
        vertexBuffers = [allocator.newBuffer(with: Self.bytes(of: surface.vertices), type: .vertex)]
        let asWanted = surface.polygons.stored(as: geometryType)
        submeshes = [
            MDLSubmesh(
                asWanted ?? (surface.polygons.triangles, nil), indexType: .reaching(vertexCount: vertexCount),
                geometryType: asWanted == nil ? .triangles : geometryType, allocator: allocator)
        ]
    }

    private static func generatedLayout() -> MDLVertexDescriptor {
        let descriptor = MDLVertexDescriptor()
        descriptor.addOrReplaceAttribute(
            MDLVertexAttribute(name: MDLVertexAttributePosition, format: .float3, offset: 0, bufferIndex: 0))
        descriptor.addOrReplaceAttribute(
            MDLVertexAttribute(name: MDLVertexAttributeNormal, format: .float3, offset: 12, bufferIndex: 0))
        descriptor.addOrReplaceAttribute(
            MDLVertexAttribute(name: MDLVertexAttributeTextureCoordinate, format: .float2, offset: 24, bufferIndex: 0))
        descriptor.setStride(32, ofBuffer: 0)
        return descriptor
    }

    private static func bytes(of vertices: [Surface.Vertex]) -> Data {
        var numbers: [Float] = []
        numbers.reserveCapacity(vertices.count * 8)
        for vertex in vertices {
            numbers += [
                vertex.position.x, vertex.position.y, vertex.position.z, vertex.normal.x, vertex.normal.y,
                vertex.normal.z,
                vertex.textureCoordinate.x, vertex.textureCoordinate.y,
            ]
        }
        return numbers.withUnsafeBytes { Data($0) }
    }
}
