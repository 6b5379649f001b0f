import Foundation
import OssicleAcoustics
import OssicleFiles
import OssicleScenes

/// Holds a folder of results against its records: every file anew, byte by byte.
package struct Verification: Sendable {
    /// One thing that is not as it has to be.
    package struct Problem: Sendable, Hashable {
        package enum Kind: String, Sendable { case missing, changed, partial, extra, unfinished, damaged }
        package let kind: Kind
        /// A file, or a shard.
        package let name: String
        /// What is wrong, and what to do.
        package let words: String
    }

    package private(set) var rows = 0
    package private(set) var files = 0
    package private(set) var bytes = 0
    /// Rows of the manifest, and those that could not be done; nil where no shard is finished.
    package private(set) var rowsOfManifest: Int?
    package private(set) var failedRows = 0
    package private(set) var problems: [Problem] = []
    /// Of all files that are recorded. One number for a set, whatever shards it came from.
    package private(set) var digest = ""

    private let folder: String

    /// Reads everything once. Any thread.
    /// - Parameter progress: receives the share that is done.
    package init(
        folder: String, workers: WorkerPool = .shared, progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) throws(BatchError) {
        self.folder = folder
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder).sorted() else {
            throw BatchError(
                "“\(folder)”", "cannot be read", rule: "results are in a folder",
                cure: "name the --out of ossicle batch")
        }
        let shards = names.filter { $0.hasPrefix(ResultNames.results) && ResultNames.isOurs($0) }
        let journals = names.filter { $0.hasPrefix(ResultNames.hidden + "journal") }
        guard !shards.isEmpty || !journals.isEmpty else {
            throw BatchError(
                "“\(folder)”", "holds no results", rule: "ossicle batch writes results.jsonl into a folder",
                cure: "name the --out of ossicle batch")
        }
        var known: [String: RowRecord] = [:]
        for name in shards { read(name, into: &known) }
        for name in journals { read(name, isJournal: true, into: &known) }
        readFacts(names)
        check(known, names: names, workers: workers, progress: progress)
        for name in journals {
            note(.unfinished, name, "a shard is not finished: run ossicle batch for it again, and it continues")
        }
        problems.sort { ($0.name, $0.kind.rawValue) < ($1.name, $1.kind.rawValue) }
    }

    private mutating func note(_ kind: Problem.Kind, _ name: String, _ words: String) {
        problems.append(Problem(kind: kind, name: name, words: words))
    }

    private func path(_ name: String) -> String { (folder as NSString).appendingPathComponent(name) }

    /// A journal begins with a header, and its last line may be cut short.
    private mutating func read(_ name: String, isJournal: Bool = false, into known: inout [String: RowRecord]) {
        guard let data = FileManager.default.contents(atPath: path(name)) else { return }
        let lines = data.split(separator: 0x0A)
        let whole = isJournal ? lines.dropFirst().dropLast(data.last == 0x0A ? 0 : 1) : lines[...]
        for (number, line) in zip(whole.indices, whole) {
            guard let record = try? RowRecord(Array(line), file: name) else {
                note(.damaged, name, "line \(number + 1) is no record: run ossicle batch with --overwrite")
                continue
            }
            if let other = known[record.id], other.files != record.files {
                note(.changed, name, "row “\(record.id)” has two results that differ: keep one set in a folder")
            }
            known[record.id] = record
        }
    }

    /// Which shards there are, and whether they are all.
    private mutating func readFacts(_ names: [String]) {
        var shards: [Int: Set<Int>] = [:]
        for name in names where name.hasPrefix(ResultNames.facts) && ResultNames.isOurs(name) {
            guard let data = FileManager.default.contents(atPath: path(name)),
                let object = try? JSONCursor(try JSONValue([UInt8](data), file: name), file: name).object(),
                let shard = try? object["shard"]?.integer(in: 0...1_000_000),
                let count = try? object["shards"]?.integer(in: 1...1_000_000)
            else { continue }
            shards[count, default: []].insert(shard)
            rowsOfManifest = (try? object["rows"]?.integer(in: 0...(1 << 40))) ?? rowsOfManifest
            failedRows += (try? object["failed"]?.integer(in: 0...(1 << 40))) ?? 0
        }
        for (count, present) in shards.sorted(by: { $0.key < $1.key }) {
            for index in 0..<count where !present.contains(index) {
                note(
                    .unfinished, "shard \(index)/\(count)",
                    "it is not there: run ossicle batch --shard \(index)/\(count)")
            }
        }
    }

    private mutating func check(
        _ known: [String: RowRecord], names: [String], workers: WorkerPool,
        progress: @escaping @Sendable (Double) -> Void
    ) {
        let records = known.values.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
        var set = SetDigest()
        for record in records { set.add(record) }
        (rows, files, digest) = (records.count, set.count, set.hex)
        bytes = records.reduce(0) { $0 + $1.files.reduce(0) { $0 + $1.byteCount } }
        let expected = records.filter { $0.place == nil }.flatMap(\.files)
        let folder = folder
        let count = max(expected.count, 1)
        problems += workers.map(count: expected.count) { index in
            defer { progress(Double(index + 1) / Double(count)) }
            let file = expected[index]
            return Verification.problem(of: file, at: (folder as NSString).appendingPathComponent(file.name))
        }.compactMap(\.self)
        let archived = Dictionary(grouping: records.filter { $0.place != nil }) { $0.place?.archive ?? "" }
        for (name, records) in archived.sorted(by: { $0.key < $1.key }) {
            // That of a shard at work is hidden.
            let place = names.contains(name) ? name : ResultNames.hidden + name
            problems += ArchiveCheck(path(place), name: name, records).problems
        }
        let recorded = Set(expected.map(\.name)).union(archived.keys)
        for name in names where !recorded.contains(name) && !ResultNames.isOurs(name) {
            note(.extra, name, "no row made it: move it elsewhere, or delete it")
        }
    }

    private static func problem(of file: RowRecord.File, at path: String) -> Problem? {
        let again = "delete it and run ossicle batch again"
        guard let size = SizedFile.size(path), let handle = FileHandle(forReadingAtPath: path) else {
            return Problem(kind: .missing, name: file.name, words: "it is not there: run ossicle batch again")
        }
        defer { try? handle.close() }
        guard size == file.byteCount else {
            return Problem(
                kind: size < file.byteCount ? .partial : .changed, name: file.name,
                words: "it has \(size) bytes and was made with \(file.byteCount): \(again)")
        }
        guard FileDigest.hex(of: handle).digest == file.digest else {
            return Problem(
                kind: .changed, name: file.name, words: "its bytes are not those that were made: \(again)")
        }
        return nil
    }
}

