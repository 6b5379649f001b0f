import Foundation

/// A baseline's file: JSON with a line for each series, so that a change of it can be read in a review.
enum GoldenFile {
    static func read(_ url: URL) throws -> GoldenNumbers {
        let data = try Data(contentsOf: url)
        struct Form: Decodable { var version: Int }
        let version: Int
        do { version = try JSONDecoder().decode(Form.self, from: data).version } catch {
            throw SoundError("\(url.path) is no baseline of a golden rendering: record it again with OSSICLE_RECORD=1.")
        }
        guard version == GoldenNumbers.version else {
            throw SoundError(
                "\(url.path) has version \(version), this release reads \(GoldenNumbers.version): record it again with OSSICLE_RECORD=1, or use the release that wrote it."
            )
        }
        do { return try JSONDecoder().decode(GoldenNumbers.self, from: data) } catch {
            throw SoundError("\(url.path) is damaged (\(error)): record it again with OSSICLE_RECORD=1.")
        }
    }

    static func write(_ numbers: GoldenNumbers, to url: URL) throws {
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text(numbers).utf8).write(to: url, options: .atomic)
    }

    static func text(_ numbers: GoldenNumbers) throws -> String {
        let encoder = JSONEncoder()
        let value = try JSONSerialization.jsonObject(with: encoder.encode(numbers))
        return try text(value, indent: "") + "\n"
    }

    /// Objects go over several lines, lists of numbers do not.
    private static func text(_ value: Any, indent: String) throws -> String {
        let deeper = indent + "  "
        if let object = value as? [String: Any] {
            guard !object.isEmpty else { return "{}" }
            let isShort = object.count <= 3 && object.values.allSatisfy { !($0 is [Any]) && !($0 is [String: Any]) }
            let members = try object.sorted { order($0.key, $1.key) }.map { key, value in
                "\(try scalar(key)): \(try text(value, indent: deeper))"
            }
            return isShort && !indent.isEmpty
                ? "{\(members.joined(separator: ", "))}"
                : "{\n\(deeper)\(members.joined(separator: ",\n" + deeper))\n\(indent)}"
        }
        if let list = value as? [Any] {
            let items = try list.map { try text($0, indent: deeper) }
            return list.contains { $0 is [Any] }
                ? "[\n\(deeper)\(items.joined(separator: ",\n" + deeper))\n\(indent)]"
                : "[\(items.joined(separator: ", "))]"
        }
        return try scalar(value)
    }

    private static func scalar(_ value: Any) throws -> String {
        String(
            decoding: try JSONSerialization.data(
                withJSONObject: value, options: [.fragmentsAllowed, .withoutEscapingSlashes]),
            as: UTF8.self)
    }

    /// Bands by their frequency, names by their letters.
    private static func order(_ a: String, _ b: String) -> Bool {
        if let a = Double(a), let b = Double(b) { return a < b }
        return a < b
    }
}
