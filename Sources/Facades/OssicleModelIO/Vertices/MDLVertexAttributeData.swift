import Foundation

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

    init(map: MDLMeshBufferMap, dataStart: UnsafeMutableRawPointer, stride: Int, format: MDLVertexFormat, bufferSize: Int) {
        self.map = map
        self.dataStart = dataStart
        self.stride = stride
        self.format = format
        self.bufferSize = bufferSize
    }
}
