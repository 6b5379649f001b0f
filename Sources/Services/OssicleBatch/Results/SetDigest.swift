import OssicleFiles

/// One hash for a set of files: SHA-256 of lines “digest, two blanks, name” in the order of the names' bytes, as
/// `sha256sum * | sha256sum` gives it for files in a folder in the C locale. How the rows were dealt out and whether
/// they are in archives has no part in it.
struct SetDigest {
    private var lines: [String] = []

    mutating func add(_ record: RowRecord) {
        for file in record.files { lines.append("\(file.name)\u{0}\(file.digest)") }
    }

    var count: Int { lines.count }

    var hex: String {
        var hash = SHA256()
        // By scalars, as `LC_ALL=C sort` does: names are ASCII.
        for line in lines.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            let parts = line.split(separator: "\u{0}")
            Array("\(parts[1])  \(parts[0])\n".utf8).withUnsafeBufferPointer { hash.update($0) }
        }
        return hash.finish()
    }
}
