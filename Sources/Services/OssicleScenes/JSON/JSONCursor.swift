/// Where a value is in a document: “nodes[3].mesh”.
package indirect enum JSONPath: Sendable, CustomStringConvertible {
    case root
    case member(JSONPath, String)
    case element(JSONPath, Int)

    package var description: String {
        switch self {
        case .root: "the document"
        case .member(.root, let name): name
        case .member(let whole, let name): "\(whole).\(name)"
        case .element(let whole, let index): "\(whole)[\(index)]"
        }
    }
}

/// A value of a document that knows where it is, so that what is wrong with it can be said by its path.
package struct JSONCursor: Sendable {
    package let value: JSONValue
    package let path: JSONPath
    /// The document's name.
    package let file: String

    package init(_ value: JSONValue, file: String, path: JSONPath = .root) {
        (self.value, self.path, self.file) = (value, path, file)
    }

    /// “Scene “a.gltf”: nodes[3].mesh is 17; meshes are numbered 0 to 3: name one of them.”
    package func fault(_ found: String? = nil, rule: String, cure: String) -> SceneFileError {
        SceneFileError(
            file, "\(path) \(found ?? "is \(value.words)")", rule: rule, cure: cure, path: "\(path)")
    }

    package func number(in range: ClosedRange<Double>) throws -> Double {
        guard case .number(let number) = value, number.isFinite, range.contains(number) else {
            throw fault(rule: "it is a number \(range.words)", cure: "give one in that range")
        }
        return number
    }

    package func integer(in range: ClosedRange<Int>) throws -> Int {
        guard case .number(let number) = value, let integer = Int(exactly: number), range.contains(integer) else {
            throw fault(rule: "it is a whole number \(range.words)", cure: "give one in that range")
        }
        return integer
    }

    /// The number of one of `count` things.
    package func index(of things: String, count: Int) throws -> Int {
        guard case .number(let number) = value, let index = Int(exactly: number), index >= 0, index < count else {
            throw fault(
                rule: count == 0 ? "there are no \(things)" : "\(things) are numbered 0 to \(count - 1)",
                cure: count == 0 ? "leave it out" : "give one of these numbers")
        }
        return index
    }

    package func flag() throws -> Bool {
        guard case .bool(let flag) = value else {
            throw fault(rule: "it is true or false", cure: "give one of the two")
        }
        return flag
    }

    /// Characters of a text at the most.
    package static let mostCharacters = 4096

    package func text() throws -> String {
        guard case .string(let text) = value, text.utf8.count <= JSONCursor.mostCharacters else {
            throw fault(rule: "it is a text of at most \(JSONCursor.mostCharacters) bytes", cure: "give one in quotes")
        }
        return text
    }

    package func name() throws -> String {
        let name = try text()
        guard !name.isEmpty else { throw fault(rule: "a name is not empty", cure: "give it a name") }
        return name
    }

    package func choice<Choice: CaseIterable & RawRepresentable<String>>(of type: Choice.Type) throws -> Choice {
        guard case .string(let text) = value, let choice = Choice(rawValue: text) else {
            throw fault(
                rule: "it is one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))",
                cure: "give one of these")
        }
        return choice
    }

    package func list(atMost most: Int = 1 << 20) throws -> [JSONCursor] {
        guard case .array(let list) = value else {
            throw fault(rule: "it is a list", cure: "put it in square brackets")
        }
        guard list.count <= most else {
            throw fault(rule: "there are at most \(most)", cure: "leave some out")
        }
        return list.enumerated().map { JSONCursor($1, file: file, path: .element(path, $0)) }
    }

    /// - Parameter counts: how many numbers there may be.
    package func numbers(_ counts: Set<Int>, in range: ClosedRange<Double>) throws -> [Double] {
        let list = try list()
        guard counts.contains(list.count) else {
            let words = counts.sorted().map(String.init).joined(separator: " or ")
            throw fault(rule: "it is a list of \(words) numbers", cure: "give as many")
        }
        return try list.map { try $0.number(in: range) }
    }

    package func object() throws -> JSONObject {
        guard case .object(let members) = value else {
            throw fault(rule: "it is an object", cure: "put its members in braces")
        }
        return JSONObject(members: members, path: path, file: file)
    }
}

/// An object of a document, by the names of its members.
package struct JSONObject: Sendable {
    package let members: [String: JSONValue]
    package let path: JSONPath
    package let file: String

    package var cursor: JSONCursor { JSONCursor(.object(members), file: file, path: path) }

    package subscript(name: String) -> JSONCursor? {
        members[name].map { JSONCursor($0, file: file, path: .member(path, name)) }
    }

    package func required(_ name: String) throws -> JSONCursor {
        guard let member = self[name] else {
            throw SceneFileError(
                file, "\(path) has no \(name)", rule: "\(JSONPath.member(path, name)) is required", cure: "add it",
                path: "\(path)")
        }
        return member
    }

    /// The members of a list; none where it is not there.
    package func list(_ name: String, atMost most: Int = 1 << 20) throws -> [JSONCursor] {
        try self[name]?.list(atMost: most) ?? []
    }

    /// What `extensions` holds under a name.
    package func `extension`(_ name: String) throws -> JSONObject? {
        try self["extensions"]?.object()[name]?.object()
    }

    /// A member that means nothing is a slip of the pen, and would silently do nothing.
    package func refuseMembers(besides known: [String]) throws {
        guard let odd = members.keys.filter({ !known.contains($0) }).sorted().first else { return }
        throw SceneFileError(
            file, "\(path) has a member “\(odd.prefix(60))”",
            rule: "known there are \(known.sorted().joined(separator: ", "))",
            cure: "correct the name, or leave it out",
            path: "\(JSONPath.member(path, odd))")
    }
}

extension ClosedRange<Double> {
    package var words: String {
        switch (lowerBound > -.greatestFiniteMagnitude, upperBound < .greatestFiniteMagnitude) {
        case (true, true): "from \(JSONValue.number(lowerBound).words) to \(JSONValue.number(upperBound).words)"
        case (true, false): "of \(JSONValue.number(lowerBound).words) or more"
        case (false, true): "of \(JSONValue.number(upperBound).words) or less"
        case (false, false): "that is finite"
        }
    }
}

extension ClosedRange<Int> {
    package var words: String { "from \(lowerBound) to \(upperBound)" }
}
