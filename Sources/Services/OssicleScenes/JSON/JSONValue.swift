import Foundation

/// A JSON document as a tree of values, read by Foundation and written here, so that the same value has the same bytes.
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue {
    /// Bytes of a document at the most.
    static let most = 64 << 20

    /// - Throws: `SceneFileError` for more than `most` bytes and for what is no JSON.
    package init(_ bytes: [UInt8], file: String) throws {
        guard bytes.count <= JSONValue.most else {
            throw SceneFileError(
                file, "its JSON has \(bytes.count) bytes", rule: "at most \(JSONValue.most) are read",
                cure: "keep geometry in a binary buffer")
        }
        guard let tree = try? JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed]) else {
            throw SceneFileError(
                file, "is no JSON\(JSONValue.place(in: bytes))", rule: "the document is JSON in UTF-8 (RFC 8259)",
                cure: "check brackets, commas and quotes, or export it again")
        }
        self.init(tree)
    }

    private init(_ tree: Any) {
        switch tree {
        case let text as String: self = .string(text)
        // Only a Boolean is a number of one byte: JSON's numbers come as 64 bits.
        case let number as NSNumber where number.objCType.pointee == 0x63 || number.objCType.pointee == 0x42:
            self = .bool(number.boolValue)
        case let number as NSNumber: self = .number(number.doubleValue)
        case let list as [Any]: self = .array(list.map(JSONValue.init))
        case let members as [String: Any]: self = .object(members.mapValues(JSONValue.init))
        default: self = .null
        }
    }

    /// Where the brackets do not match, in words; empty where they do.
    private static func place(in bytes: [UInt8]) -> String {
        var (open, line, isText, isEscaped) = ([UInt8](), 1, false, false)
        for byte in bytes {
            if byte == 0x0A { line += 1 }
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else if byte == 0x22 {
                    isText = false
                }
                continue
            }
            switch byte {
            case 0x22: isText = true
            case 0x5B, 0x7B: open.append(byte + 2)
            case 0x5D, 0x7D:
                guard open.popLast() == byte else { return " (line \(line): a bracket closes what it does not open)" }
            default: continue
            }
        }
        return open.isEmpty && !isText ? "" : " (it ends within a value)"
    }
}

extension JSONValue {
    /// UTF-8: keys in alphabetical order, two spaces a level, lists of numbers in one line, a line break at the end.
    package var bytes: [UInt8] {
        var text = ""
        write(to: &text, level: 0)
        text += "\n"
        return Array(text.utf8)
    }

    /// One line without blanks and line break: for JSON Lines.
    package var line: String {
        var text = ""
        writeLine(to: &text)
        return text
    }

    private func writeLine(to text: inout String) {
        switch self {
        case .array(let list):
            text += "["
            for (index, value) in list.enumerated() {
                if index > 0 { text += "," }
                value.writeLine(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in JSONValue.sorted(members).enumerated() {
                if index > 0 { text += "," }
                JSONValue.write(member.key, to: &text)
                text += ":"
                member.value.writeLine(to: &text)
            }
            text += "}"
        default: write(to: &text, level: 0)
        }
    }

    private static func sorted(_ members: [String: JSONValue]) -> [(key: String, value: JSONValue)] {
        members.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
    }

    private func write(to text: inout String, level: Int) {
        switch self {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .number(let number): text += JSONValue.text(of: number)
        case .string(let string): JSONValue.write(string, to: &text)
        case .array(let list) where list.allSatisfy(\.isPlain):
            text += "["
            for (index, value) in list.enumerated() {
                if index > 0 { text += ", " }
                value.write(to: &text, level: level)
            }
            text += "]"
        case .array(let list): write(list.map { (nil, $0) }, to: &text, level: level, "[", "]")
        case .object(let members):
            write(JSONValue.sorted(members).map { ($0.key, $0.value) }, to: &text, level: level, "{", "}")
        }
    }

    private func write(
        _ parts: [(key: String?, value: JSONValue)], to text: inout String, level: Int, _ opening: String,
        _ closing: String
    ) {
        guard !parts.isEmpty else { return text += opening + closing }
        text += opening
        for (index, part) in parts.enumerated() {
            text += (index > 0 ? ",\n" : "\n") + String(repeating: "  ", count: level + 1)
            if let key = part.key {
                JSONValue.write(key, to: &text)
                text += ": "
            }
            part.value.write(to: &text, level: level + 1)
        }
        text += "\n" + String(repeating: "  ", count: level) + closing
    }

    private var isPlain: Bool {
        switch self {
        case .array, .object: false
        default: true
        }
    }

    /// The shortest decimal that is read as the same number; JSON has none for what is not finite.
    private static func text(of number: Double) -> String {
        guard number.isFinite else { return "null" }
        return number.magnitude < 1e15 && number == number.rounded() ? "\(Int64(number))" : "\(number)"
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20:
                text += "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

extension JSONValue {
    /// By the shortest decimal of the 32-bit number, as it was read: 0.1 is not 0.10000000149.
    package init(_ float: Float) {
        let short = Double("\(float)") ?? Double(float)
        self = .number(Float(short) == float ? short : Double(float))
    }

    package init(_ integer: Int) { self = .number(Double(integer)) }

    /// For messages: the value itself where it is short.
    package var words: String {
        switch self {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .number(let number): JSONValue.text(of: number)
        case .string(let text): "“\(text.prefix(60))”"
        case .array(let list): "a list of \(list.count)"
        case .object(let members): "an object of \(members.count)"
        }
    }
}
