import Foundation

/// How the vertices of a mesh are stored. Has 31 slots for attributes and 31 for buffers, at first all unused.
open class MDLVertexDescriptor: NSObject, NSCopying {
    /// `MDLVertexAttribute`s; other objects are ignored.
    open var attributes: NSMutableArray
    /// `MDLVertexBufferLayout`s, one per buffer; other objects are ignored.
    open var layouts: NSMutableArray

    private static let slotCount = 31

    /// Without any attribute.
    public override init() {
        attributes = Self.emptyAttributes()
        layouts = Self.emptyLayouts()
    }

    /// A copy that shares nothing with the original.
    public init(vertexDescriptor: MDLVertexDescriptor) {
        attributes = NSMutableArray(array: vertexDescriptor.allAttributes.map { $0.duplicate() })
        layouts = NSMutableArray(array: vertexDescriptor.allLayouts.map { MDLVertexBufferLayout(stride: $0.stride) })
    }

    /// The attribute with a name.
    @discardableResult
    open func attributeNamed(_ name: String) -> MDLVertexAttribute? {
        usedAttributes.first { $0.name == name }
    }

    /// Puts an attribute in the place of the one with the same name and time, or else into the first free slot.
    open func addOrReplaceAttribute(_ attribute: MDLVertexAttribute) {
        var all = allAttributes
        let same = all.firstIndex { $0.format != .invalid && $0.name == attribute.name && $0.time == attribute.time }
        if let slot = same ?? all.firstIndex(where: { $0.format == .invalid }) {
            all[slot] = attribute
        } else {
            all.append(attribute)
        }
        attributes.setArray(all)
    }

    /// Frees the slots of all attributes with a name.
    open func removeAttributeNamed(_ name: String) {
        attributes.setArray(allAttributes.map { $0.name == name ? MDLVertexAttribute() : $0 })
    }

    /// Frees all slots.
    open func reset() {
        attributes.setArray(Array(Self.emptyAttributes()))
        layouts.setArray(Array(Self.emptyLayouts()))
    }

    /// Sets every buffer's stride to the end of its last attribute.
    open func setPackedStrides() {
        let last = usedAttributes.map(\.bufferIndex).max() ?? -1
        let strides = (0..<max(Self.slotCount, min(last, 255) + 1)).map(packedStride(ofBuffer:))
        layouts.setArray(strides.map(MDLVertexBufferLayout.init(stride:)))
    }

    /// Moves the attributes of each buffer together, in the order of their slots.
    open func setPackedOffsets() {
        var ends: [Int: Int] = [:]
        for attribute in usedAttributes {
            attribute.offset = ends[attribute.bufferIndex, default: 0]
            ends[attribute.bufferIndex] = attribute.offset + attribute.format.byteCount
        }
    }

    /// A descriptor of its own.
    @discardableResult
    open func copy(with zone: NSZone? = nil) -> Any { MDLVertexDescriptor(vertexDescriptor: self) }

    private static func emptyAttributes() -> NSMutableArray {
        NSMutableArray(array: (0..<slotCount).map { _ in MDLVertexAttribute() })
    }

    private static func emptyLayouts() -> NSMutableArray {
        NSMutableArray(array: (0..<slotCount).map { _ in MDLVertexBufferLayout() })
    }
}

extension MDLVertexDescriptor {
    var allAttributes: [MDLVertexAttribute] { attributes.compactMap { $0 as? MDLVertexAttribute } }

    var allLayouts: [MDLVertexBufferLayout] { layouts.compactMap { $0 as? MDLVertexBufferLayout } }

    /// The attributes that name a place a buffer can have.
    var usedAttributes: [MDLVertexAttribute] {
        allAttributes.filter {
            $0.format != .invalid && $0.bufferIndex >= 0 && (0...MeshLimits.bufferLength).contains($0.offset)
        }
    }

