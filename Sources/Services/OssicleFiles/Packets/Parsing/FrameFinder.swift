// Streams of frames that begin with a sync word and tell their own length.

/// The header of one frame.
protocol FrameHeader {
    /// Bytes a header takes at most.
    static var size: Int { get }
    /// The header at `position`, where `size` bytes are; `nil` when none begins there.
    init?(_ bytes: UnsafeRawBufferPointer, at position: Int)
    /// Bytes of the whole frame.
    var byteCount: Int { get }
    /// Whether both can belong to one stream.
    func isAkin(to other: Self) -> Bool
}

/// Finds one frame after the other. After anything that is no frame of the stream, only a frame with another behind it
/// counts; what comes out does not depend on how bytes are cut.
struct FrameFinder<Header: FrameHeader> {
    enum Result {
        case frame(Header, at: Int)
        case step(ParserStep)
    }

    /// A frame of the stream, once one is known.
    private(set) var known: Header?
    private var isLocked = false

    mutating func next(_ window: ParserWindow) -> Result {
        if isLocked, let known {
            guard window.count >= Header.size else { return .step(.wait(Header.size)) }
            if let header = Header(window.bytes, at: 0), header.isAkin(to: known) {
                return window.count >= header.byteCount ? .frame(header, at: 0) : .step(.wait(header.byteCount))
            }
            isLocked = false
        }
        return search(window)
    }

    private mutating func search(_ window: ParserWindow) -> Result {
        var position = 0
        while position + Header.size <= window.count {
            if let header = Header(window.bytes, at: position), known.map({ header.isAkin(to: $0) }) ?? true {
                let end = position + header.byteCount
                if end + Header.size <= window.count {
                    if let next = Header(window.bytes, at: end), next.isAkin(to: header) {
                        return lock(header, position)
                    }
                } else if !window.isLast {
                    return .step(position > 0 ? .pass(Int64(position)) : .wait(end + Header.size))
                } else if end == window.count {
                    return lock(header, position)
                }
            }
            position += 1
        }
        return .step(position > 0 ? .pass(Int64(position)) : .wait(Header.size))
    }

    private mutating func lock(_ header: Header, _ position: Int) -> Result {
        known = known ?? header
        isLocked = true
        return .frame(header, at: position)
    }

    mutating func restart() { isLocked = false }
}

/// Packets whose places are guessed from those that have come.
struct AveragePackets {
    var offset: Int64?
    private var byteCount: Int64 = 0
    private var count: Int64 = 0

    /// A packet came that took `bytes` in the stream.
    mutating func add(_ bytes: Int) {
        byteCount += Int64(bytes)
        count += 1
    }

    func byteOffset(ofPacket packet: Int64) -> (offset: Int64, isEstimate: Bool)? {
        guard let offset, count > 0 else { return nil }
        let guess = Double(offset) + Double(packet) * Double(byteCount) / Double(count)
        return guess < 0x1p62 ? (Int64(guess), packet > 0) : nil
    }
}
