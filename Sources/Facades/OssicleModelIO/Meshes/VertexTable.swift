import Foundation
import OssicleSIMD

/// All vertices of a mesh as numbers, one column per attribute: the form in which they are copied, averaged and laid
/// out anew.
struct VertexTable {
    let attributes: [MDLVertexAttribute]
    private(set) var columns: [[SIMD4<Double>]]
    private(set) var count: Int

    /// Reads the values of `attributes` from a mesh; those it lacks have their initialisation value.
    init(reading attributes: [MDLVertexAttribute], from mesh: MDLMesh, stored descriptor: MDLVertexDescriptor) {
        let views = attributes.map { wanted in
            descriptor.attributeNamed(wanted.name).flatMap { AttributeView($0, of: mesh, descriptor: descriptor) }
        }
        let count = min(mesh.vertexCount, views.compactMap { $0?.count }.max() ?? 0)
        columns = zip(attributes, views).map { attribute, view in
            let missing = SIMD4<Double>(attribute.initializationValue)
            return (0..<count).map { index in
                if let view, index < view.count { view[index] } else { missing }
            }
        }
        self.attributes = attributes
        self.count = count
    }

    func column(_ name: String) -> Int? { attributes.firstIndex { $0.name == name } }

    subscript(column: Int, row: Int) -> SIMD4<Double> {
        get { columns[column][row] }
        set { columns[column][row] = newValue }
    }

    mutating func appendCopy(of row: Int) {
        for column in columns.indices { columns[column].append(columns[column][row]) }
        count += 1
    }

    /// Adds the vertex half-way between two; directions keep unit length.
    mutating func appendMiddle(of a: Int, _ b: Int) {
        for column in columns.indices {
            var middle = (columns[column][a] + columns[column][b]) * 0.5
            if [MDLVertexAttributeNormal, MDLVertexAttributeTangent, MDLVertexAttributeBitangent].contains(
                attributes[column].name)
            {
                let size = simd_length(SIMD3(middle.x, middle.y, middle.z))
                if size > 0 { middle = SIMD4(SIMD3(middle.x, middle.y, middle.z) / size, middle.w) }
            }
            columns[column].append(middle)
        }
        count += 1
    }

    /// The vertices as buffers laid out by a descriptor; nil if one would be larger than a buffer may be.
    func buffers(for descriptor: MDLVertexDescriptor, allocator: any MDLMeshBufferAllocator) -> [any MDLMeshBuffer]? {
        let bufferCount = (attributes.map(\.bufferIndex).max() ?? -1) + 1
        guard bufferCount <= 256 else { return nil }
        var buffers: [any MDLMeshBuffer] = []
        for index in 0..<bufferCount {
            let stride = descriptor.stride(ofBuffer: index)
            guard stride == 0 || count <= MeshLimits.bufferLength / stride else { return nil }
            buffers.append(allocator.newBuffer(stride * count, type: .vertex))
            for (attribute, column) in zip(attributes, columns) where attribute.bufferIndex == index {
                write(column, as: attribute, stride: stride, to: buffers[index])
            }
        }
        return buffers
    }

    private func write(
        _ column: [SIMD4<Double>], as attribute: MDLVertexAttribute, stride: Int, to buffer: any MDLMeshBuffer
    ) {
        guard attribute.offset + attribute.format.byteCount <= stride, buffer.length >= stride * count else { return }
        let map = buffer.map()
        withExtendedLifetime(map) {
            for (row, value) in column.enumerated() {
                attribute.format.write(value, to: map.bytes + row * stride + attribute.offset)
            }
        }
    }
}

/// How large a mesh may get. Whatever goes beyond is limited silently, so that no size a client asks for can end the
/// program.
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

    static func segments(_ count: UInt32, atLeast least: Int = 1) -> Int {
        segments(Int(clamping: count), atLeast: least)
    }

    /// The magnitude of an extent; zero for what is no number.
    static func extent(_ value: Float) -> Float { value.isNaN ? 0 : min(value.magnitude, extent) }

    static func extent(_ value: SIMD3<Float>) -> SIMD3<Float> {
        SIMD3(extent(value.x), extent(value.y), extent(value.z))
    }
}
