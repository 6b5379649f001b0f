import OssicleAcoustics
import OssicleCore
import OssicleRender

/// The ways of sound from a source to a listener as they are heard: from where the source was when it sent what arrives now.
///
///     t_sent = t − |s(t_sent) − l(t)| / c
///
/// Delay, direction, distance and what stands in the way all belong to that moment, and the pitch comes out as it does in air:
/// f (c + v_listener)/(c − v_source).
struct HeardPath {
    var acoustics: SourceAcoustics
    /// The source as it was then, and the head as it is now.
    let body: Pose
    let head: Pose
    /// The source as it is now, which is what its directivity makes of the sound that leaves it.
    let sender: Pose
    /// How fast the way from the head to the source changes, metres per frame.
    let drift: Vector
    /// Changes whenever the path is not that of before, moved, but a new one.
    let leaps: UInt32
    /// Frames from the update until it is heard.
    let frames: Int
    /// Whether it is the same at all later times, if nobody moves anything.
    let isAtRest: Bool

    /// The straight way.
    var path: DirectPath { acoustics.direct }

    /// What a renderer has to fly to.
    /// - Parameter speed: of sound, in metres per frame.
    func target(speed: Double) -> FlightTarget {
        let straight = (body.position - head.position).direction ?? .zero
        let turn = Self.turn(from: straight, to: path.direction)
        return FlightTarget(way: path.direction * (path.centreDistance / speed), drift: turn.turned(drift) / speed, head: Rotation(head), frames: frames)
    }

    /// From the direction of the centre to the one that is heard, which differ where a source is a body or in part hidden.
    private static func turn(from a: Vector, to b: Vector) -> Rotation {
        let axis = a.cross(b)
        let sine = axis.magnitude
        guard sine > 1e-9 else { return .none }
        return Rotation(vector: axis * (DeterministicMath.atan2(sine, a.dot(b)) / sine))
    }
}

/// Finds what is heard at one moment.
struct Hearing {
    /// Engine time.
    var time: Double
    /// Of sound, in metres per frame.
    let speed: Double
    /// Frames: what is farther away is heard as from there.
    let longest: Double

    /// The moments at which the source sent, and the listener hears.
    func moments(_ source: Trail, _ listener: Trail) -> (sent: Double, source: Trail.Moment, listener: Trail.Moment) {
        let ear = listener.moment(at: time)
        var sent = time
        // Each round leaves v/c of the error of the last; nothing is faster than a third of sound for long.
        for _ in 0..<64 {
            let travel = (source.moment(at: sent).pose.position - ear.pose.position).magnitude / speed
            let next = time - (travel < longest ? travel : longest)
            let isFound = (next - sent).magnitude < 1e-7
            sent = next
            if isFound { break }
        }
        return (sent, source.moment(at: sent), ear)
    }

    /// Metres per frame: what the velocities at both ends make of the way between them.
    ///
    ///     ṫ = (1 + n·l̇/c)/(1 + n·ṡ/c)      of the sent moment, n from the head to the source
    ///     d/dt (s(t_sent) − l) = ṡ ṫ − l̇
    func drift(_ source: Trail.Moment, _ listener: Trail.Moment) -> Vector {
        let n = (source.pose.position - listener.pose.position).direction ?? .zero
        let pace = (1 + n.dot(listener.velocity) / speed) / max(1 + n.dot(source.velocity) / speed, 0.1)
        return source.velocity * pace - listener.velocity
    }
}
