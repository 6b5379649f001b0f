/// Where a packet lies in memory.
package struct PacketSpan: Equatable, Sendable {
    /// Bytes from the start of the memory.
    package var offset: Int
    package var byteCount: Int
    /// Frames the packet holds; 0 when the format tells, or nobody does.
    package var frameCount: Int

    package init(offset: Int, byteCount: Int, frameCount: Int = 0) {
        self.offset = offset
        self.byteCount = byteCount
        self.frameCount = frameCount
    }
}
