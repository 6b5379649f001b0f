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
        /// The rotation so far as a rotation vector, in the axes that the leg began with.
        let rotation: MotionCurve
        let axes: Rotation
        /// Whether it is ever turned; if not, its axes are the world's all the time.
        let turns: Bool

        var restsFrom: Double { since + max(motion.whole, rotation.whole) }

        func state(at time: Double) -> (place: Vector, velocity: Vector, axes: Rotation, spin: Vector) {
            let frame = time - since
            if !turns {
                guard frame >= 0 else { return (motion.from, .zero, axes, .zero) }
                return (motion.position(at: frame), motion.velocity(at: frame), axes, .zero)
            }
            let axes = axes.then(Rotation(vector: rotation.position(at: frame)))
            guard frame >= 0 else { return (motion.from, .zero, axes, .zero) }
            return (motion.position(at: frame), motion.velocity(at: frame), axes, rotation.velocity(at: frame))
        }
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
        let dropped: [Leg]?
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
        before = Past(put: put, lastStep: lastStep, dropped: isStep ? nil : legs)
        if isStep {
            step(to: pose, at: position, frames: frames, slack: isMotion ? Double(pace.slack) : 0)
        } else {
            legs = []
            lastStep = nil
            leaps &+= 1
        }
        put = (pose, position)
        noteEnd()
        forgetLegs(before: Double(position) - pace.sampleRate - Double(2 * Self.longestPause))
    }

    private func noteEnd() {
        (restsFrom, isKnownUntil) = (-.infinity, -.infinity)
        withLast { leg in
            restsFrom = leg.pointee.restsFrom
            isKnownUntil = leg.pointee.since + leg.pointee.motion.frames
        }
    }

    /// Half of them at once, so that most steps move nothing in memory.
    private func forgetLegs(before oldest: Double) {
        let half = legs.count / 2
        if half >= 8, legs[half].since < oldest { legs.removeFirst(half) }
    }

    /// Undoes the last change; a leap stays counted.
    private func restore(_ past: Past) {
        if let dropped = past.dropped { legs = dropped } else { legs.removeLast() }
        (put, lastStep, before) = (past.put, past.lastStep, nil)
    }

    private func step(to pose: Pose, at position: Int64, frames: Double, slack: Double) {
        let (length, settling) = (frames + slack, min(frames, 1024))
        let share = lastStep.map { frames / (frames + $0.frames) } ?? 0
        let velocity = (pose.position - put.pose.position) / frames
        let turns = !pose.isUpright || !put.pose.isUpright || withLast { $0.pointee.turns } ?? false
        let now: (place: Vector, velocity: Vector, axes: Rotation, spin: Vector) =
            withLast { $0.pointee.state(at: Double(position)) }
            ?? (put.pose.position, .zero, turns ? Rotation(put.pose) : .identity, .zero)
        var (turn, spin) = (Vector.zero, Vector.zero)
        if turns {
            let goal = Rotation(pose)
            spin = Rotation(put.pose).inverse.then(goal).vector / frames
            turn = now.axes.inverse.then(goal).vector
        }
        let new = Step(velocity: velocity, spin: spin, frames: frames)
        legs.append(
            Leg(
                since: Double(position),
                motion: MotionCurve(
                    from: now.place, to: pose.position, leaving: now.velocity,
                    arriving: Self.arriving(new.velocity, after: lastStep?.velocity, share), frames: length,
                    settling: settling),
                rotation: MotionCurve(
                    from: .zero, to: turn, leaving: now.spin,
                    arriving: turns ? Self.arriving(new.spin, after: lastStep?.spin, share) : .zero, frames: length,
                    settling: settling),
                axes: now.axes, turns: turns))
        lastStep = new
    }

    /// The speed at the end of a step: that of the parabola through the last three positions. Where the two steps are of
    /// no one motion, it is held within the step's own speed, which keeps the curve from swinging wide.
    private static func arriving(_ mean: Vector, after last: Vector?, _ share: Double) -> Vector {
        guard let last else { return mean }
        let change = (mean - last) * share
        let (most, length) = (mean.magnitude, change.magnitude)
        return mean + (length > most ? change * (most / length) : change)
    }

    /// The newest leg, where it lies: legs are large.
    @inline(__always)
    private func withLast<Result>(_ body: (UnsafePointer<Leg>) -> Result) -> Result? {
        guard !legs.isEmpty else { return nil }
        return legs.withUnsafeBufferPointer { legs in legs.baseAddress.map { body($0 + (legs.count - 1)) } }
    }

    /// The last that began by `time`, or the first. Most often one of the last few: from the end in strides that double,
    /// and by halves within the last stride.
    @inline(__always)
    private func withLeg<Result>(at time: Double, _ body: (UnsafePointer<Leg>) -> Result) -> Result? {
        legs.withUnsafeBufferPointer { legs in
            var (low, high) = (legs.count - 1, legs.count)
            var stride = 1
            while low > 0, legs[low].since > time {
                (low, high) = (max(low - stride, 0), low)
                stride *= 2
            }
            guard low >= 0, let first = legs.baseAddress else { return nil }
            while high - low > 1 {
                let middle = (low + high) / 2
                if legs[middle].since <= time { low = middle } else { high = middle }
            }
            return body(first + low)
        }
    }

    /// Where it was, is, or will be unless it is moved.
    func moment(at time: Double) -> Moment {
        guard time < restsFrom else { return Moment(pose: put.pose, velocity: .zero) }
        let scale = put.pose.scale
        return withLeg(at: time) { leg in
            let state = leg.pointee.state(at: time)
            if !leg.pointee.turns {
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
        return withLeg(at: time) { leg in
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
