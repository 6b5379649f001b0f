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
/// A step longer than it can have moved is a leap: the object has no past. Engine time in frames. What an update reads
/// of an object lies together: no references are counted, and legs are packed.
struct PositionHistory: ~Copyable {
    /// Where an object is at one moment, and how fast, in metres per frame.
    struct Motion {
        let place: Vector
        let velocity: Vector
    }

    /// A `MotionCurve` and its beginning, in two lines of the cache.
    private struct Leg: BitwiseCopyable {
        typealias Triple = (x: Double, y: Double, z: Double)
        let since, frames, settling: Double
        private let start, goal, leaving, arriving: Triple

        init(since: Double, _ curve: MotionCurve) {
            (self.since, frames, settling) = (since, curve.frames, curve.settling)
            (start, goal) = (Self.triple(curve.from), Self.triple(curve.to))
            (leaving, arriving) = (Self.triple(curve.leaving), Self.triple(curve.arriving))
        }

        private static func triple(_ vector: Vector) -> Triple { (vector.x, vector.y, vector.z) }
        private static func vector(_ triple: Triple) -> Vector { Vector(triple.x, triple.y, triple.z) }

        var from: Vector { Self.vector(start) }

        /// Engine time from which on it rests.
        var end: Double { arriving == (0, 0, 0) ? since + frames : since + (frames + settling) }

        @inline(__always)
        var motion: MotionCurve {
            MotionCurve(
                from: from, to: Self.vector(goal), leaving: Self.vector(leaving), arriving: Self.vector(arriving),
                frames: frames, settling: settling)
        }
    }

    /// How it turns on a leg.
    private struct Turn: BitwiseCopyable {
        /// The rotation so far as a rotation vector, in the axes that the leg began with.
        let rotation: MotionCurve
        let axes: Rotation

        func axes(at frame: Double) -> Rotation { axes.then(Rotation(vector: rotation.position(at: frame))) }
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
        /// Whether it has added a leg, and a turn; a leap adds none and hides those that are there.
        let added: (leg: Bool, turn: Bool)
    }

    /// How often it has leapt.
    private(set) var leaps: UInt32 = 0
    /// Engine time from which on it rests.
    private(set) var restsFrom = -Double.infinity
    /// Engine time up to which it is known where it is, whatever the client does next.
    private(set) var isKnownUntil = -Double.infinity
    /// The last pose that was set, and when.
    private var put: (pose: Pose, position: Int64)
    private var lastStep: Step?
    private var legs = PlainRing<Leg>()
    /// Those of the last legs, from the first on which it has turned; before, its axes are the world's. Few objects
    /// turn, and an update passes over the legs of all that move.
    private var turns = PlainRing<Turn>()
    /// The first of each that a leap has hidden: they are forgotten once it cannot be undone any more.
    private var hidden = (legs: 0, turns: 0)
    /// What that pose replaced, because another may be set at the same moment.
    private var before: Past?

    /// Steps further apart than this, in frames, are not one motion.
    private static let longestPause: Int64 = 4096
    /// Metres per second; what seems to go faster has leapt.
    private static let fastest = 100.0

    /// An object that has always been there.
    init(_ pose: Pose, at position: Int64) { put = (pose, position) }

    /// - Parameter pace: what is known of when the client's steps come.
    mutating func follow(_ pose: Pose, at position: Int64, _ pace: Pace) {
        guard pose != put.pose else { return }
        if position == put.position {
            // The pose was never rendered.
            guard let past = before else { return put.pose = pose }
            restore(past)
        } else {
            forgetHidden()
        }
        let pause = position - put.position
        let isMotion = pause > 0 && pause <= Self.longestPause
        let frames = isMotion ? Double(max(pause, Int64(Grid.quantum))) : Double(pace.unknown)
        let length = (pose.position - put.pose.position).magnitude
        let isStep = length * pace.sampleRate / frames <= Self.fastest
        let isTurning = isStep && (turns.count > hidden.turns || !pose.isUpright || !put.pose.isUpright)
        before = Past(put: put, lastStep: lastStep, added: (isStep, isTurning))
        if isStep {
            forgetLegs(before: Double(position) - pace.sampleRate - Double(2 * Self.longestPause))
            step(
                to: pose, at: position, frames: frames, slack: isMotion ? Double(pace.slack) : 0, isTurning: isTurning)
        } else {
            hidden = (legs.count, turns.count)
            lastStep = nil
            leaps &+= 1
        }
        put = (pose, position)
        noteEnd()
    }

    private mutating func noteEnd() {
        (restsFrom, isKnownUntil) = (-.infinity, -.infinity)
        guard let leg = lastLeg else { return }
        restsFrom = leg.pointee.end
        if let turn = turn(at: legs.count - 1) {
            restsFrom = max(restsFrom, leg.pointee.since + turn.pointee.rotation.whole)
        }
        isKnownUntil = leg.pointee.since + leg.pointee.frames
    }

    /// Makes room for another leg before the ring has to grow: the oldest lies where the new one comes to lie.
    private mutating func forgetLegs(before oldest: Double) {
        guard legs.isFull else { return }
        while hidden.legs == 0, let second = legs[1], second.pointee.since < oldest { legs.removeFirst() }
        if turns.count > legs.count { turns.removeFirst(turns.count - legs.count) }
    }

    private mutating func forgetHidden() {
        if hidden.legs > 0 { legs.removeFirst(hidden.legs) }
        if hidden.turns > 0 { turns.removeFirst(hidden.turns) }
        hidden = (0, 0)
    }

