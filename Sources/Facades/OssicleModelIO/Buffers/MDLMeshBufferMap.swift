import Foundation

/// Access to the bytes of a buffer. They stay in place for as long as the map is kept.
open class MDLMeshBufferMap: NSObject {
    /// The first byte.
    public let bytes: UnsafeMutableRawPointer
    private let deallocator: (() -> Void)?

    /// Wraps memory of the client; `deallocator` is called when the map goes.
    public init(bytes: UnsafeMutableRawPointer, deallocator: (() -> Void)? = nil) {
        self.bytes = bytes
        self.deallocator = deallocator
    }

    deinit { deallocator?() }
}
