import OssicleDSP

/// A signal on another clock. Any thread.
package enum SignalClock {
    /// Samples of silence or sound that `read` needs on both sides of what it reads.
    package static let margin = 2 * SincTable.longestReach

    /// Sample i is the signal's at `start` + i · ratio, by windowed-sinc interpolation.
    /// - Parameters:
    ///   - signal: has `margin` samples before `start`, and behind the last that is read.
    ///   - ratio: 0.999 … 1.001.
    package static func read(_ signal: [Float], from start: Int, ratio: Double, _ count: Int) -> [Float] {
        let (table, step) = (SincTable.shared(ratio: 1), UInt64((ratio * 0x1p32).rounded()))
        var output = [Float](repeating: 0, count: count)
        signal.withUnsafeBufferPointer { signal in
            output.withUnsafeMutableBufferPointer { output in
                guard let source = signal.baseAddress, let target = output.baseAddress else { return }
                SincInterpolator.process(
                    source: source + start, table: table.pointee, position: 0, step: step, to: target, count)
            }
        }
        return output
    }
}
