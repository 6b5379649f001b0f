/// What a packet came to.
enum PacketVerdict: Hashable {
    /// It says how the head is.
    case pose
    /// It is well made and about something else.
    case other
    /// It is cut off, or holds what no head does.
    case malformed
}

/// Turns packets into poses. Keeps what earlier packets said, because some senders send one angle at a time.
protocol PoseDecoder {
    var pose: HeadPose { get }
    mutating func read(_ packet: UnsafeRawBufferPointer) -> PacketVerdict
}
