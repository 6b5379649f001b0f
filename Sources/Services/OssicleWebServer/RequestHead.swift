/// The first lines of an HTTP request (RFC 9112), read strictly: what a browser sends is short and plain, and all else
/// is refused.
struct RequestHead: Equatable {
    let method: String
    /// Up to a question mark.
    let path: String
    /// Names in lower case, in order.
    private let fields: [Field]

    private struct Field: Equatable {
        let name, value: String
    }

    static let sizeLimit = 8192
    private static let fieldLimit = 64
    private static let targetLimit = 1024

    /// Bytes of the head with its empty line; nil while that is not there.
    /// - Throws: for a head that is too long.
    static func length(in bytes: [UInt8]) throws(RequestFault) -> Int? {
        var place = 3
        while place < min(bytes.count, sizeLimit) {
            if bytes[place] == 0x0a, bytes[place - 1] == 0x0d, bytes[place - 2] == 0x0a, bytes[place - 3] == 0x0d {
                return place + 1
            }
            place += 1
        }
        guard bytes.count < sizeLimit else { throw RequestFault(431) }
        return nil
    }

    /// - Parameter bytes: up to and with the empty line.
    init(_ bytes: some Collection<UInt8>) throws(RequestFault) {
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7f || $0 == 0x0d || $0 == 0x0a || $0 == 0x09 }) else {
            throw RequestFault(400)
        }
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
        guard lines.count >= 3, lines.removeLast().isEmpty, lines.removeLast().isEmpty,
            !lines.contains(where: { line in line.utf8.contains { $0 == 0x0d || $0 == 0x0a } })
        else { throw RequestFault(400) }
        let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else { throw RequestFault(400) }
        guard words[1].utf8.count <= Self.targetLimit else { throw RequestFault(414) }
        guard words[1].hasPrefix("/"), lines.count <= Self.fieldLimit else { throw RequestFault(400) }
        method = String(words[0])
        path = String(words[1].prefix { $0 != "?" })
        var fields: [Field] = []
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
                line[..<colon].utf8.allSatisfy({ Self.isNameByte($0) })
            else { throw RequestFault(400) }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            let end = value.lastIndex { $0 != " " && $0 != "\t" }.map { value.index(after: $0) } ?? value.startIndex
            fields.append(Field(name: line[..<colon].lowercased(), value: String(value[..<end])))
        }
        self.fields = fields
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte == 0x2d || byte == 0x5f || (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
            || (0x61...0x7a).contains(byte)
    }

    /// The value of a field that is there once; nil for none.
    /// - Throws: where it is there more than once, so that two readers cannot take different ones.
    func field(_ name: String) throws(RequestFault) -> String? {
        let found = fields.filter { $0.name == name }
        guard found.count <= 1 else { throw RequestFault(400) }
        return found.first?.value
    }
}

/// Why a request is refused: an HTTP status.
struct RequestFault: Error, Equatable {
    let status: Int

    init(_ status: Int) { self.status = status }

    var reason: String {
        switch status {
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 426: "Upgrade Required"
        case 431: "Request Header Fields Too Large"
        default: "Service Unavailable"
        }
    }
}
