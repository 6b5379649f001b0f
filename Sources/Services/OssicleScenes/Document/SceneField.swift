/// A value of the scene's audio extension: an object in JSON whose members are listed once, for reading and writing.
protocol SceneValue: Sendable, Hashable {
    init()
    static var fields: [SceneField<Self>] { get }
}

/// A member of an object, or several that belong together: how it is read, checked and written.
struct SceneField<Whole: Sendable>: Sendable {
    /// Names it may have in an object.
    let known: @Sendable (JSONObject) -> [String]
    let read: @Sendable (JSONObject, inout Whole) throws -> Void
    /// Leaves out what is as it would be without.
    let write: @Sendable (Whole, inout [String: JSONValue]) -> Void
}

extension SceneValue {
    init(_ object: JSONObject) throws {
        self.init()
        let fields = Self.fields
        for field in fields { try field.read(object, &self) }
        // Which members there may be depends on the kind, which is known to be right by now.
        try object.refuseMembers(besides: fields.flatMap { $0.known(object) })
    }

    var members: [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for field in Self.fields { field.write(self, &members) }
        return members
    }
}

extension SceneField where Whole: SceneValue {
    typealias Key<Value> = WritableKeyPath<Whole, Value> & Sendable

    /// A member that may be left out.
    private init<Value: Equatable & Sendable>(
        _ name: String, _ key: Key<Value>, _ read: @escaping @Sendable (JSONCursor) throws -> Value,
        _ write: @escaping @Sendable (Value) -> JSONValue
    ) {
        known = { _ in [name] }
        self.read = { object, whole in if let member = object[name] { whole[keyPath: key] = try read(member) } }
        self.write = { whole, members in
            let value = whole[keyPath: key]
            if value != Whole()[keyPath: key] { members[name] = write(value) }
        }
    }

    /// A member that has to be there.
    private init<Value: Sendable>(
        required name: String, _ key: Key<Value>, _ read: @escaping @Sendable (JSONCursor) throws -> Value,
        _ write: @escaping @Sendable (Value) -> JSONValue
    ) {
        known = { _ in [name] }
        self.read = { object, whole in whole[keyPath: key] = try read(try object.required(name)) }
        self.write = { whole, members in members[name] = write(whole[keyPath: key]) }
    }

    static func number(_ name: String, _ key: Key<Double>, _ range: ClosedRange<Double>) -> Self {
        Self(name, key, { try $0.number(in: range) }, JSONValue.number)
    }

    static func requiredNumber(_ name: String, _ key: Key<Double>, _ range: ClosedRange<Double>) -> Self {
        Self(required: name, key, { try $0.number(in: range) }, JSONValue.number)
    }

    static func optionalNumber(_ name: String, _ key: Key<Double?>, _ range: ClosedRange<Double>) -> Self {
        Self(name, key, { try $0.number(in: range) }, { $0.map(JSONValue.number) ?? .null })
    }

    static func integer(_ name: String, _ key: Key<Int>, _ range: ClosedRange<Int>) -> Self {
        Self(name, key, { try $0.integer(in: range) }, { JSONValue($0) })
    }

    /// - Parameter counts: how many numbers there may be.
    static func numbers(
        _ name: String, _ key: Key<[Double]>, _ counts: Set<Int>, _ range: ClosedRange<Double>
    ) -> Self {
        Self(name, key, { try $0.numbers(counts, in: range) }, { .array($0.map(JSONValue.number)) })
    }

    static func requiredNumbers(
        _ name: String, _ key: Key<[Double]>, _ counts: Set<Int>, _ range: ClosedRange<Double>
    ) -> Self {
        Self(required: name, key, { try $0.numbers(counts, in: range) }, { .array($0.map(JSONValue.number)) })
    }

    static func flag(_ name: String, _ key: Key<Bool>) -> Self { Self(name, key, { try $0.flag() }, JSONValue.bool) }

    static func optionalFlag(_ name: String, _ key: Key<Bool?>) -> Self {
        Self(name, key, { try $0.flag() }, { $0.map(JSONValue.bool) ?? .null })
    }

    static func text(_ name: String, _ key: Key<String>) -> Self {
        Self(name, key, { try $0.text() }, JSONValue.string)
    }

    /// The name of something.
    static func name(_ name: String, _ key: Key<String?>) -> Self {
        Self(name, key, { try $0.name() }, { $0.map(JSONValue.string) ?? .null })
    }

    static func requiredName(_ name: String, _ key: Key<String>) -> Self {
        Self(required: name, key, { try $0.name() }, JSONValue.string)
    }

