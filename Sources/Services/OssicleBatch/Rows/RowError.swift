import OssicleScenes

/// A row of a manifest that cannot be done: which row, where it is, what is wrong, and what to do.
package struct RowError: Error, Hashable, CustomStringConvertible {
    /// Nil where the row says no usable one.
    package let id: String?
    /// “rooms.jsonl”, and the line in it, from 1 on.
    package let manifest: String
    package let line: Int
    /// “source[1] is 9; it is a number from 0 to 3: give one in that range.”
    package let finding: String

    package init(_ id: String?, manifest: String, line: Int, finding: String) {
        (self.id, self.manifest, self.line, self.finding) = (id, manifest, line, finding)
    }

    package var description: String {
        "\(id.map { "Row “\($0)” (\(manifest), line \(line))" } ?? "\(manifest), line \(line)"): \(finding)"
    }
}

/// A batch that cannot begin or go on: a manifest, folder or set that is not as it has to be.
package struct BatchError: Error, Hashable, CustomStringConvertible {
    package let description: String

    /// - Parameters:
    ///   - object: what it is about. - found: what is wrong. - rule: what must be. - cure: what to do.
    package init(_ object: String, _ found: String, rule: String, cure: String) {
        description = "\(object) \(found); \(rule): \(cure)."
    }
}

extension Error {
    /// What is wrong, without the name of the document where that is the row.
    var finding: String {
        guard let words = (self as? SceneFileError)?.finding else { return "\(self)" }
        let whole = "\(JSONPath.root)"
        return words.hasPrefix(whole) ? "the row" + words.dropFirst(whole.count) : words
    }
}