    /// The stride of a buffer; where none is given, the end of its last attribute.
    func stride(ofBuffer index: Int) -> Int {
        let layouts = allLayouts
        let given = layouts.indices.contains(index) ? layouts[index].stride : 0
        return given > 0 ? min(given, MeshLimits.bufferLength) : packedStride(ofBuffer: index)
    }

    private func packedStride(ofBuffer index: Int) -> Int {
        usedAttributes.filter { $0.bufferIndex == index }.map { $0.offset + $0.format.byteCount }.max() ?? 0
    }

    func setStride(_ stride: Int, ofBuffer index: Int) {
        while layouts.count <= index { layouts.add(MDLVertexBufferLayout()) }
        layouts[index] = MDLVertexBufferLayout(stride: stride)
    }
}

/// Where one property of a vertex is stored, and how.
open class MDLVertexAttribute: NSObject, NSCopying {
    /// What it is found by; see `MDLVertexAttributePosition` and its neighbours.
    open var name: String
    /// How it is stored; `.invalid` marks a slot that is not used.
    open var format: MDLVertexFormat
    /// Bytes from the beginning of a vertex.
    open var offset: Int
    /// The buffer that holds it.
    open var bufferIndex: Int
    /// When it applies, in seconds. Default 0.
    open var time: TimeInterval = 0
    /// The value of vertices that have none. Default (0, 0, 0, 1).
    open var initializationValue = vector_float4(0, 0, 0, 1)

    /// An attribute.
    public init(name: String, format: MDLVertexFormat, offset: Int, bufferIndex: Int) {
        self.name = name
        self.format = format
        self.offset = offset
        self.bufferIndex = bufferIndex
    }

    /// A slot that is not used.
    public convenience override init() { self.init(name: "", format: .invalid, offset: 0, bufferIndex: 0) }

    /// An attribute of its own.
    @discardableResult
    open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

    func duplicate() -> MDLVertexAttribute {
        let copy = MDLVertexAttribute(name: name, format: format, offset: offset, bufferIndex: bufferIndex)
        copy.time = time
        copy.initializationValue = initializationValue
        return copy
    }
}

/// The values of one attribute in memory.
open class MDLVertexAttributeData: NSObject {
    /// Keeps the memory; retain it while reading from `dataStart`.
    open var map: MDLMeshBufferMap
    /// The value of the first vertex.
    open var dataStart: UnsafeMutableRawPointer
    /// Bytes from one vertex to the next.
    open var stride: Int
    /// How a value is stored.
    open var format: MDLVertexFormat
    /// Bytes in the whole buffer.
    open var bufferSize: Int

    init(
        map: MDLMeshBufferMap, dataStart: UnsafeMutableRawPointer, stride: Int, format: MDLVertexFormat, bufferSize: Int
    ) {
        self.map = map
        self.dataStart = dataStart
        self.stride = stride
        self.format = format
        self.bufferSize = bufferSize
    }
}

// The names by which attributes are found.

/// Where the vertex is: three numbers.
public let MDLVertexAttributePosition = "position"
/// The direction at right angles to the surface, of unit length.
public let MDLVertexAttributeNormal = "normal"
/// A place in a picture, 0 to 1 across it: two numbers.
public let MDLVertexAttributeTextureCoordinate = "textureCoordinate"
/// Red, green and blue.
public let MDLVertexAttributeColor = "color"
/// The direction in the surface in which the first texture coordinate grows.
public let MDLVertexAttributeTangent = "tangent"
/// The direction in the surface in which the second texture coordinate grows.
public let MDLVertexAttributeBitangent = "bitangent"

/// How far apart the vertices of one buffer are.
open class MDLVertexBufferLayout: NSObject, NSCopying {
    /// Bytes from one vertex to the next; 0 marks a slot that is not used.
    open var stride: Int

    /// A layout with a stride in bytes.
    public init(stride: Int) { self.stride = stride }

    /// A slot that is not used.
    public convenience override init() { self.init(stride: 0) }

    /// A layout of its own.
    @discardableResult
    open func copy(with zone: NSZone? = nil) -> Any { MDLVertexBufferLayout(stride: stride) }
}