    static func names(_ name: String, _ key: Key<[String]>, atMost most: Int) -> Self {
        Self(
            name, key, { try $0.list(atMost: most).map { try $0.name() } }, { .array($0.map(JSONValue.string)) })
    }

    static func choice<Choice: CaseIterable & RawRepresentable<String> & Sendable & Equatable>(
        _ name: String, _ key: Key<Choice>
    ) -> Self {
        Self(name, key, { try $0.choice(of: Choice.self) }, { .string($0.rawValue) })
    }

    static func optionalChoice<Choice: CaseIterable & RawRepresentable<String> & Sendable & Equatable>(
        _ name: String, _ key: Key<Choice?>
    ) -> Self {
        Self(name, key, { try $0.choice(of: Choice.self) }, { $0.map { .string($0.rawValue) } ?? .null })
    }

    static func requiredChoice<Choice: CaseIterable & RawRepresentable<String> & Sendable & Equatable>(
        _ name: String, _ key: Key<Choice>
    ) -> Self {
        Self(required: name, key, { try $0.choice(of: Choice.self) }, { .string($0.rawValue) })
    }

    static func object<Part: SceneValue>(_ name: String, _ key: Key<Part>) -> Self {
        Self(name, key, { try Part(try $0.object()) }, { .object($0.members) })
    }

    static func optionalObject<Part: SceneValue>(_ name: String, _ key: Key<Part?>) -> Self {
        Self(name, key, { try Part(try $0.object()) }, { $0.map { .object($0.members) } ?? .null })
    }

    static func requiredObject<Part: SceneValue>(_ name: String, _ key: Key<Part>) -> Self {
        Self(required: name, key, { try Part(try $0.object()) }, { .object($0.members) })
    }

    static func list<Part: SceneValue>(_ name: String, _ key: Key<[Part]>, atMost most: Int) -> Self {
        Self(
            name, key, { try $0.list(atMost: most).map { try Part(try $0.object()) } },
            { .array($0.map { .object($0.members) }) })
    }

    static func requiredList<Part: SceneValue>(_ name: String, _ key: Key<[Part]>, atMost most: Int) -> Self {
        Self(
            required: name, key,
            {
                let list = try $0.list(atMost: most)
                guard !list.isEmpty else { throw $0.fault(rule: "it has at least one", cure: "add one") }
                return try list.map { try Part(try $0.object()) }
            }, { .array($0.map { .object($0.members) }) })
    }

    /// Members that depend on what the member `tag` says: see `SceneKind`.
    static func kind<Kind: SceneKind>(_ tag: String, _ key: Key<Kind>) -> Self {
        Self(
            known: { object in
                [tag] + (Kind.cases.first { .string($0.tag) == object.members[tag] }?.known(object) ?? [])
            },
            read: { object, whole in
                let cursor = try object.required(tag)
                guard let found = Kind.cases.first(where: { .string($0.tag) == cursor.value }) else {
                    throw cursor.fault(
                        rule: "it is one of \(Kind.cases.map(\.tag).joined(separator: ", "))",
                        cure: Kind.cure(for: cursor.value) ?? "give one of these")
                }
                whole[keyPath: key] = try found.read(object)
            },
            write: { whole, members in
                for entry in Kind.cases {
                    entry.write(whole[keyPath: key], &members).map { members[tag] = .string($0) }
                }
            })
    }
}

/// One of several kinds of a thing, each with members of its own.
protocol SceneKind: Sendable, Hashable {
    static var cases: [SceneCase<Self>] { get }
    /// What to do about a kind that does not exist.
    static func cure(for value: JSONValue) -> String?
}

extension SceneKind {
    static func cure(for value: JSONValue) -> String? { nil }
}

/// A kind by the word that stands for it.
struct SceneCase<Kind: Sendable>: Sendable {
    let tag: String
    let known: @Sendable (JSONObject) -> [String]
    let read: @Sendable (JSONObject) throws -> Kind
    /// Adds the kind's members; nil for another kind.
    let write: @Sendable (Kind, inout [String: JSONValue]) -> String?

    init<Part: SceneValue>(
        _ tag: String, _ make: @escaping @Sendable (Part) -> Kind, _ part: @escaping @Sendable (Kind) -> Part?
    ) {
        self.tag = tag
        known = { object in Part.fields.flatMap { $0.known(object) } }
        read = { object in
            var part = Part()
            for field in Part.fields { try field.read(object, &part) }
            return make(part)
        }
        write = { kind, members in
            guard let part = part(kind) else { return nil }
            members.merge(part.members) { $1 }
            return tag
        }
    }
}
