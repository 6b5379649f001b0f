// Which bytes of a resource are there.

/// Ranges of bytes, in order and apart from each other.
struct ByteRanges: Equatable {
    private(set) var ranges: [Range<Int64>] = []

    /// Adds a range and joins what touches.
    mutating func insert(_ new: Range<Int64>) {
        guard !new.isEmpty else { return }
        var joined = new
        ranges.removeAll { old in
            guard old.lowerBound <= joined.upperBound, old.upperBound >= joined.lowerBound else { return false }
            joined = min(old.lowerBound, joined.lowerBound)..<max(old.upperBound, joined.upperBound)
            return true
        }
        ranges.insert(joined, at: ranges.firstIndex { $0.lowerBound > joined.lowerBound } ?? ranges.endIndex)
    }

    /// The first byte from `offset` on that is not there.
    func firstMissing(from offset: Int64) -> Int64 {
        ranges.first { $0.contains(offset) }?.upperBound ?? offset
    }

    /// Whether all of `range` is there.
    func contains(_ range: Range<Int64>) -> Bool { firstMissing(from: range.lowerBound) >= range.upperBound }

    /// Bytes that are there.
    var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }
}
