import OssicleAcoustics
import OssicleCore
import OssicleRender

/// The paths of sound from a source to a listener as they are heard: from where the source was when it sent what
/// arrives now.
///
///     t_sent = t − |s(t_sent) − l(t)| / c
///
/// Delay, direction, distance and obstacles all belong to that moment, and the pitch comes out as it does in air:
/// f (c + v_listener)/(c − v_source).
package struct ReceivedPath {
    package internal(set) var acoustics: SourceAcoustics
    /// The source as it was then, and the head as it is now.
    package private(set) var body: Pose
    package private(set) var head: Pose
    /// The source as it is now: its directivity acts on the sound that leaves it.
    package private(set) var sender: Pose
    /// Velocity of the source re the head, metres per frame.
    private(set) var drift: Vector
    /// Changes whenever the path is not that of before, moved, but a new one.
    package private(set) var leaps: UInt32
    /// Frames from the update until it is heard.
    package internal(set) var frames: Int
    /// Whether it is the same at all later times, if nothing is moved.
    package private(set) var isAtRest: Bool

    /// Frames within which a renderer has come to rest at a target that stays, whatever it has come from.
    static let longestApproach: Int64 = 65_536
    /// Before anything is received.
    static let unknown = ReceivedPath(
        acoustics: SourceAcoustics(direct: .silent), body: .identity, head: .identity, sender: .identity, drift: .zero,
        leaps: 0, frames: 0, isAtRest: false)

    /// Another moment of the same path; the acoustics are those of before. Poses are large: each is written where it
    /// lies.
    /// - Returns: whether it is a path between other places.
    mutating func receive(
        _ found: PathReception.Found, at reception: PathReception, _ source: borrowing PositionHistory,
        _ listener: borrowing PositionHistory, leaps: UInt32, frames: Int, isAtRest: Bool
    ) -> Bool {
        let ear = head.position
        let isElsewhere = source.setPose(&body, at: found.sent, found.source.place)
        _ = listener.setPose(&head, at: reception.time, found.listener.place)
        _ = source.setPose(&sender, at: reception.time, source.place(at: reception.time))
        drift = reception.drift(found)
        (self.leaps, self.frames, self.isAtRest) = (leaps, frames, isAtRest)
        return isElsewhere || head.position != ear
    }

    package var direct: DirectPath { acoustics.direct }

    /// What a renderer interpolates to on a path, which is read where it lies.
    /// - Parameter speed: of sound, in metres per frame.
    static func target(of path: UnsafePointer<ReceivedPath>, speed: Double) -> MotionTarget {
        let (body, head) = (path.pointee.body.position, path.pointee.head.position)
        let (direction, distance) = (
            path.pointee.acoustics.direct.direction, path.pointee.acoustics.direct.centreDistance
        )
        let turn = Self.turn(from: (body - head).direction ?? .zero, to: direction)
        return MotionTarget(
            offset: direction * (distance / speed), drift: turn.turned(path.pointee.drift) / speed,
            head: Rotation(path.pointee.head), frames: path.pointee.frames)
    }

    /// Share of the energy that is transmitted or diffracted, without a copy of the path.
    static func passingEnergy(of path: UnsafePointer<ReceivedPath>) -> OctaveBands {
        // As it mostly is.
        if path.pointee.acoustics.diffractions.isEmpty && path.pointee.acoustics.direct.bandGains == .ones {
            return .ones
        }
        return path.pointee.acoustics.passingEnergy
    }

    /// From the direction of the centre to the one that is heard, which differ where a source is a body or partly
    /// occluded.
    private static func turn(from a: Vector, to b: Vector) -> Rotation {
        let axis = a.cross(b)
        let sine = axis.magnitude
        guard sine > 1e-9 else { return .identity }
        return Rotation(vector: axis * (DeterministicMath.atan2(sine, a.dot(b)) / sine))
    }
}

extension SourceAcoustics {
    /// There is a direct path that nothing obstructs, and no other.
    mutating func open(from position: Vector, to listener: Vector) {
        direct.open(from: position, to: listener)
        if !diffractions.isEmpty { diffractions = [] }
        if !reflections.isEmpty { reflections = [] }
    }

    /// Share of the energy that is transmitted through obstacles or diffracted around them, 0…1.
    package var passingEnergy: OctaveBands {
        let energy = diffractions.reduce(direct.bandGains * direct.bandGains) { energy, path in
            let diffracted = path.bandGains * Float(direct.centreDistance / max(path.length, 1e-6))
            return energy + diffracted * diffracted
        }
        return energy.map { min($0, 1) }
    }
}

/// Finds what is received at one moment.
struct PathReception {
    /// Engine time.
    var time: Double
    /// Of sound, in metres per frame.
    let speed: Double
    /// Frames: what is farther away is heard as from there.
    let longest: Double

    /// When the source sent what the listener hears, and how both moved at these moments.
    struct Found {
        let sent: Double
        let source, listener: PositionHistory.Motion
    }

    func find(_ source: borrowing PositionHistory, _ listener: borrowing PositionHistory) -> Found {
        let ear = listener.motion(at: time)
        var sent = time
        // Each round leaves v/c of the error of the last; nothing is faster than a third of sound for long.
        for _ in 0..<64 {
            let travel = (source.place(at: sent) - ear.place).magnitude / speed
            let next = time - (travel < longest ? travel : longest)
            let isFound = (next - sent).magnitude < 1e-7
            sent = next
            if isFound { break }
        }
        return Found(sent: sent, source: source.motion(at: sent), listener: ear)
    }

    /// Metres per frame: what the velocities at both ends make of the way between them.
    ///
    ///     ṫ = (1 + n·l̇/c)/(1 + n·ṡ/c)      of the sent moment, n from the head to the source
    ///     d/dt (s(t_sent) − l) = ṡ ṫ − l̇
    func drift(_ found: Found) -> Vector {
        let (source, listener) = (found.source, found.listener)
        let n = (source.place - listener.place).direction ?? .zero
        let pace = (1 + n.dot(listener.velocity) / speed) / max(1 + n.dot(source.velocity) / speed, 0.1)
        return source.velocity * pace - listener.velocity
    }
}

/// Whether a mixer channel's path continues from one update to the next, or is another.
package struct PathMotion {
    /// The path's own count at the last update; nil while there is none.
    private var last: UInt32?
    /// How often the channel has got another path.
    package private(set) var leaps: UInt32 = 0

    package init() {}

    /// - Parameter count: of the path's own leaps.
    package mutating func follow(leaps count: UInt32) {
        if count != last { leaps &+= 1 }
        last = count
    }

    /// The source or the listener is out of the scene: the next path is a new one.
    package mutating func leave() { last = nil }
}
