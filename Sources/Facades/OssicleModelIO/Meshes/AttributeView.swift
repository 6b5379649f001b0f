import Foundation
import OssicleSIMD

/// The values of one attribute that a buffer really holds, whatever the mesh says.
struct AttributeView {
    let map: MDLMeshBufferMap
    let start: UnsafeMutableRawPointer
    let stride: Int
    let format: MDLVertexFormat
    let count: Int
    let bufferSize: Int

    /// Nil if not even one value fits the buffer.
    init?(_ attribute: MDLVertexAttribute, of mesh: MDLMesh, descriptor: MDLVertexDescriptor) {
        let (size, offset) = (attribute.format.byteCount, attribute.offset)
        guard size > 0, mesh.vertexBuffers.indices.contains(attribute.bufferIndex) else { return nil }
        let buffer = mesh.vertexBuffers[attribute.bufferIndex]
        stride = max(1, descriptor.stride(ofBuffer: attribute.bufferIndex))
        guard offset >= 0, size <= buffer.length, offset <= buffer.length - size else { return nil }
        map = buffer.map()
        start = map.bytes + offset
        format = attribute.format
        count = min(mesh.vertexCount, (buffer.length - size - offset) / stride + 1)
        bufferSize = buffer.length
    }

    subscript(index: Int) -> SIMD4<Double> { format.read(start + index * stride) }
}
