import OssicleCore
import OssicleRender

/// Where an object has been, and where it is going until its client moves it again: a curve through the positions it
/// was moved to.
///
/// A client moves an object in steps and means a motion. A step that follows another within `longestPause` is therefore
/// spread over the time since the one before, and leaves with the speed at which that one arrived; the speed at its end
/// is read from the last two steps. What is moved at a steady pace thus moves evenly, one step late, whatever its pace
/// and the engine's have to do with each other. An object that gets no further step settles where it is.
///
///     set     p₀     p₁     p₂     p₂
///     is   ───┴── p₀ ─┴─▶ p₁ ┴─▶ p₂ ┴─ settles ─
///
/// A step longer than it can have moved is a leap: the object has no past. Engine time in frames; under the engine's
/// lock, which is why what every update looks at needs no check against overlapping accesses.
final class PositionHistory {
    /// An object at one moment.
    struct Moment {
        var pose: Pose
        /// Metres per frame.
        var velocity: Vector
    }

    private struct Leg {
        let since: Double
        let motion: MotionCurve
    }

    /// How it turns on a leg.
    private struct Turn {
        /// The rotation so far as a rotation vector, in the axes that the leg began with.
        let rotation: MotionCurve
        let axes: Rotation
    }

    private struct State {
        var place: Vector
        var velocity = Vector.zero
        var axes = Rotation.identity
        var spin = Vector.zero
    }

    /// One step as the client made it.
    private struct Step {
        let velocity: Vector
        let spin: Vector
        let frames: Double
    }

    /// What a change has to restore to be undone.
    private struct Past {
        let put: (pose: Pose, position: Int64)
        let lastStep: Step?
        /// What a leap has dropped. A step has added one leg, and a copy of the others would cost more than the step.
        let dropped: (legs: [Leg], turns: [Turn])?
    }

    /// How often it has leapt.
    @exclusivity(unchecked) private(set) var leaps: UInt32 = 0
    /// Engine time from which on it rests.
    @exclusivity(unchecked) private(set) var restsFrom = -Double.infinity
    /// Engine time up to which it is known where it is, whatever the client does next.
    @exclusivity(unchecked) private(set) var isKnownUntil = -Double.infinity
    /// The last pose that was set, and when.
    @exclusivity(unchecked) private var put: (pose: Pose, position: Int64)
    @exclusivity(unchecked) private var lastStep: Step?
    @exclusivity(unchecked) private var legs: [Leg] = []
    /// Those of the last legs, from the first on which it has turned; before, its axes are the world's. Few objects turn, and
    /// an update passes over the legs of all that move.
    @exclusivity(unchecked) private var turns: [Turn] = []
    /// What that pose replaced, because another may be set at the same moment.
    @exclusivity(unchecked) private var before: Past?

    /// Steps further apart than this, in frames, are not one motion.
    private static let longestPause: Int64 = 4096
    /// Metres per second; what seems to go faster has leapt.
    private static let fastest = 100.0

    /// An object that has always been there.
    init(_ pose: Pose, at position: Int64) { put = (pose, position) }

    /// - Parameter pace: what is known of when the client's steps come.
    func follow(_ pose: Pose, at position: Int64, _ pace: Pace) {
        guard pose != put.pose else { return }
        if position == put.position {
            // The pose was never rendered.
            guard let past = before else { return put.pose = pose }
            restore(past)
        }
        let pause = position - put.position
        let isMotion = pause > 0 && pause <= Self.longestPause
        let frames = isMotion ? Double(max(pause, Int64(Grid.quantum))) : Double(pace.unknown)
        let length = (pose.position - put.pose.position).magnitude
        let isStep = length * pace.sampleRate / frames <= Self.fastest
        before = Past(put: put, lastStep: lastStep, dropped: isStep ? nil : (legs, turns))
        if isStep {
            step(to: pose, at: position, frames: frames, slack: isMotion ? Double(pace.slack) : 0)
        } else {
            (legs, turns) = ([], [])
            lastStep = nil
            leaps &+= 1
        }
        put = (pose, position)
        noteEnd()
        forgetLegs(before: Double(position) - pace.sampleRate - Double(2 * Self.longestPause))
    }

    private func noteEnd() {
        (restsFrom, isKnownUntil) = (-.infinity, -.infinity)
        withLeg(legs.count - 1) { leg, turn in
            restsFrom = leg.pointee.since + max(leg.pointee.motion.whole, turn?.pointee.rotation.whole ?? 0)
            isKnownUntil = leg.pointee.since + leg.pointee.motion.frames
        }
    }

    /// Half of them at once, and looked at every now and then, so that most steps move nothing in memory and read nothing
    /// that is far away.
    private func forgetLegs(before oldest: Double) {
        guard legs.count & 15 == 0 else { return }
        let half = legs.count / 2
        guard half >= 8, legs[half].since < oldest else { return }
        legs.removeFirst(half)
        if turns.count > legs.count { turns.removeFirst(turns.count - legs.count) }
    }

    /// Undoes the last change; a leap stays counted.
    private func restore(_ past: Past) {
        if let dropped = past.dropped {
            (legs, turns) = dropped
        } else {
            legs.removeLast()
            if !turns.isEmpty { turns.removeLast() }
        }
        (put, lastStep, before) = (past.put, past.lastStep, nil)
    }

