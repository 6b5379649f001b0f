import OssicleCore
import OssicleDSP

/// A sound field filtered with one HRTF, and later with another.
///
///     signals ─┬─▶ present ears ─ × (1 − w) ─┬─▶ left, right
///              └─▶ next ears ──── × w ───────┘       w: 0 until the next ears' memory is full, then to 1 over a quantum
///
/// From then on the next ears are the present ones, and sound as if they had always been in use. Ears that come during
/// a change wait for its end, the newest win. Audio thread, but for `init`.
struct CrossfadedBinaural<Binaural: FieldBinaural & ~Copyable>: ~Copyable {
    private struct State {
        var present: UnsafeMutablePointer<Binaural>
        var next: UnsafeMutablePointer<Binaural>?
        /// Frames that the next ears have listened for.
        var listened = 0
    }

    let cell = BinauralCell<Binaural>(nil)
    private let first: UnsafeMutablePointer<Binaural>
    private let state: UnsafeMutablePointer<State>
    private let scratch = SampleMemory(count: 2 * Grid.quantum)

    init(_ ears: consuming Binaural) {
        first = .allocate(capacity: 1)
        first.initialize(to: ears)
        state = .allocate(capacity: 1)
        state.initialize(to: State(present: first))
    }

    deinit {
        state.deallocate()
        first.deinitialize(count: 1).deallocate()
        cell.deallocate()
    }

    /// Frames of silence in that have silence out behind them.
    var history: Int { state.pointee.present.pointee.history }

    /// Of a field that has been silent for `history` frames: other ears are there at once.
    /// - Returns: whether no change is under way.
    func rests() -> Bool {
        guard state.pointee.next == nil else { return false }
        if let new = cell.takeIfNew(), let new { state.pointee.present = new }
        return true
    }

    /// As if nothing had ever come in.
    func reset() {
        state.pointee.present.pointee.reset()
        state.pointee.next?.pointee.reset()
    }

    /// The field's signals in, the two ears out (overwritten). At most one quantum.
    func process(
        _ signals: UnsafePointer<UnsafeMutablePointer<Float>>, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>, _ frames: Int
    ) {
        var done = 0
        while done < frames {
            if state.pointee.next == nil, let new = cell.takeIfNew() {
                (state.pointee.next, state.pointee.listened) = (new, 0)
            }
            done += listen(signals, offset: done, left: left + done, right: right + done, frames - done)
        }
    }

    /// As far as the end of a change.
    private func listen(
        _ signals: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>, _ frames: Int
    ) -> Int {
        guard let next = state.pointee.next else {
            state.pointee.present.pointee.process(signals, offset: offset, left: left, right: right, frames)
            return frames
        }
        let start = state.pointee.listened - next.pointee.history
        let run = min(frames, Grid.quantum - start)
        let (nextLeft, nextRight) = (scratch.pointer, scratch.pointer + Grid.quantum)
        state.pointee.present.pointee.process(signals, offset: offset, left: left, right: right, run)
        next.pointee.process(signals, offset: offset, left: nextLeft, right: nextRight, run)
        for i in 0..<run {
            let weight = Float(max(start + i, 0)) * (1 / Float(Grid.quantum))
            left[i] += (nextLeft[i] - left[i]) * weight
            right[i] += (nextRight[i] - right[i]) * weight
        }
        state.pointee.listened += run
        if start + run == Grid.quantum { (state.pointee.present, state.pointee.next) = (next, nil) }
        return run
    }
}

/// Carries other filters across the line. The control side keeps those it has written for as long as they may be used.
package typealias BinauralCell<Binaural: ~Copyable> = LatestValueCell<UnsafeMutablePointer<Binaural>?>

/// The filters of two ears for a field, with as much of its past as they need.
protocol FieldBinaural: ~Copyable {
    /// Frames after which they sound as if they had always listened.
    var history: Int { get }

    /// Forgets the past.
    func reset()

    /// At most one quantum of the field's signals, from `offset` on; the ears are overwritten.
    func process(
        _ signals: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>, _ frames: Int)
}
