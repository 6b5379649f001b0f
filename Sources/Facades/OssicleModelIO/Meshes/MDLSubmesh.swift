import Foundation

/// A part of a mesh with one material: indices into the mesh's vertices.
open class MDLSubmesh: NSObject, MDLNamed {
    /// The name.
    open var name: String
    /// The indices.
    public let indexBuffer: any MDLMeshBuffer
    /// How many of them there are.
    public let indexCount: Int
    /// How wide they are.
    public let indexType: MDLIndexBitDepth
    /// What they are the corners of.
    public let geometryType: MDLGeometryType
    /// What this part is made of. Default nil.
    open var material: MDLMaterial?
    /// The sizes of the faces, for `.variableTopology`.
    open var topology: MDLSubmeshTopology?

    /// A part without name.
    public convenience init(indexBuffer: any MDLMeshBuffer, indexCount: Int, indexType: MDLIndexBitDepth, geometryType: MDLGeometryType,
                            material: MDLMaterial?) {
        self.init(name: "", indexBuffer: indexBuffer, indexCount: indexCount, indexType: indexType, geometryType: geometryType, material: material)
    }

    /// A part with a name.
    public convenience init(name: String, indexBuffer: any MDLMeshBuffer, indexCount: Int, indexType: MDLIndexBitDepth,
                            geometryType: MDLGeometryType, material: MDLMaterial?) {
        self.init(name: name, indexBuffer: indexBuffer, indexCount: indexCount, indexType: indexType, geometryType: geometryType,
                  material: material, topology: nil)
    }

    /// A part with a name and sizes of faces. An index count below 0 counts as 0.
    public init(name: String, indexBuffer: any MDLMeshBuffer, indexCount: Int, indexType: MDLIndexBitDepth, geometryType: MDLGeometryType,
                material: MDLMaterial?, topology: MDLSubmeshTopology?) {
        self.name = name
        self.indexBuffer = indexBuffer
        self.indexCount = max(0, indexCount)
        self.indexType = indexType
        self.geometryType = geometryType
        self.material = material
        self.topology = topology
    }

    /// The same part with other indices. Nil if an index does not fit the width, or the geometry cannot become that kind: triangles, quads,
    /// strips and faces of any size become triangles, lines or points; nothing becomes strips.
    public convenience init?(mdlSubmesh submesh: MDLSubmesh, indexType: MDLIndexBitDepth, geometryType: MDLGeometryType) {
        let keepsKind = geometryType == submesh.geometryType
        guard indexType != .invalid,
              let stored = keepsKind ? (submesh.indices, submesh.faceSizes) : submesh.polygons?.stored(as: geometryType),
              stored.0.allSatisfy({ $0 <= indexType.largest }) else { return nil }
        self.init(stored, indexType: indexType, geometryType: geometryType, like: submesh, allocator: submesh.indexBuffer.allocator)
    }

    /// The indices in another width; those that do not fit become the largest that does.
    @discardableResult
    open func indexBuffer(asIndexType indexType: MDLIndexBitDepth) -> any MDLMeshBuffer {
        indexType == self.indexType ? indexBuffer : indexBuffer.allocator.newBuffer(with: indexType.data(of: indices), type: .index)
    }
}

extension MDLSubmesh {
    convenience init(_ stored: PolygonList.Stored, indexType: MDLIndexBitDepth, geometryType: MDLGeometryType, like other: MDLSubmesh? = nil,
                     allocator: any MDLMeshBufferAllocator) {
        self.init(name: other?.name ?? "", indexBuffer: allocator.newBuffer(with: indexType.data(of: stored.indices), type: .index),
                  indexCount: stored.indices.count, indexType: indexType, geometryType: geometryType, material: other?.material)
        if let sizes = stored.faceSizes {
            topology = MDLSubmeshTopology(submesh: self)
            topology?.faceTopology = allocator.newBuffer(with: Data(sizes), type: .custom)
            topology?.faceCount = sizes.count
        }
    }

    /// The indices that the buffer really holds.
    var indices: [UInt32] {
        guard indexType != .invalid else { return [] }
        let (map, width) = (indexBuffer.map(), indexType.byteCount)
        return withExtendedLifetime(map) {
            (0..<min(indexCount, max(0, indexBuffer.length) / width)).map { indexType.read(map.bytes + $0 * width) }
        }
    }

    /// The sizes of the faces that the topology really holds.
    var faceSizes: [UInt8]? {
        guard let topology, let buffer = topology.faceTopology else { return nil }
        let map = buffer.map()
        return withExtendedLifetime(map) {
            Array(UnsafeRawBufferPointer(start: map.bytes, count: min(max(0, topology.faceCount), max(0, buffer.length))))
        }
    }

    var polygons: PolygonList? { PolygonList(indices, geometryType, faceSizes: faceSizes) }
}
