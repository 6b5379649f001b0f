import Foundation
import OssicleSIMD

extension MDLMesh {
    /// The values of an attribute, in place: writing to them changes the mesh. Nil if the mesh lacks it.
    @discardableResult
    public func vertexAttributeData(forAttributeNamed name: String) -> MDLVertexAttributeData? {
        view(of: name).map {
            MDLVertexAttributeData(
                map: $0.map, dataStart: $0.start, stride: $0.stride, format: $0.format, bufferSize: $0.bufferSize)
        }
    }

    /// The values of an attribute in a format: in place if they are stored so, else `vertexCount` converted values
    /// without gaps, which belong to the caller. Nil if the mesh lacks the attribute or the format is `.invalid`.
    @discardableResult
    public func vertexAttributeData(
        forAttributeNamed name: String, as format: MDLVertexFormat
    ) -> MDLVertexAttributeData? {
        guard let view = view(of: name), format != .invalid else { return nil }
        if view.format == format { return vertexAttributeData(forAttributeNamed: name) }
        let stride = format.byteCount
        guard vertexCount <= MeshLimits.bufferLength / stride else { return nil }
        let buffer = MDLMeshBufferData(type: .vertex, length: vertexCount * stride)
        guard buffer.length == vertexCount * stride else { return nil }
        let map = buffer.map()
        for index in 0..<view.count { format.write(view[index], to: map.bytes + index * stride) }
        return MDLVertexAttributeData(
            map: map, dataStart: map.bytes, stride: stride, format: format, bufferSize: buffer.length)
    }

    /// Adds an attribute with zero values in a buffer of its own, in the place of one with the same name.
    public func addAttribute(withName name: String, format: MDLVertexFormat) {
        guard format != .invalid, vertexCount <= MeshLimits.bufferLength / format.byteCount else { return }
        addAttribute(
            name, format, stride: format.byteCount,
            buffer: allocator.newBuffer(vertexCount * format.byteCount, type: .vertex))
    }

    /// Adds an attribute with values from `data`, `stride` bytes apart; 0 means without gaps. `type` says what the
    /// values are for, which nothing here depends on.
    public func addAttribute(withName name: String, format: MDLVertexFormat, type: String, data: Data, stride: Int) {
        guard format != .invalid else { return }
        addAttribute(
            name, format, stride: stride > 0 ? stride : format.byteCount,
            buffer: allocator.newBuffer(with: data, type: .vertex))
    }

    private func addAttribute(_ name: String, _ format: MDLVertexFormat, stride: Int, buffer: any MDLMeshBuffer) {
        layout.removeAttributeNamed(name)
        layout.addOrReplaceAttribute(
            MDLVertexAttribute(name: name, format: format, offset: 0, bufferIndex: vertexBuffers.count))
        layout.setStride(stride, ofBuffer: vertexBuffers.count)
        vertexBuffers.append(buffer)
    }

    /// Removes an attribute; its bytes stay where they are.
    public func removeAttributeNamed(_ name: String) { layout.removeAttributeNamed(name) }
}

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
