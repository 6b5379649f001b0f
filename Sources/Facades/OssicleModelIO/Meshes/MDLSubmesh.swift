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
    public convenience init(
        indexBuffer: any MDLMeshBuffer, indexCount: Int, indexType: MDLIndexBitDepth, geometryType: MDLGeometryType,
        material: MDLMaterial?
    ) {
        self.init(
            name: "", indexBuffer: indexBuffer, indexCount: indexCount, indexType: indexType,
            geometryType: geometryType, material: material)
    }

    /// A part with a name.
    public convenience init(
        name: String, indexBuffer: any MDLMeshBuffer, indexCount: Int, indexType: MDLIndexBitDepth,
        geometryType: MDLGeometryType, material: MDLMaterial?
    ) {
        self.init(
            name: name, indexBuffer: indexBuffer, indexCount: indexCount, indexType: indexType,
            geometryType: geometryType,
            material: material, topology: nil)
    }

    /// A part with a name and sizes of faces. An index count below 0 counts as 0.
    public init(
        name: String, indexBuffer: any MDLMeshBuffer, indexCount: Int, indexType: MDLIndexBitDepth,
        geometryType: MDLGeometryType,
        material: MDLMaterial?, topology: MDLSubmeshTopology?
    ) {
        self.name = name
        self.indexBuffer = indexBuffer
        self.indexCount = max(0, indexCount)
        self.indexType = indexType
        self.geometryType = geometryType
        self.material = material
        self.topology = topology
    }

    /// The same part with other indices. Nil if an index does not fit the width, or the geometry cannot become that
    /// kind: triangles, quads, strips and faces of any size become triangles, lines or points; nothing becomes strips.
    public convenience init?(mdlSubmesh submesh: MDLSubmesh, indexType: MDLIndexBitDepth, geometryType: MDLGeometryType)
    {
        let keepsKind = geometryType == submesh.geometryType
        guard indexType != .invalid,
            let stored = keepsKind ? (submesh.indices, submesh.faceSizes) : submesh.polygons?.stored(as: geometryType),
            stored.0.allSatisfy({ $0 <= indexType.largest })
        else { return nil }
        self.init(
            stored, indexType: indexType, geometryType: geometryType, like: submesh,
            allocator: submesh.indexBuffer.allocator)
    }

    /// The indices in another width; those that do not fit become the largest that does.
    @discardableResult
    open func indexBuffer(asIndexType indexType: MDLIndexBitDepth) -> any MDLMeshBuffer {
        indexType == self.indexType
            ? indexBuffer : indexBuffer.allocator.newBuffer(with: indexType.data(of: indices), type: .index)
    }
}

extension MDLSubmesh {
    convenience init(
        _ stored: PolygonList.Stored, indexType: MDLIndexBitDepth, geometryType: MDLGeometryType,
        like other: MDLSubmesh? = nil,
        allocator: any MDLMeshBufferAllocator
    ) {
        self.init(
            name: other?.name ?? "",
            indexBuffer: allocator.newBuffer(with: indexType.data(of: stored.indices), type: .index),
            indexCount: stored.indices.count, indexType: indexType, geometryType: geometryType,
            material: other?.material)
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
            Array(
                UnsafeRawBufferPointer(start: map.bytes, count: min(max(0, topology.faceCount), max(0, buffer.length))))
        }
    }

    var polygons: PolygonList? { PolygonList(indices, geometryType, faceSizes: faceSizes) }
}

/// What the indices of a submesh are the corners of.
public enum MDLGeometryType: Int, Sendable {
    /// Single points: each index is one.
    case points = 0
    /// Lines: each two indices are the ends of one.
    case lines = 1
    /// Triangles: each three indices are the corners of one.
    case triangles = 2
    /// A strip: each index makes a triangle with the two before it.
    case triangleStrips = 3
    /// Quadrangles: each four indices are the corners of one.
    case quads = 4
    /// Faces of any number of corners, as the submesh's topology says.
    case variableTopology = 5
}

/// How wide an index is.
public enum MDLIndexBitDepth: UInt, Sendable {
    /// No indices.
    case invalid = 0
    /// 8 bits: at most 256 vertices.
    case uInt8 = 8
    /// 16 bits: at most 65,536 vertices.
    case uInt16 = 16
    /// 32 bits.
    case uInt32 = 32

    /// The same under lower-case names.
    public static var uint8: MDLIndexBitDepth { .uInt8 }
    /// The same as `uInt16`.
    public static var uint16: MDLIndexBitDepth { .uInt16 }
    /// The same as `uInt32`.
    public static var uint32: MDLIndexBitDepth { .uInt32 }
}

extension MDLIndexBitDepth {
    var byteCount: Int { Int(rawValue / 8) }

    /// The largest index that fits.
    var largest: UInt32 {
        switch self {
        case .invalid: 0
        case .uInt8: UInt32(UInt8.max)
        case .uInt16: UInt32(UInt16.max)
        case .uInt32: .max
        }
    }

    /// The narrowest width for the vertices of a generated mesh: 16 bits, or 32 if those do not reach.
    static func reaching(vertexCount: Int) -> MDLIndexBitDepth { vertexCount <= 1 << 16 ? .uInt16 : .uInt32 }

    func read(_ bytes: UnsafeRawPointer) -> UInt32 {
        switch self {
        case .invalid: 0
        case .uInt8: UInt32(bytes.loadUnaligned(as: UInt8.self))
        case .uInt16: UInt32(bytes.loadUnaligned(as: UInt16.self))
        case .uInt32: bytes.loadUnaligned(as: UInt32.self)
        }
    }

    /// Indices as bytes; those that do not fit become the largest that does.
    func data(of indices: [UInt32]) -> Data {
        switch self {
        case .invalid: Data()
        case .uInt8: indices.map(UInt8.init(clamping:)).withUnsafeBytes { Data($0) }
        case .uInt16: indices.map(UInt16.init(clamping:)).withUnsafeBytes { Data($0) }
        case .uInt32: indices.withUnsafeBytes { Data($0) }
        }
    }
}

/// The sizes of the faces of a submesh with faces of any size.
open class MDLSubmeshTopology: NSObject {
    /// One byte per face: the number of its corners.
    open var faceTopology: (any MDLMeshBuffer)?
    /// How many faces there are.
    open var faceCount: Int

    /// The topology of a submesh: a copy of what it has, or else the sizes that follow from its kind of geometry.
    public init(submesh: MDLSubmesh) {
        faceTopology = submesh.topology?.faceTopology
        faceCount = submesh.topology?.faceCount ?? 0
        super.init()
        guard faceTopology == nil, submesh.geometryType != .variableTopology, let sizes = submesh.polygons?.sizes else {
            return
        }
        faceTopology = submesh.indexBuffer.allocator.newBuffer(with: Data(sizes), type: .custom)
        faceCount = sizes.count
    }
}
