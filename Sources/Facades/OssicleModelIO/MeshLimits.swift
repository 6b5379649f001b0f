/// How large a mesh may get. Whatever goes beyond is limited silently, so that no size a client asks for can end the program.
enum MeshLimits {
    /// Bytes in one buffer.
    static let bufferLength = 1 << 31
    /// Parts along one direction of a generated surface.
    static let segments = 512
    /// The largest extent of a generated surface, in its unit of length.
    static let extent: Float = 1e9
    /// Triangles that a subdivision may end with.
    static let subdividedTriangles = 1 << 20

    static func segments(_ count: Int, atLeast least: Int = 1) -> Int { min(max(count, least), segments) }

    static func segments(_ count: UInt32, atLeast least: Int = 1) -> Int { segments(Int(clamping: count), atLeast: least) }

    /// The magnitude of an extent; zero for what is no number.
    static func extent(_ value: Float) -> Float { value.isNaN ? 0 : min(value.magnitude, extent) }

    static func extent(_ value: SIMD3<Float>) -> SIMD3<Float> { SIMD3(extent(value.x), extent(value.y), extent(value.z)) }
}
