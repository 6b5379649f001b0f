import Foundation
import OssicleScenes

/// The rows of a data set: a file of JSON Lines, or a `.json` document with one row or a list of them.
///
/// A row with a `count` stands for that many rows, “id-000000” and so on. The file is mapped, and a row is parsed when
/// it is asked for: memory does not grow with rows but by some 40 bytes for each line.
package struct Manifest: Sendable {
    package let name: String
    /// Where files are looked for that rows name.
    package let folder: String
    /// Of the file's bytes, lower-case hexadecimal.
    package let digest: String
    package let rowCount: Int
    private let bytes: Data
    private let entries: [Entry]

    /// Bytes of a manifest at the most, and rows.
    private static let (mostBytes, mostRows) = (1 << 40, 1 << 32)
    /// Rows that one line may stand for.
    package static let counts = 1...10_000_000

    /// One line, or one element of a list.
    private struct Entry: Sendable {
        /// Of bytes; empty for an element of a list.
        let range: Range<Int>
        let element: JSONValue?
        let line: Int
        let firstRow: Int
        /// 0: no `count`, and the row's name is the line's.
        let count: Int
        /// Why it cannot be one.
        let fault: RowError?
    }

    /// Reads the file through once.
    /// - Throws: `BatchError` for what is no manifest; faults of single rows come with the rows.
    package init(contentsOfFile path: String) throws(BatchError) {
        let url = URL(fileURLWithPath: path)
        guard let bytes = try? Data(contentsOf: url, options: .mappedIfSafe) else {
            throw BatchError(
                "Manifest “\(path)”", "cannot be read", rule: "a manifest is a file that you may read",
                cure: "check the path and its permissions")
        }
        try self.init(bytes, name: url.lastPathComponent, folder: url.deletingLastPathComponent().path)
    }

    /// - Parameters:
    ///   - name: one that ends in `.json` is a document, any other JSON Lines.
    ///   - folder: where files are looked for that rows name.
    package init(_ bytes: Data, name: String, folder: String) throws(BatchError) {
        guard bytes.count <= Manifest.mostBytes else {
            throw BatchError(
                "Manifest “\(name)”", "has \(bytes.count) bytes", rule: "at most 1 TB are read",
                cure: "make several manifests of it")
        }
        (self.bytes, self.name, self.folder) = (bytes, name, folder)
        digest = FileDigest.hex(of: bytes)
        var reader = EntryReader(manifest: name)
        if name.lowercased().hasSuffix(".json") {
            try reader.readDocument(bytes)
        } else {
            reader.readLines(bytes)
        }
        (entries, rowCount) = (reader.entries, reader.rowCount)
        guard rowCount > 0, rowCount <= Manifest.mostRows else {
            throw BatchError(
                "Manifest “\(name)”", "has \(rowCount) rows", rule: "a manifest has 1 to 2³² rows",
                cure: "write a JSON object for each row, one a line")
        }
    }

    /// A row by its number, from 0 on.
    package func row(_ index: Int) throws(RowError) -> ManifestRow {
        var (low, high) = (0, entries.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if entries[middle].firstRow <= index { low = middle } else { high = middle - 1 }
        }
        let entry = entries[low]
        if let fault = entry.fault { throw fault }
        do {
            let value = try entry.element ?? JSONValue(Array(bytes[entry.range]), file: name)
            guard case .object(var members) = value, case .string(let id) = members["id"] else {
                throw RowError(nil, manifest: name, line: entry.line, finding: "it changed while it was read.")
            }
            members["count"] = nil
            return ManifestRow(
                id: entry.count == 0 ? id : ManifestRow.id(id, number: index - entry.firstRow), manifest: name,
                line: entry.line, members: members)
        } catch let fault as RowError {
            throw fault
        } catch {
            throw RowError(nil, manifest: name, line: entry.line, finding: error.finding)
        }
    }

    /// Finds where rows are, how many, and which names come twice.
    private struct EntryReader {
        let manifest: String
        private(set) var entries: [Entry] = []
        private(set) var rowCount = 0
        private var line = 0
        /// With the numbers of their rows; 0 for a row of its own.
        private var known: [String: Int] = [:]

        init(manifest: String) { self.manifest = manifest }

        mutating func readLines(_ bytes: Data) {
            var start = bytes.startIndex
            while start < bytes.endIndex {
                let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.endIndex
                line += 1
                if bytes[start..<end].contains(where: { $0 > 0x20 }) {
                    add(Result { try JSONValue(Array(bytes[start..<end]), file: manifest) }, at: start..<end)
                }
                start = min(end + 1, bytes.endIndex)
            }
        }

        mutating func readDocument(_ bytes: Data) throws(BatchError) {
            let document: JSONValue
            do { document = try JSONValue(Array(bytes), file: manifest) } catch {
                throw BatchError(
                    "Manifest “\(manifest)”", error.finding, rule: "a .json is one document", cure: "mend it")
            }
            guard case .array(let list) = document else {
                line = 1
                return add(.success(document), element: document)
            }
            for element in list {
                line += 1
                add(.success(element), element: element)
            }
        }

        private mutating func add(
            _ value: Result<JSONValue, any Error>, at range: Range<Int> = 0..<0, element: JSONValue? = nil
        ) {
            var (id, count, fault) = (String?.none, 0, RowError?.none)
            do {
                let object = try JSONCursor(try value.get(), file: manifest).object()
                id = try ManifestRow.checkedID(try object.required("id"))
                count = try object["count"]?.integer(in: Manifest.counts) ?? 0
                try refuseSecond(id ?? "", count)
                known[id ?? ""] = count
            } catch {
                fault = RowError(id, manifest: manifest, line: line, finding: error.finding)
            }
            entries.append(
                Entry(
                    range: range, element: element, line: line, firstRow: rowCount, count: count, fault: fault))
            rowCount += fault == nil ? max(count, 1) : 1
        }

        private func refuseSecond(_ id: String, _ count: Int) throws {
            let numbered = id.lastIndex(of: "-").flatMap { dash in
                Int(id[id.index(after: dash)...]).map { (String(id[..<dash]), $0) }
            }
            let isNumbered = numbered.map { base, number in
                number < known[base] ?? 0 && ManifestRow.id(base, number: number) == id
            }
            guard known[id] == nil, isNumbered != true else {
                throw SceneFileError(
                    manifest, "id is “\(id)” once more", rule: "every row has a name of its own", cure: "change one")
            }
        }
    }
}

/// A row as it stands in the manifest, before anything is drawn.
package struct ManifestRow: Sendable {
    package let id: String
    package let manifest: String
    package let line: Int
    package let members: [String: JSONValue]

    package init(id: String, manifest: String, line: Int, members: [String: JSONValue]) {
        (self.id, self.manifest, self.line, self.members) = (id, manifest, line, members)
    }

    package func error(_ finding: String) -> RowError { RowError(id, manifest: manifest, line: line, finding: finding) }

    /// The name of a row of many. Six digits or more, whatever the count is, so that a set that grows keeps its rows.
    static func id(_ base: String, number: Int) -> String {
        let digits = String(number)
        return base + "-" + String(repeating: "0", count: max(6 - digits.count, 0)) + digits
    }

    /// File names come of it, and WebDataset's keys end at the first dot.
    static func checkedID(_ cursor: JSONCursor) throws -> String {
        let id = try cursor.name()
        let isUsable = id.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
                || $0 == 0x5F
        }
        guard isUsable, id.utf8.count <= 64, id.utf8.first != 0x2D else {
            throw cursor.fault(
                rule: "a row's name has up to 64 of the characters A–Z, a–z, 0–9, - and _, and does not begin with -",
                cure: "rename the row")
        }
        return id
    }
}
