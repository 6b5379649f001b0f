/// Packets of the AppleMIDI session protocol: invitation, its answers, end, clocks, and feedback about what was
/// received.
enum SessionPacket: Hashable, Sendable {
    case invitation(Exchange)
    case accepted(Exchange)
    case rejected(Exchange)
    case end(Exchange)
    /// Clock exchange: the sender's identity, which of the three packets, and three times in units of 100 µs.
    case clock(ssrc: UInt32, count: UInt8, times: [UInt64])
    /// The highest sequence number received.
    case feedback(ssrc: UInt32, sequence: UInt16)

    struct Exchange: Hashable, Sendable {
        var token: UInt32
        var ssrc: UInt32
        /// Empty where the packet has none.
        var name: String = ""
    }

    private static let version: UInt32 = 2
    /// Longer names are cut, so that no packet is too long.
    private static let longestName = 255

    /// `nil` for bytes that are no packet of the protocol.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 8, bytes[0] == 0xFF, bytes[1] == 0xFF else { return nil }
        switch (bytes[2], bytes[3]) {
        case (0x49, 0x4E): self.init(exchange: bytes) { .invitation($0) }
        case (0x4F, 0x4B): self.init(exchange: bytes) { .accepted($0) }
        case (0x4E, 0x4F): self.init(exchange: bytes) { .rejected($0) }
        case (0x42, 0x59): self.init(exchange: bytes) { .end($0) }
        case (0x43, 0x4B):
            guard bytes.count >= 36, bytes[8] <= 2 else { return nil }
            self = .clock(
                ssrc: bytes.big32(4), count: bytes[8],
                times: [12, 20, 28].map { UInt64(bytes.big32($0)) << 32 | UInt64(bytes.big32($0 + 4)) })
        case (0x52, 0x53):
            guard bytes.count >= 10 else { return nil }
            self = .feedback(ssrc: bytes.big32(4), sequence: UInt16(bytes[8]) << 8 | UInt16(bytes[9]))
        default: return nil
        }
    }

    private init?(exchange bytes: [UInt8], _ make: (Exchange) -> SessionPacket) {
        guard bytes.count >= 16, bytes.big32(4) == SessionPacket.version else { return nil }
        let name = bytes[16...].prefix(SessionPacket.longestName).prefix { $0 != 0 }
        self = make(
            Exchange(token: bytes.big32(8), ssrc: bytes.big32(12), name: String(decoding: name, as: UTF8.self)))
    }

    var bytes: [UInt8] {
        switch self {
        case .invitation(let exchange): SessionPacket.write("IN", exchange)
        case .accepted(let exchange): SessionPacket.write("OK", exchange)
        case .rejected(let exchange): SessionPacket.write("NO", exchange)
        case .end(let exchange): SessionPacket.write("BY", exchange)
        case .clock(let ssrc, let count, let times):
            [0xFF, 0xFF] + Array("CK".utf8) + big(ssrc) + [count, 0, 0, 0]
                + (0..<3).flatMap { index -> [UInt8] in
                    let time = index < times.count ? times[index] : 0
                    return big(UInt32(time >> 32)) + big(UInt32(truncatingIfNeeded: time))
                }
        case .feedback(let ssrc, let sequence):
            [0xFF, 0xFF] + Array("RS".utf8) + big(ssrc) + big(UInt32(sequence) << 16)
        }
    }

    private static func write(_ command: String, _ exchange: Exchange) -> [UInt8] {
        let name = exchange.name.isEmpty ? [] : Array(exchange.name.utf8.prefix(longestName)) + [0]
        return [0xFF, 0xFF] + Array(command.utf8) + big(version) + big(exchange.token) + big(exchange.ssrc) + name
    }
}

extension Array where Element == UInt8 {
    /// Four bytes, the highest first.
    func big32(_ place: Int) -> UInt32 { self[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) } }
}

func big(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
