/// Which of the input's frames belong to a recording: stretches between record and pause, at most so many in all. In
/// frames of the input's clock.
struct RecordedSpan {
    private var stretches: [Range<Int64>] = []
    /// Frames that may still be recorded from the last stretch's beginning on; `nil` without a limit.
    private var limit: Int64?
    /// Frames of stretches that lie behind.
    private var done: Int64 = 0

    /// Records from `start` on, `limit` frames at most; `nil` leaves an earlier limit in force.
    mutating func begin(at start: Int64, limit newLimit: Int64?) {
        if let newLimit { limit = newLimit }
        let end = limit.map { start.addingReportingOverflow($0) }
        stretches.append(start..<(end.map { $0.overflow ? .max : $0.partialValue } ?? .max))
    }

    /// Records nothing from `frame` on.
    mutating func end(at frame: Int64) {
        guard let last = stretches.popLast() else { return }
        let end = min(last.upperBound, max(frame, last.lowerBound))
        stretches.append(last.lowerBound..<end)
        limit = limit.map { $0 - (end - last.lowerBound) }
    }

    /// Whether everything up to the limit lies before `frame`.
    func isComplete(before frame: Int64) -> Bool { stretches.last.map { $0.upperBound <= frame } ?? false }

    /// Frames recorded before `frame`.
    func count(before frame: Int64) -> Int64 {
        done + stretches.reduce(0) { $0 + max(min($1.upperBound, frame) - $1.lowerBound, 0) }
    }

    /// What of `block` is recorded, counted from its beginning. Blocks come in order.
    mutating func take(_ block: Range<Int64>) -> [Range<Int>] {
        while stretches.count > 1, stretches[0].upperBound <= block.lowerBound {
            done += Int64(stretches.removeFirst().count)
        }
        return stretches.compactMap { stretch in
            let part = stretch.clamped(to: block)
            guard !part.isEmpty else { return nil }
            return Int(part.lowerBound - block.lowerBound)..<Int(part.upperBound - block.lowerBound)
        }
    }

    /// The input's clock counts other frames from `frame` on: `scale` of them where there was one.
    mutating func restart(at frame: Int64, scale: Double, isRecording: Bool) {
        end(at: frame)
        done = Int64(Double(count(before: frame)) * scale)
        limit = limit.map { Int64(min(Double($0) * scale, 0x1p60)) }
        stretches = []
        if isRecording { begin(at: frame, limit: nil) }
    }
}