    /// Undoes the last change; a leap stays counted.
    private mutating func restore(_ past: Past) {
        if past.added.leg { legs.removeLast() } else { hidden = (0, 0) }
        if past.added.turn { turns.removeLast() }
        (put, lastStep, before) = (past.put, past.lastStep, nil)
    }

    private mutating func step(to pose: Pose, at position: Int64, frames: Double, slack: Double, isTurning: Bool) {
        let (length, settling) = (frames + slack, min(frames, 1024))
        let share = lastStep.map { frames / (frames + $0.frames) } ?? 0
        let velocity = (pose.position - put.pose.position) / frames
        var now = State(place: put.pose.position, axes: isTurning ? Rotation(put.pose) : .identity)
        if let leg = lastLeg { now = Self.state(of: leg, turn(at: legs.count - 1), at: Double(position)) }
        let spin = isTurning ? Rotation(put.pose).inverse.then(Rotation(pose)).vector / frames : .zero
        legs.append(
            Leg(
                since: Double(position),
                MotionCurve(
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

    /// The speed at the end of a step: that of the parabola through the last three positions. Where the two steps are
    /// of no one motion, it is held within the step's own speed, which keeps the curve from swinging wide.
    private static func arriving(_ mean: Vector, after last: Vector?, _ share: Double) -> Vector {
        guard let last else { return mean }
        let change = (mean - last) * share
        let (most, length) = (mean.magnitude, change.magnitude)
        return mean + (length > most ? change * (most / length) : change)
    }

    private static func state(of leg: UnsafePointer<Leg>, _ turn: UnsafePointer<Turn>?, at time: Double) -> State {
        let frame = time - leg.pointee.since
        var state = State(place: leg.pointee.from)
        if let turn { state.axes = turn.pointee.axes(at: frame) }
        guard frame >= 0 else { return state }
        let motion = leg.pointee.motion
        state.place = motion.position(at: frame)
        state.velocity = motion.velocity(at: frame)
        if let turn { state.spin = turn.pointee.rotation.velocity(at: frame) }
        return state
    }

    private var lastLeg: UnsafePointer<Leg>? { legs.count > hidden.legs ? legs[legs.count - 1] : nil }

    /// How the object turns on a leg; nil where it does not.
    private func turn(at place: Int) -> UnsafePointer<Turn>? {
        let place = place - (legs.count - turns.count)
        return place >= hidden.turns ? turns[place] : nil
    }

    /// The last leg that began by `time`, or the first. Most often one of the last few: from the end in strides that
    /// double, and by halves within the last stride.
    @inline(__always)
    private func leg(at time: Double) -> Int {
        var (low, high) = (legs.count - 1, legs.count)
        var stride = 1
        while low > hidden.legs, begins(low, after: time) {
            (low, high) = (max(low - stride, hidden.legs), low)
            stride *= 2
        }
        while high - low > 1 {
            let middle = (low + high) / 2
            if begins(middle, after: time) { high = middle } else { low = middle }
        }
        return low
    }

    @inline(__always)
    private func begins(_ leg: Int, after time: Double) -> Bool {
        guard let leg = legs[leg] else { return false }
        return leg.pointee.since > time
    }
}

extension PositionHistory {
    /// Where it was at a time, is, or will be unless it is moved.
    func place(at time: Double) -> Vector {
        guard time < restsFrom, let leg = legs[leg(at: time)] else { return put.pose.position }
        let frame = time - leg.pointee.since
        return frame >= 0 ? leg.pointee.motion.position(at: frame) : leg.pointee.from
    }

    /// The same with its speed.
    func motion(at time: Double) -> Motion {
        guard time < restsFrom, let leg = legs[leg(at: time)] else {
            return Motion(place: put.pose.position, velocity: .zero)
        }
        let frame = time - leg.pointee.since
        guard frame >= 0 else { return Motion(place: leg.pointee.from, velocity: .zero) }
        let motion = leg.pointee.motion
        return Motion(place: motion.position(at: frame), velocity: motion.velocity(at: frame))
    }

    /// Makes a pose that of the object at a time. It is large, and seldom another but for its position.
    /// - Parameter place: where the object is then.
    /// - Returns: whether the pose is another.
    @inline(__always)
    func setPose(_ pose: inout Pose, at time: Double, _ place: Vector) -> Bool {
        guard time < restsFrom else {
            if pose == put.pose { return false }
            pose = put.pose
            return true
        }
        var axes = (right: Vector(1, 0, 0), up: Vector(0, 1, 0), back: Vector(0, 0, 1))
        if !turns.isEmpty { turn(&axes, at: time) }
        let stays = pose.position == place && pose.scale == put.pose.scale
        (pose.position, pose.scale) = (place, put.pose.scale)
        if pose.right == axes.right, pose.up == axes.up, pose.back == axes.back { return !stays }
        (pose.right, pose.up, pose.back) = axes
        return true
    }

    private func turn(_ axes: inout (right: Vector, up: Vector, back: Vector), at time: Double) {
        let number = leg(at: time)
        guard let turn = turn(at: number), let leg = legs[number] else { return }
        let turned = turn.pointee.axes(at: time - leg.pointee.since)
        axes = (turned.turned(axes.right), turned.turned(axes.up), turned.turned(axes.back))
    }

    /// Asks for what a step reads and writes to be brought near the processor.
    func prefetch() {
        if let leg = legs[legs.count - 1] { UnsafeRawPointer(leg).prefetch(2 * MemoryLayout<Leg>.stride) }
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
