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
        allAttributes.filter { $0.format != .invalid && $0.bufferIndex >= 0 && (0...MeshLimits.bufferLength).contains($0.offset) }
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
