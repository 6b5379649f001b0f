import COssicle
import OssicleCore

/// Plays a signal at another speed: y[n] = x(position + n·step) by windowed-sinc interpolation.
///
/// It has no state. Positions are integers in Q32.32 (source frames in the upper half), so where a sample lies is exact and how a call
/// is cut cannot matter. A whole position at unit step is a bit-exact copy. Any thread.
package enum SincInterpolator {
    /// One source frame in Q32.32.
    package static let unit: UInt64 = 1 << 32

    /// Q32.32 of a ratio of source frames per output frame; held within 1/256 and the fastest a table is made for.
    package static func step(ratio: Double) -> UInt64 {
        let held = ratio.isNaN ? 1 : min(max(ratio, 0x1p-8), SincTable.ratios.upperBound)
        return UInt64((held * Double(unit)).rounded())
    }

    /// Source frames that must follow `source[0]` for n outputs (`lookAhead` included).
    package static func framesNeeded(position: UInt64, step: UInt64, table: borrowing SincTable, _ n: Int) -> Int {
        n > 0 ? Int((position &+ UInt64(n - 1) &* step) >> 32) + table.lookAhead + 1 : 0
    }

    /// - Parameters:
    ///   - source: the frame that position 0 means. `lookBehind` frames before it and `framesNeeded` from it on must be readable.
    ///   - position: of the first output. - step: per output, for a table whose ratio is no smaller.
    /// - Returns: the position of the output after the last.
    @discardableResult
    package static func process(source: UnsafePointer<Float>, table: borrowing SincTable, position: UInt64, step: UInt64,
                                to: UnsafeMutablePointer<Float>, _ n: Int) -> UInt64 {
        if step == unit, UInt32(truncatingIfNeeded: position) == 0, table.ratio <= 1 {
            to.update(from: source + Int(position >> 32), count: n)
            return position &+ UInt64(n) &* unit
        }
        let window = source - table.lookBehind
        withUnsafeTemporaryAllocation(of: ossicle_place.self, capacity: run) { memory in
            guard let places = memory.baseAddress else { return }
            var done = 0
            while done < n {
                let count = min(n - done, run)
                let first = position &+ UInt64(done) &* step
                for i in 0..<count {
                    let at = UInt64(UInt32(truncatingIfNeeded: first)) &+ UInt64(i) &* step
                    places[i] = table.phases.place(Int(at >> 32), fraction: Double(UInt32(truncatingIfNeeded: at)) * 0x1p-32)
                }
                table.phases.values(places, in: window + Int(first >> 32), to: to + done, count)
                done += count
            }
        }
        return position &+ UInt64(n) &* step
    }

    /// Places computed ahead at once; what they take stays on the stack.
    private static let run = 64
}
