/// Which of the input's frames belong to a recording: stretches between record and pause, at most so many in all. In
/// frames of the input's clock.
struct RecordedSpan {
    /// What the recording consists of, in order.
    enum Piece: Hashable {
        /// Frames of a block, counted from its beginning.
        case sound(Range<Int>)
        /// So many frames that the input did not give.
        case silence(Int64)
    }

    private struct Stretch {
        var frames: Range<Int64>
        /// Frames of silence ahead of it.
        var silence: Int64 = 0
    }

    private var stretches: [Stretch] = []
    /// Frames that may still be recorded from the last stretch's beginning on; `nil` without a limit.
    private var limit: Int64?
    /// Frames of stretches that lie behind.
    private var done: Int64 = 0

    /// Records from `start` on, `limit` frames at most; `nil` leaves an earlier limit in force.
    mutating func begin(at start: Int64, limit newLimit: Int64?) {
        if let newLimit { limit = newLimit }
        stretches.append(Stretch(frames: start..<end(from: start)))
    }

    private func end(from start: Int64) -> Int64 {
        let end = limit.map { start.addingReportingOverflow($0) }
        return end.map { $0.overflow ? .max : $0.partialValue } ?? .max
    }

    /// Records nothing from `frame` on.
    mutating func end(at frame: Int64) {
        guard var last = stretches.popLast() else { return }
        let end = min(last.frames.upperBound, max(frame, last.frames.lowerBound))
        last.frames = last.frames.lowerBound..<end
        stretches.append(last)
        limit = limit.map { $0 - Int64(last.frames.count) }
    }

    /// Records so many frames of silence ahead of `frame`, if that is recorded: the input missed them.
    mutating func miss(_ count: Int64, at frame: Int64) {
        guard let last = stretches.last, last.frames.contains(frame) else { return }
        end(at: frame)
        let silence = min(count, limit ?? count)
        limit = limit.map { $0 - silence }
        stretches.append(Stretch(frames: frame..<end(from: frame), silence: silence))
    }

    /// Whether everything up to the limit lies before `frame`.
    func isComplete(before frame: Int64) -> Bool { stretches.last.map { $0.frames.upperBound <= frame } ?? false }

    /// Frames recorded before `frame`.
    func count(before frame: Int64) -> Int64 {
        stretches.reduce(done) { sum, stretch in
            let begin = stretch.frames.lowerBound
            return sum + (begin < frame ? stretch.silence : 0) + max(min(stretch.frames.upperBound, frame) - begin, 0)
        }
    }

    /// What is recorded in `block`. Blocks come in order.
    mutating func take(_ block: Range<Int64>) -> [Piece] {
        while stretches.count > 1, stretches[0].frames.upperBound <= block.lowerBound {
            let gone = stretches.removeFirst()
            done += gone.silence + Int64(gone.frames.count)
        }
        return stretches.flatMap { stretch in
            let part = stretch.frames.clamped(to: block)
            let sound = Int(part.lowerBound - block.lowerBound)..<Int(part.upperBound - block.lowerBound)
            let isAhead = stretch.silence > 0 && block.contains(stretch.frames.lowerBound)
            return (isAhead ? [.silence(stretch.silence)] : []) + (sound.isEmpty ? [] : [Piece.sound(sound)])
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
