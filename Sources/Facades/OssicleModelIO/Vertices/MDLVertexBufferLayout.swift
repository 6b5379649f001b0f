import Foundation

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
