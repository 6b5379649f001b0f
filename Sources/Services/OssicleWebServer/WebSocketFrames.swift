/// Reads what a client of a WebSocket sends (RFC 6455, 5): masked frames, from bytes that come in any pieces.
struct WebSocketReader {
    enum Event: Equatable {
        case text(String)
        case bytes([UInt8])
        case ping([UInt8])
        case close
    }

    /// Bytes of a message, all its frames together: commands are short.
    static let messageLimit = 4096

    private let takesBytes: Bool
    private var bytes: [UInt8] = []
    /// Of a message in several frames, and whether it is text.
    private var message: [UInt8]?
    private var isText = true

    /// - Parameter takesBytes: whether binary messages are taken, and not an error.
    init(takesBytes: Bool = false) { self.takesBytes = takesBytes }

    /// - Throws: a close code of RFC 6455, 7.4.1, after which the connection has to end.
    mutating func receive(_ new: some Collection<UInt8>) throws(WebSocketFault) -> [Event] {
        bytes += new
        var events: [Event] = []
        while let frame = try nextFrame() {
            if let event = try take(frame) { events.append(event) }
        }
        return events
    }

    private struct Frame {
        let isLast: Bool
        let opcode: UInt8
        let payload: [UInt8]
    }

    private mutating func nextFrame() throws(WebSocketFault) -> Frame? {
        guard bytes.count >= 2 else { return nil }
        let (first, second) = (bytes[0], bytes[1])
        guard first & 0x70 == 0, second & 0x80 != 0 else { throw .protocolError }
        let opcode = first & 0x0f
        guard [0, 1, 2, 8, 9, 10].contains(opcode) else { throw .protocolError }
        let short = Int(second & 0x7f)
        if opcode >= 8, short > 125 || first & 0x80 == 0 { throw .protocolError }
        let lengthBytes = short == 126 ? 2 : short == 127 ? 8 : 0
        guard bytes.count >= 2 + lengthBytes else { return nil }
        let stated = bytes[2..<2 + lengthBytes].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let length = lengthBytes == 0 ? UInt64(short) : stated
        guard lengthBytes == 0 || length > (lengthBytes == 2 ? 125 : 0xffff) else { throw .protocolError }
        // Known before any of it is waited for.
        guard length + UInt64(message?.count ?? 0) <= UInt64(Self.messageLimit) else { throw .tooBig }
        let start = 2 + lengthBytes + 4, end = start + Int(length)
        guard bytes.count >= end else { return nil }
        let mask = bytes[start - 4..<start]
        let payload = (start..<end).map { bytes[$0] ^ mask[mask.startIndex + ($0 - start) % 4] }
        bytes.removeFirst(end)
        return Frame(isLast: first & 0x80 != 0, opcode: opcode, payload: payload)
    }

    private mutating func take(_ frame: Frame) throws(WebSocketFault) -> Event? {
        switch frame.opcode {
        case 8: return .close
        case 9: return .ping(frame.payload)
        case 10: return nil
        case 2 where !takesBytes: throw .notText
        case 0:
            guard let before = message else { throw .protocolError }
            message = before + frame.payload
        default:
            guard message == nil else { throw .protocolError }
            (message, isText) = (frame.payload, frame.opcode == 1)
        }
        guard frame.isLast, let whole = message else { return nil }
        message = nil
        guard isText else { return .bytes(whole) }
        guard let text = String(validating: whole, as: UTF8.self) else { throw .notUTF8 }
        return .text(text)
    }
}

/// Why a connection ends: a close code.
enum WebSocketFault: UInt16, Error {
    case protocolError = 1002
    case notText = 1003
    case notUTF8 = 1007
    /// More messages a second than anybody's hand makes.
    case tooMany = 1008
    case tooBig = 1009
}

/// Frames that a server sends: unmasked, each a whole message.
enum WebSocketFrame {
    static func text(_ payload: some Collection<UInt8>) -> [UInt8] { frame(1, payload) }
    static func binary(_ payload: some Collection<UInt8>) -> [UInt8] { frame(2, payload) }
    static func pong(_ payload: [UInt8]) -> [UInt8] { frame(10, payload) }
    static func close(_ code: UInt16) -> [UInt8] { frame(8, [UInt8(code >> 8), UInt8(code & 0xff)]) }

    private static func frame(_ opcode: UInt8, _ payload: some Collection<UInt8>) -> [UInt8] {
        let count = payload.count
        var bytes: [UInt8] = [0x80 | opcode]
        bytes.reserveCapacity(count + 10)
        if count < 126 {
            bytes.append(UInt8(count))
        } else if count <= 0xffff {
            bytes += [126, UInt8(count >> 8), UInt8(count & 0xff)]
        } else {
            bytes.append(127)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: count >> shift))
            }
        }
        bytes += payload
        return bytes
    }
}
