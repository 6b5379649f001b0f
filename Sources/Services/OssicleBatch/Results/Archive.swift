import Foundation

/// A shard's rows as one archive that WebDataset reads: for each row its sounds and its record, `id.json`.
final class Archive {
    let name: String
    private let file: AppendedFile
    private let place: String

    /// Opens the archive of an earlier process, a finished one too, or makes one.
    init(_ folder: String, _ shard: Shard, startsAnew: Bool) throws(BatchError) {
        name = shard.name(ResultNames.archive, "tar")
        place = (folder as NSString).appendingPathComponent(name)
        let hidden = (folder as NSString).appendingPathComponent(ResultNames.hidden + name)
        if startsAnew { unlink(place) }
        if FileManager.default.fileExists(atPath: place) { try AppendedFile.move(place, to: hidden) }
        file = try AppendedFile(hidden)
        if startsAnew { try file.cut(to: 0) }
    }

    var size: Int { file.size }

    func cut(to size: Int) throws(BatchError) { try file.cut(to: size) }

    /// Appends a row, and says in its record where it is.
    func add(_ product: RowWork.Product) throws(BatchError) -> RowRecord {
        var record = product.record
        let start = file.size
        for (name, bytes) in product.files + [("\(record.id).json", Array((record.line + "\n").utf8))] {
            try file.append(TarHeader.entry(name, bytes))
        }
        record.place = RowRecord.Place(archive: name, offset: start, byteCount: file.size - start)
        return record
    }

    func finish() throws(BatchError) {
        try file.append(TarHeader.end)
        file.synchronise()
        try AppendedFile.move(file.path, to: place)
    }

    func synchronise() { file.synchronise() }
    func unlock() { file.unlock() }
}