    private func step(to pose: Pose, at position: Int64, frames: Double, slack: Double) {
        let (length, settling) = (frames + slack, min(frames, 1024))
        let share = lastStep.map { frames / (frames + $0.frames) } ?? 0
        let velocity = (pose.position - put.pose.position) / frames
        let isTurning = !turns.isEmpty || !pose.isUpright || !put.pose.isUpright
        let now =
            withLeg(legs.count - 1) { Self.state(of: $0, $1, at: Double(position)) }
            ?? State(place: put.pose.position, axes: isTurning ? Rotation(put.pose) : .identity)
        let spin = isTurning ? Rotation(put.pose).inverse.then(Rotation(pose)).vector / frames : .zero
        legs.append(
            Leg(
                since: Double(position),
                motion: MotionCurve(
                    from: now.place, to: pose.position, leaving: now.velocity,
                    arriving: Self.arriving(velocity, after: lastStep?.velocity, share), frames: length,
                    settling: settling)))
        if isTurning {
            turns.append(
                Turn(
                    rotation: MotionCurve(
                        from: .zero, to: now.axes.inverse.then(Rotation(pose)).vector, leaving: now.spin,
                        arriving: Self.arriving(spin, after: lastStep?.spin, share), frames: length,
                        settling: settling),
                    axes: now.axes))
        }
        lastStep = Step(velocity: velocity, spin: spin, frames: frames)
    }

    /// The speed at the end of a step: that of the parabola through the last three positions. Where the two steps are of
    /// no one motion, it is held within the step's own speed, which keeps the curve from swinging wide.
    private static func arriving(_ mean: Vector, after last: Vector?, _ share: Double) -> Vector {
        guard let last else { return mean }
        let change = (mean - last) * share
        let (most, length) = (mean.magnitude, change.magnitude)
        return mean + (length > most ? change * (most / length) : change)
    }

    private static func state(of leg: UnsafePointer<Leg>, _ turn: UnsafePointer<Turn>?, at time: Double) -> State {
        let frame = time - leg.pointee.since
        var state = State(place: leg.pointee.motion.from)
        if let turn { state.axes = turn.pointee.axes.then(Rotation(vector: turn.pointee.rotation.position(at: frame))) }
        guard frame >= 0 else { return state }
        state.place = leg.pointee.motion.position(at: frame)
        state.velocity = leg.pointee.motion.velocity(at: frame)
        if let turn { state.spin = turn.pointee.rotation.velocity(at: frame) }
        return state
    }

    /// A leg, where it lies, because legs are large, and how the object turns on it.
    @inline(__always)
    private func withLeg<Result>(
        _ place: Int, _ body: (UnsafePointer<Leg>, UnsafePointer<Turn>?) -> Result
    ) -> Result? {
        guard legs.indices.contains(place) else { return nil }
        let first = legs.count - turns.count
        return legs.withUnsafeBufferPointer { legs in
            guard let leg = legs.baseAddress else { return nil }
            if place < first { return body(leg + place, nil) }
            return turns.withUnsafeBufferPointer { turns in
                body(leg + place, turns.baseAddress.map { $0 + (place - first) })
            }
        }
    }

    /// The last leg that began by `time`, or the first. Most often one of the last few: from the end in strides that double,
    /// and by halves within the last stride.
    @inline(__always)
    private func leg(at time: Double) -> Int {
        legs.withUnsafeBufferPointer { legs in
            var (low, high) = (legs.count - 1, legs.count)
            var stride = 1
            while low > 0, legs[low].since > time {
                (low, high) = (max(low - stride, 0), low)
                stride *= 2
            }
            while high - low > 1 {
                let middle = (low + high) / 2
                if legs[middle].since <= time { low = middle } else { high = middle }
            }
            return low
        }
    }

    /// Where it was, is, or will be unless it is moved.
    func moment(at time: Double) -> Moment {
        guard time < restsFrom else { return Moment(pose: put.pose, velocity: .zero) }
        let scale = put.pose.scale
        return withLeg(leg(at: time)) { leg, turn in
            let state = Self.state(of: leg, turn, at: time)
            if turn == nil {
                return Moment(pose: Pose(position: state.place, scale: scale), velocity: state.velocity)
            }
            return Moment(
                pose: Pose(
                    position: state.place, right: state.axes.turned(Vector(1, 0, 0)),
                    up: state.axes.turned(Vector(0, 1, 0)),
                    back: state.axes.turned(Vector(0, 0, 1)), scale: scale), velocity: state.velocity)
        } ?? Moment(pose: put.pose, velocity: .zero)
    }
}

extension PositionHistory {
    /// Where it was at a time, without its axes.
    func place(at time: Double) -> Vector {
        guard time < restsFrom else { return put.pose.position }
        return withLeg(leg(at: time)) { leg, _ in
            let frame = time - leg.pointee.since
            return frame >= 0 ? leg.pointee.motion.position(at: frame) : leg.pointee.motion.from
        } ?? put.pose.position
    }
}

extension Pose {
    /// Its axes are the world's.
    fileprivate var isUpright: Bool { right == Vector(1, 0, 0) && up == Vector(0, 1, 0) && back == Vector(0, 0, 1) }
}

extension PositionHistory {
    /// What is known of the steps in which the client moves things.
    struct Pace {
        let sampleRate: Double
        /// Frames a step takes that follows no other.
        let unknown: Int
        /// Frames by which updates may come late.
        let slack: Int
    }
}
