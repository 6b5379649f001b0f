/// Memory for inner loops that begins with a line of the processor's cache.
enum CacheLine {
    private static let size = 64

    /// To be deallocated by who asks for it.
    static func copy<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
        let count = max(elements.count, 1)
        let typed = UnsafeMutableRawPointer.allocate(
            byteCount: count * MemoryLayout<Element>.stride, alignment: size
        ).bindMemory(to: Element.self, capacity: count)
        _ = UnsafeMutableBufferPointer(start: typed, count: elements.count).initialize(from: elements)
        return typed
    }
}
