import OssicleScenes

/// A line of the results: what a row became.
package struct RowRecord: Sendable, Hashable {
    package struct File: Sendable, Hashable {
        package let name: String
        /// SHA-256, lower-case hexadecimal.
        package let digest: String
        package let byteCount: Int
        let facts: [String: JSONValue]
    }

    /// Where a row is in an archive.
    package struct Place: Sendable, Hashable {
        package let archive: String
        /// Bytes, of its first header, and of all that is the row's.
        package let offset: Int
        package let byteCount: Int
    }

    package let id: String
    package let input: String
    package let files: [File]
    let facts: [String: JSONValue]
    package var place: Place?

    init(id: String, input: String, files: [File], facts: [String: JSONValue]) {
        (self.id, self.input, self.files, self.facts) = (id, input, files, facts)
    }

    /// Of the file `id.json` in an archive: without where it is.
    var value: JSONValue {
        var members = facts
        members["id"] = .string(id)
        members["input"] = .string(input)
        members["files"] = .array(
            files.map { file in
                var members = file.facts
                members["name"] = .string(file.name)
                members["sha256"] = .string(file.digest)
                members["bytes"] = JSONValue(file.byteCount)
                return .object(members)
            })
        return .object(members)
    }

    /// One line of JSON, without a line break.
    package var line: String {
        guard let place, case .object(var members) = value else { return value.line }
        members["tar"] = .object([
            "name": .string(place.archive), "offset": JSONValue(place.offset), "bytes": JSONValue(place.byteCount),
        ])
        return JSONValue.object(members).line
    }
}

extension RowRecord {
    /// A record from a line of results.
    package init(_ line: [UInt8], file: String) throws {
        let object = try JSONCursor(try JSONValue(line, file: file), file: file).object()
        id = try object.required("id").name()
        input = try object.required("input").text()
        files = try object.required("files").list(atMost: 1024).map { item in
            let file = try item.object()
            let known: Set = ["name", "sha256", "bytes"]
            let name = try file.required("name").name()
            guard !name.contains("/"), !name.hasPrefix(".") else {
                throw try file.required("name").fault(
                    rule: "files lie in the folder itself", cure: "compute the set again")
            }
            return File(
                name: name, digest: try file.required("sha256").text(),
                byteCount: try file.required("bytes").integer(in: 0...(1 << 40)),
                facts: file.members.filter { !known.contains($0.key) })
        }
        if let tar = try object["tar"]?.object() {
            place = Place(
                archive: try tar.required("name").name(), offset: try tar.required("offset").integer(in: 0...(1 << 50)),
                byteCount: try tar.required("bytes").integer(in: 0...(1 << 40)))
        }
        facts = object.members.filter { !["id", "input", "files", "tar"].contains($0.key) }
    }
}
