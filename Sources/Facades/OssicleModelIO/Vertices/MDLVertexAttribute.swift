import Foundation

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
