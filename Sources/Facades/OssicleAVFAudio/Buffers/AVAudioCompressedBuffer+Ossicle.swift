// Additions to Apple's buffer of packets.

extension AVAudioCompressedBuffer {
    /// Why the buffer has no room; `nil` if it was made as asked.
    public var lastError: (any Error)? { refusal }
}
