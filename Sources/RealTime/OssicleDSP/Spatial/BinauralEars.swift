import COssicle
import OssicleCore

/// The two ears of one binaural voice: gathers a quantum of both ears' delayed copies of its sound, transforms it, and
/// adds it through the head's filters to the sums of its outputs.
///
///     left in  (delayed for the left ear) ──┐                            ┌─ × filters now ──▶ + old
///                                           ├─▶ a transform per quantum ─┤
///     right in (delayed for the right ear) ─┘                            └─ × filters next ─▶ + new
///                                                               or, at rest, × filters ─▶ + steady
///
/// Filters change from one grid line to the next: what comes in between is taken together, the newest wins. What moves
/// is to `follow` its direction, what jumps to `turn` to it. The cost does not depend on the number of taps. Audio
/// thread, but for `init`.
package struct BinauralEars: ~Copyable {
    private enum Change {
        case none
        /// The next filters are there.
        case given
        /// They are those of the direction turned to, or on the way to them.
        case turn, follow
    }

    package let tapCount: Int
    private let transform: EarTransform
    private let memory: SampleMemory
    /// Of each ear a ring of N frames: the past, and behind it the quantum that is gathered.
    private let left, right: UnsafeMutablePointer<Float>
    /// Where the oldest frame is, a multiple of a quantum.
    private var begin = 0
    private var now, next: UnsafeMutablePointer<Float>
    /// For the transform of filters that are given.
    private let scratch: UnsafeMutablePointer<Float>
    /// Whether a quantum has gone through `now`: the first filters apply at once.
    private var hasFilters = false
    private var hasSounded = false
    private var change = Change.none
    private var turned:
        (direction: SIMD3<Float>, head: HRTFTable, place: HRTFPlace, delays: (left: Float, right: Float))?
    private var pursuit = DirectionSmoothing()

    /// - Parameter tapCount: of the head's filters, at least 1.
    package init(tapCount: Int) {
        self.tapCount = max(tapCount, 1)
        transform = EarTransform(tapCount: self.tapCount)
        let history = transform.size
        memory = SampleMemory(count: 2 * history + 2 * transform.spectraCount + 2 * transform.partCount)
        (left, right) = (memory.pointer, memory.pointer + history)
        now = right + history
        next = now + transform.spectraCount
        scratch = next + transform.spectraCount
    }

    /// Silence, no filters: the next ones given apply at once.
    package mutating func reset() {
        left.update(repeating: 0, count: 2 * transform.size)
        (hasFilters, hasSounded, change, turned) = (false, false, .none, nil)
        pursuit = DirectionSmoothing()
    }

    /// New filters, `tapCount` taps each.
    package mutating func setFilters(left: UnsafePointer<Float>, right: UnsafePointer<Float>) {
        transform.filter(left: left, right: right, tapCount: tapCount, into: next, scratch: scratch)
        (change, turned) = (.given, nil)
        pursuit = DirectionSmoothing()
    }

    /// Turns to a direction (see `HRTFTable.place`); `head.tapCount` must be this voice's, else nothing changes. The
    /// direction of before costs nothing.
    /// - Returns: delay of each ear in frames, for the caller's delay line.
    @discardableResult
    package mutating func turn(to direction: SIMD3<Float>, in head: HRTFTable) -> (left: Float, right: Float) {
        guard head.tapCount == tapCount else { return (0, 0) }
        if let turned, all(turned.direction .== direction), turned.head == head, pursuit.isOver { return turned.delays }
        let place = head.place(direction)
        let delays = head.delays(at: place)
        turned = (direction, head, place, delays)
        change = .turn
        pursuit = DirectionSmoothing(at: delays)
        return delays
    }

    /// Whether filters and delays are those of the direction; until then, `follow` is to be called on, with the same
    /// one at the end of a way.
    package var isSettled: Bool { pursuit.isOver }

    /// Moves on to where a steady way leads within `frames` frames: filters and delays follow smoothly (see
    /// `DirectionSmoothing`).
    /// - Returns: delay of each ear at the end of these frames.
    package mutating func follow(
        _ direction: SIMD3<Float>, in head: HRTFTable, frames: Int
    ) -> (left: Float, right: Float) {
        guard hasSounded, let turned, turned.head == head else { return turn(to: direction, in: head) }
        if any(turned.direction .!= direction) {
            let place = head.place(direction, near: turned.place)
            let delays = head.delays(at: place)
            // Where it stays in one triangle, what that takes is near already.
            if place.triangle != turned.place.triangle { head.prefetch(place) }
            self.turned = (direction, head, place, delays)
            pursuit.begin(to: delays, settling: head.settling)
        }
        guard !isSettled else { return self.turned?.delays ?? turned.delays }
        pursuit.move(on: frames)
        if change != .turn { change = .follow }
        return pursuit.delays
    }

    /// Where the quantum that is gathered takes the left ear's sound, `offset` frames behind the grid line.
    package func leftInput(_ offset: Int) -> UnsafeMutablePointer<Float> { left + (gathered + offset) }
    /// The right ear's.
    package func rightInput(_ offset: Int) -> UnsafeMutablePointer<Float> { right + (gathered + offset) }

    /// Where in the rings the quantum is that is gathered: in front of the oldest frame.
    private var gathered: Int { (begin + transform.size - Grid.quantum) & (transform.size - 1) }

    /// `frames` frames have been put in from `offset` on; with the last of a quantum, all of it is added to the
    /// `targets`.
    package mutating func process(offset: Int, _ frames: Int, addingTo targets: BinauralTargets) {
        hasSounded = true
        guard offset + frames == Grid.quantum else { return }
        if let real = targets.scratch {
            let imaginary = real + transform.partCount
            transform.forward(left: left, right: right, begin: begin, real: real, imaginary: imaginary)
            add(real, imaginary, to: targets)
        }
        begin = (begin + Grid.quantum) & (transform.size - 1)
    }

    /// Asks for what the next block needs to be brought near the processor.
    package func prefetch() {
        ossicle_prefetch(left, transform.size)
        ossicle_prefetch(right, transform.size)
        ossicle_prefetch(now, transform.spectraCount)
        if !isSettled, let turned { turned.head.prefetch(turned.place) }
    }

    private mutating func add(
        _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, to targets: BinauralTargets
    ) {
        if change == .none {
            if hasFilters { targets.add(real, imaginary, filters: now) }
            return
        }
        if hasFilters, change != .given, let turned, let only = targets.only {
            only.turn(real, imaginary, filters: now, to: turned.place, of: turned.head, share(of: turned.head))
            change = .none
            return
        }
        makeNext()
        if hasFilters {
            targets.add(real, imaginary, from: now, to: next)
        } else {
            targets.add(real, imaginary, filters: next)
        }
        swap(&now, &next)
        (hasFilters, change) = (true, .none)
    }

    private func makeNext() {
        guard change != .given, let turned else { return }
        turned.head.approach(turned.place, from: now, share(of: turned.head), to: next)
    }

    /// How far the filters come in this quantum.
    private func share(of head: HRTFTable) -> Float {
        let quantum = Float(Grid.quantum)
        return change == .turn || isSettled ? 1 : quantum / (quantum + head.settling)
    }
}
