import Foundation
import OssicleScenes

/// The rows of a shard that are done, a line of JSON each, in a hidden file until all are. A process that was killed
/// leaves it, and the next one continues from there.
final class Journal {
    private let file: AppendedFile
    private let folder: String
    private let shard: Shard
    /// Where the lines of rows are that an earlier process did, by their names.
    private var earlier: [String: Range<Int>] = [:]
    /// Where the line of each row of the shard is; empty for none.
    private var lines: [Range<Int>]

    private var resultsPath: String { path(shard.name(ResultNames.results, "jsonl")) }

    private func path(_ name: String) -> String { (folder as NSString).appendingPathComponent(name) }

    /// - Parameter header: a line that says what set it is; another one ends the work.
    init(_ folder: String, _ shard: Shard, rows: Int, header: String, startsAnew: Bool) throws(BatchError) {
        (self.folder, self.shard) = (folder, shard)
        lines = Array(repeating: 0..<0, count: rows)
        let path = (folder as NSString).appendingPathComponent(
            ResultNames.hidden + shard.name("journal", "jsonl"))
        file = try AppendedFile(path)
        if startsAnew {
            try file.cut(to: 0)
            unlink(resultsPath)
        }
        if file.size == 0 {
            try file.append(Array((header + "\n").utf8))
            // A shard that was finished is taken up again where its rows have changed.
            if let finished = FileManager.default.contents(atPath: resultsPath) { try file.append([UInt8](finished)) }
        }
        try readEarlier(header)
    }

    private func readEarlier(_ header: String) throws(BatchError) {
        guard let bytes = file.bytes(0..<file.size) else { return }
        var start = 0
        while start < bytes.count, let end = bytes[start...].firstIndex(of: 0x0A) {
            if start == 0 {
                guard Array(bytes[..<end]) == Array(header.utf8) else {
                    throw BatchError(
                        "“\(folder)”", "holds a part of another set", rule: "a shard continues what it began",
                        cure: "give another --out, or --overwrite to begin anew")
                }
            } else if let record = try? RowRecord(Array(bytes[start..<end]), file: "results") {
                earlier[record.id] = start..<end
            }
            start = end + 1
        }
        // A line that was cut short was being written when the process ended.
        if start < file.size { try file.cut(to: start) }
    }

    /// What an earlier process made of a row.
    func earlierRecord(_ id: String) -> RowRecord? {
        earlier[id].flatMap(file.bytes).flatMap { try? RowRecord($0, file: "results") }
    }

    /// Takes over the line of an earlier process.
    func keep(_ id: String, at position: Int) { lines[position] = earlier[id] ?? 0..<0 }

    func add(_ record: RowRecord, at position: Int) throws(BatchError) {
        let line = Array((record.line + "\n").utf8)
        lines[position] = file.size..<file.size + line.count - 1
        try file.append(line)
    }

    /// Where the last of the kept rows ends in an archive of `size` bytes; rows beyond are forgotten.
    func archiveEnd(within size: Int) -> Int {
        var end = 0
        for id in earlier.keys {
            guard let place = earlierRecord(id)?.place, place.offset + place.byteCount <= size else {
                earlier[id] = nil
                continue
            }
            end = max(end, place.offset + place.byteCount)
        }
        return end
    }

    func synchronise() { file.synchronise() }
    func unlock() { file.unlock() }

    /// Writes the results in the order of the manifest and removes the journal.
    func finish() throws(BatchError) {
        let partial = path(ResultNames.hidden + shard.name("results", "tmp"))
        unlink(partial)
        let results = try AppendedFile(partial)
        for line in lines where !line.isEmpty {
            if let bytes = file.bytes(line) { try results.append(bytes + [0x0A]) }
        }
        results.synchronise()
        try AppendedFile.move(partial, to: resultsPath)
        unlink(file.path)
    }

    /// The records of rows that are done, in order.
    func forEachRecord(_ body: (RowRecord) -> Void) {
        for line in lines where !line.isEmpty {
            if let record = file.bytes(line).flatMap({ try? RowRecord($0, file: "results") }) { body(record) }
        }
    }
}
