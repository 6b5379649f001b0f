import Foundation

/// One thing, or one kind of things, that a client can do wrong.
struct MisuseCase: Sendable {
    let name: String
    let body: @Sendable () throws -> Void

    init(_ name: String, _ body: @escaping @Sendable () throws -> Void) { (self.name, self.body) = (name, body) }

    static let all =
        graphCases + playerCases + playbackCases + soundCases + unitCases + bufferCases + fileCases + meshCases
        + sceneCases + sceneFileCases
        + definitionCases
        + eventCases + threadCases + sessionCases + sequenceCases + instrumentCases
}

/// What one thread shares with others on purpose.
struct Shared<Value>: @unchecked Sendable { let value: Value }

/// What did not come out as documented.
struct MisuseFailure: Error, CustomStringConvertible {
    let description: String
    init(_ words: String) { description = words }
}

/// Writes a step to standard error at once.
func note(_ words: String) { FileHandle.standardError.write(Data((words + "\n").utf8)) }

func expect(_ condition: Bool, _ words: @autoclosure () -> String) throws {
    if !condition { throw MisuseFailure(words()) }
}

/// Runs what has to throw.
func expectThrown(_ words: String, _ body: () throws -> Void) throws {
    note(words)
    do { try body() } catch { return }
    throw MisuseFailure("Nothing was thrown: \(words)")
}

/// Numbers that are none, too large, too small, or of the wrong sign.
enum Hostile {
    static let doubles: [Double] = [
        .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, -1, 0,
        1e9,
    ]
    static let floats: [Float] = [
        .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, -1, 0,
        1e9,
    ]
    static let integers: [Int] = [.min, .max, -1, 0, Int(Int32.max) + 1, Int(UInt32.max) + 1]
    static let frames: [UInt32] = [0, 1, .max, .max - 1, 1 << 31]
    static let names = ["", "\u{0}", "a/b", "🦴", String(repeating: "x", count: 1 << 20)]
}

/// A property that takes a number, and how it is set.
struct Setting<Object, Value> {
    let name: String
    let set: (Object, Value) -> Void

    init(_ name: String, _ set: @escaping (Object, Value) -> Void) { (self.name, self.set) = (name, set) }

    init(_ name: String, _ path: ReferenceWritableKeyPath<Object, Value>) { self.init(name) { $0[keyPath: path] = $1 } }
}

/// Sets every property to every value, notes each step first, and runs `check` after each.
func exercise<Object, Value>(
    _ object: Object, _ settings: [Setting<Object, Value>], values: [Value], _ check: () throws -> Void
) rethrows {
    for setting in settings {
        for value in values {
            note("\(type(of: object)).\(setting.name) = \(value)")
            setting.set(object, value)
            try check()
        }
    }
}
