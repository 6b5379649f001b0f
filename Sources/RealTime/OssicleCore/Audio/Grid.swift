/// The grid of engine time: control-rate work happens at multiples of one quantum, however render calls are cut.
package enum Grid {
    /// Frames from one grid line to the next. No block is longer.
    package static let quantum = 128

    /// Frames from `position` to the next grid line, 1…quantum.
    @inlinable package static func framesToNextLine(from position: Int64) -> Int {
        quantum - Int(position & Int64(quantum - 1))
    }
}
