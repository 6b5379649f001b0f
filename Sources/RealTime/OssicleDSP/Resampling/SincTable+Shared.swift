import Synchronization

extension SincTable {
    /// Source frames that any table reaches to either side, at the most.
    package static let longestReach = Int(Double(tapsAtUnity) * ratios.upperBound) / 2 + 8

    /// A table for steps up to `ratio`, made once for all who need one like it, and kept for good. Control side.
    ///
    /// Ratios above 1 are rounded up to the next eighth, so that a gliding speed needs few tables.
    package static func shared(ratio: Double) -> UnsafePointer<SincTable> {
        let held = ratio.isNaN ? 1 : min(max(ratio, 1), ratios.upperBound)
        let eighths = Int((held * 8).rounded(.up))
        return made.withLock { tables in
            if let table = tables[eighths] { return UnsafePointer(table) }
            let table = UnsafeMutablePointer<SincTable>.allocate(capacity: 1)
            table.initialize(to: SincTable(ratio: Double(eighths) / 8))
            tables[eighths] = table
            return UnsafePointer(table)
        }
    }

    private static let made = Mutex<[Int: SharedTable]>([:])
    private typealias SharedTable = UnsafeMutablePointer<SincTable>
}
