import Foundation
import OssicleCore
import OssicleScenes

/// Puts values in place of what a row leaves to chance.
///
///     {"uniform": [a, b]}                         a number between two, or a list of them between two lists
///     {"logUniform": [a, b]}                      the same over the logarithm, of positive numbers
///     {"normal": [mean, deviation], "min": a, "max": b}    held within the two, which may be left out
///     {"integer": [a, b]}                         a whole number, both ends among them
///     {"choice": [value, …]}                      one of the values, which may hold such draws themselves
///     {"line": "file.txt"}                        a line of a file, which is not empty
///     {"repeat": n, "of": value}                  a list of n values, each drawn for itself
///
/// Every number is a function of (data set seed, row id, path in the row) and nothing else, so that neither other rows
/// nor other members change it.
struct RowDraws {
    private let random: CounterRandom
    private let texts: TextFiles

    /// Elements that a repetition makes at most.
    private static let repetitions = 0...64

    init(seed: UInt64, id: String, texts: TextFiles) {
        random = CounterRandom(seed: seed, object: CounterRandom.number(of: id))
        self.texts = texts
    }

    /// The value with all draws made.
    func resolved(_ cursor: JSONCursor) throws -> JSONValue {
        switch cursor.value {
        case .array: return .array(try cursor.list().map(resolved))
        case .object(let members):
            let object = try cursor.object()
            guard let kind = members.keys.filter({ RowDraws.kinds.contains($0) }).sorted().first else {
                return .object(
                    Dictionary(
                        uniqueKeysWithValues: try members.keys.map { name in
                            (name, try object[name].map(resolved) ?? .null)
                        }))
            }
            return try draw(kind, object)
        default: return cursor.value
        }
    }

    private static let kinds: Set = ["uniform", "logUniform", "normal", "integer", "choice", "line", "repeat"]

    private func draw(_ kind: String, _ object: JSONObject) throws -> JSONValue {
        let parts = try object.required(kind)
        try object.refuseMembers(
            besides: [kind] + (kind == "normal" ? ["min", "max"] : kind == "repeat" ? ["of"] : []))
        switch kind {
        case "uniform": return try uniform(parts)
        case "logUniform":
            let ends = try ends(parts, in: 1e-12...1e12)
            let (low, high) = (DeterministicMath.log(ends.0), DeterministicMath.log(ends.1))
            let value = DeterministicMath.exp(low + (high - low) * unit(object.path, 0))
            return .number(min(max(value, ends.0), ends.1))
        case "normal": return try normal(parts, object)
        case "integer":
            let list = try parts.list(atMost: 2)
            guard list.count == 2 else { throw RowDraws.twoEnds(parts) }
            let limit = 1 << 53
            let (low, high) = (
                try list[0].integer(in: -limit...limit), try list[1].integer(in: -limit...limit)
            )
            guard low <= high else { throw RowDraws.twoEnds(parts) }
            return .number(Double(low + Int(unit(object.path, 0) * Double(high - low + 1))))
        case "choice": return try resolved(try pick(try parts.list(), parts, object.path))
        case "line":
            let lines = try texts.lines(of: parts)
            return .string(lines[Int(unit(object.path, 0) * Double(lines.count))])
        default:
            let count = JSONCursor(try resolved(parts), file: parts.file, path: parts.path)
            let of = try object.required("of")
            return .array(
                try (0..<(try count.integer(in: RowDraws.repetitions))).map { index in
                    try resolved(JSONCursor(of.value, file: of.file, path: .element(object.path, index)))
                })
        }
    }

    private func uniform(_ parts: JSONCursor) throws -> JSONValue {
        let list = try parts.list(atMost: 2)
        if list.count == 2, case .array = list[0].value {
            let (low, high) = (try list[0].list(), try list[1].list())
            guard low.count == high.count else { throw RowDraws.twoEnds(parts) }
            return .array(
                try low.indices.map { index in
                    try between(
                        low[index].number(in: RowDraws.numbers), high[index].number(in: RowDraws.numbers), parts,
                        number: index)
                })
        }
        let ends = try ends(parts, in: RowDraws.numbers)
        return try between(ends.0, ends.1, parts, number: 0)
    }

