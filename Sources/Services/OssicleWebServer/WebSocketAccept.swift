import Foundation

/// The answer to a WebSocket's key (RFC 6455, 4.2.2): base64 of the SHA-1 of key and a constant.
enum WebSocketAccept {
    static func answer(to key: String) -> String {
        Data(sha1(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))).base64EncodedString()
    }

    /// FIPS 180-4. Proves that the other side speaks the protocol, and protects nothing.
    static func sha1(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
        var bytes = message + [0x80]
        bytes += Array(repeating: 0, count: (120 - bytes.count % 64) % 64)
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: (message.count * 8) >> shift))
        }
        for block in stride(from: 0, to: bytes.count, by: 64) {
            var words = (0..<16).map { word in
                (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[block + 4 * word + $1]) }
            }
            for t in 16..<80 { words.append(rotated(words[t - 3] ^ words[t - 8] ^ words[t - 14] ^ words[t - 16], 1)) }
            var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
            for t in 0..<80 {
                let (mix, constant): (UInt32, UInt32) =
                    switch t / 20 {
                    case 0: (b & c | ~b & d, 0x5a82_7999)
                    case 1: (b ^ c ^ d, 0x6ed9_eba1)
                    case 2: (b & c | b & d | c & d, 0x8f1b_bcdc)
                    default: (b ^ c ^ d, 0xca62_c1d6)
                    }
                let next = rotated(a, 5) &+ mix &+ e &+ constant &+ words[t]
                (e, d, c, b, a) = (d, c, rotated(b, 30), a, next)
            }
            for (place, value) in [a, b, c, d, e].enumerated() { state[place] = state[place] &+ value }
        }
        return state.flatMap { word in
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