/// Holds an archive against the records of its rows.
private struct ArchiveCheck {
    private(set) var problems: [Verification.Problem] = []
    private let name: String
    private let again = "compute the shard again"

    init(_ path: String, name: String, _ records: [RowRecord]) {
        self.name = name
        guard let file = FileHandle(forReadingAtPath: path) else {
            note(.missing, name, "it is not there: run ossicle batch --tar again")
            return
        }
        defer { try? file.close() }
        var expected: [String: (digest: String, byteCount: Int)] = [:]
        for record in records {
            for file in record.files { expected[file.name] = (file.digest, file.byteCount) }
            let line = Array((record.value.line + "\n").utf8)
            expected["\(record.id).json"] = (SHA256.hex(of: line), line.count)
        }
        while let block = try? file.read(upToCount: TarHeader.blockSize), let entry = TarHeader.read([UInt8](block)) {
            let found = FileDigest.hex(of: file, count: entry.size)
            guard found.byteCount == entry.size else {
                note(.partial, entry.name, "the archive \(name) ends within it: \(again)")
                break
            }
            _ = try? file.read(upToCount: TarHeader.size(of: entry.size) - TarHeader.blockSize - entry.size)
            guard let wanted = expected.removeValue(forKey: entry.name) else {
                note(.extra, entry.name, "it is in \(name) without a row that made it: \(again)")
                continue
            }
            if wanted.digest != found.digest {
                note(.changed, entry.name, "its bytes in \(name) are not those that were made: \(again)")
            }
        }
        for name in expected.keys.sorted() {
            note(.missing, name, "it is not in \(self.name): \(again)")
        }
    }

    private mutating func note(_ kind: Verification.Problem.Kind, _ name: String, _ words: String) {
        problems.append(Verification.Problem(kind: kind, name: name, words: words))
    }
}