    private func between(_ low: Double, _ high: Double, _ parts: JSONCursor, number: Int) throws -> JSONValue {
        guard low <= high else { throw RowDraws.twoEnds(parts) }
        return .number(min(low + (high - low) * unit(parts.path, number), high))
    }

    /// Box and Muller 1958.
    private func normal(_ parts: JSONCursor, _ object: JSONObject) throws -> JSONValue {
        let list = try parts.list(atMost: 2)
        guard list.count == 2 else { throw RowDraws.twoEnds(parts) }
        let (mean, deviation) = (try list[0].number(in: RowDraws.numbers), try list[1].number(in: 0...1e12))
        let radius = (-2 * DeterministicMath.log(1 - unit(object.path, 0))).squareRoot()
        let value =
            mean + deviation * radius * DeterministicMath.cos(2 * DeterministicMath.pi * unit(object.path, 1))
        let low = try object["min"]?.number(in: RowDraws.numbers) ?? -1e15
        let high = try object["max"]?.number(in: RowDraws.numbers) ?? 1e15
        guard low <= high else { throw RowDraws.twoEnds(parts) }
        return .number(min(max(value, low), high))
    }

    private static let numbers = -1e12...1e12

    private func ends(_ parts: JSONCursor, in range: ClosedRange<Double>) throws -> (Double, Double) {
        let list = try parts.list(atMost: 2)
        guard list.count == 2 else { throw RowDraws.twoEnds(parts) }
        let (low, high) = (try list[0].number(in: range), try list[1].number(in: range))
        guard low <= high else { throw RowDraws.twoEnds(parts) }
        return (low, high)
    }

    private static func twoEnds(_ parts: JSONCursor) -> SceneFileError {
        parts.fault(rule: "it is a list of two, the lower first", cure: "give both")
    }

    private func pick(_ list: [JSONCursor], _ parts: JSONCursor, _ path: JSONPath) throws -> JSONCursor {
        guard !list.isEmpty else { throw parts.fault(rule: "there is something to choose from", cure: "add values") }
        // The draws in what is chosen are keyed by its own place.
        return list[Int(unit(path, 0) * Double(list.count))]
    }

    /// 0 ..< 1, by the place in the row.
    func unit(_ path: JSONPath, _ number: Int) -> Double {
        random.unit(CounterRandom.mix(CounterRandom.number(of: path.description) &+ UInt64(number)))
    }

    /// The seed of a row's engine and noise where it states none; below 2⁵³, so that JSON holds it.
    var engineSeed: UInt64 { random.bits(CounterRandom.number(of: "engine seed")) >> 11 }
}

/// Files of lines that rows draw from, read once.
package final class TextFiles: @unchecked Sendable {
    private let folder: String
    private let lock = NSLock()
    /// Guarded by the lock.
    private var known: [String: [String]] = [:]
    /// Files kept, and bytes of one.
    private static let (mostFiles, mostBytes) = (64, 256 << 20)

    /// - Parameter folder: where names begin.
    package init(folder: String) { self.folder = folder }

    func lines(of name: JSONCursor) throws -> [String] {
        let path = path(try name.name())
        lock.lock()
        defer { lock.unlock() }
        if let lines = known[path] { return lines }
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        guard size <= TextFiles.mostBytes, let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw name.fault(
                rule: "it names a text file of at most 256 MB in UTF-8", cure: "check the path, from the manifest on")
        }
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
        guard !lines.isEmpty else { throw name.fault(rule: "the file has lines that are not empty", cure: "add some") }
        if known.count >= TextFiles.mostFiles { known.removeAll() }
        known[path] = lines
        return lines
    }

    /// A name in a row as a path.
    func path(_ name: String) -> String {
        name.hasPrefix("/") ? name : (folder as NSString).appendingPathComponent(name)
    }
}
