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
    /// Of each ear `room` more than N frames, of which N count: the past, and at the end the quantum that is gathered.
    private let left, right: UnsafeMutablePointer<Float>
    /// Where the past is but a quantum, it is cheaper to copy than to spread over more of the cache.
    private let room: Int
    /// Where those N begin. They move on with every quantum, and back to the start when there is no room left.
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
        room = transform.size > 2 * Grid.quantum ? 4 * Grid.quantum : 0
        let history = transform.size + room
        memory = SampleMemory(count: 2 * history + 2 * transform.spectraCount + 2 * transform.partCount)
        (left, right) = (memory.pointer, memory.pointer + history)
        now = right + history
        next = now + transform.spectraCount
        scratch = next + transform.spectraCount
    }

    /// Silence, no filters: the next ones given apply at once.
    package mutating func reset() {
        left.update(repeating: 0, count: 2 * (transform.size + room))
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
        if let turned, turned.direction == direction, turned.head == head, pursuit.isOver { return turned.delays }
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
        if turned.direction != direction {
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
    package func leftInput(_ offset: Int) -> UnsafeMutablePointer<Float> {
        left + (begin + transform.size - Grid.quantum + offset)
    }
    /// The right ear's.
    package func rightInput(_ offset: Int) -> UnsafeMutablePointer<Float> {
        right + (begin + transform.size - Grid.quantum + offset)
    }

    /// `frames` frames have been put in from `offset` on; with the last of a quantum, all of it is added to the `targets`.
    package mutating func process(offset: Int, _ frames: Int, addingTo targets: BinauralTargets) {
        hasSounded = true
        guard offset + frames == Grid.quantum else { return }
        if let real = targets.scratch {
            let imaginary = real + transform.partCount
            transform.forward(left: left + begin, right: right + begin, real: real, imaginary: imaginary)
            add(real, imaginary, to: targets)
        }
        moveOn()
    }

    /// Asks for what the next block needs to be brought near the processor.
    package func prefetch() {
        ossicle_prefetch(left + begin, transform.size)
        ossicle_prefetch(right + begin, transform.size)
        ossicle_prefetch(now, transform.spectraCount)
        if !isSettled, let turned { turned.head.prefetch(turned.place) }
    }

    private mutating func moveOn() {
        begin += Grid.quantum
        guard begin > room else { return }
        let kept = transform.size - Grid.quantum
        left.update(from: left + begin, count: kept)
        right.update(from: right + begin, count: kept)
        begin = 0
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
