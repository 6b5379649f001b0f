import OssicleDSP

/// The head of a binaural output, and those before it that renderers may still be reading.
///
/// Renderers look into the cell in every block. A head that was taken off goes from the plan after `lingering` frames, and its memory is freed when the audio
/// thread has handed back the last plan that kept it.
final class WornHeads {
    /// Frames: far longer than any change-over takes.
    static let lingering: Int64 = 8192

    let cell: HeadCell
    private var heads: [(filters: HeadFilters, until: Int64?)]

    init(_ head: HeadFilters) {
        cell = HeadCell(head)
        heads = [(head, nil)]
    }

    deinit { cell.deallocate() }

    var alive: [HeadFilters] { heads.map(\.filters) }

    /// - Returns: whether this is another head than before.
    func wear(_ head: HeadFilters, at position: Int64) -> Bool {
        guard heads.last?.filters !== head, cell.wear(head) else { return false }
        for index in heads.indices where heads[index].until == nil { heads[index].until = position + Self.lingering }
        heads.append((head, nil))
        return true
    }

    /// - Returns: whether there was anything to forget.
    func forget(at position: Int64) -> Bool {
        let before = heads.count
        heads.removeAll { head in head.until.map { $0 <= position } ?? false }
        return heads.count != before
    }
}
