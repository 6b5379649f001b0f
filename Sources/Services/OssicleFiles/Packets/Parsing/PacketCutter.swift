// Packets out of audio data that comes in order.

import OssicleCodecs

/// Cuts audio data that comes in order into the packets of an index.
struct PacketCutter {
    let index: PacketIndex
    /// Bytes of the data that are still to come.
    private(set) var remaining: Int64
    private var next: Int64 = 0

    /// Packets told at a time at most, which bounds the memory their spans take.
    private static let most = 4096

    init(_ index: PacketIndex, byteCount: Int64?) {
        self.index = index
        remaining = byteCount ?? .max
    }

    /// The next packets in the window; `nil` when no whole packet is left.
    mutating func step(_ window: ParserWindow, _ found: ParserFindings) -> ParserStep? {
        guard next < index.count, Int64(index.size(of: next)) <= remaining else { return nil }
        var used = 0, count = 0
        while next < index.count, count < Self.most {
            let size = index.size(of: next)
            guard size <= window.count - used, Int64(size) <= remaining else { break }
            found.packet(in: window, at: used, count: size, frames: index.framesPerPacket(of: next))
            used += size
            remaining -= Int64(size)
            next += 1
            count += 1
        }
        return used > 0 ? .pass(Int64(used)) : .wait(max(1, index.size(of: next)))
    }

    /// What comes next begins with `packet`, or, where that is not known, with any packet of constant size.
    mutating func restart(at packet: Int64?) {
        if let packet, packet < index.count {
            remaining = remaining == .max ? .max : index.byteCount - index.start(of: packet)
            next = packet
        } else if index.constantSize > 0 {
            remaining = .max
            next = 0
        } else {
            next = index.count
        }
    }
}
