import AVFoundation

/// A ball that was thrown into a room: it flies, bounces, and bounces less each time.
struct Ball {
    private static let gravity = 9.81
    private static let bounciness = 0.7
    private static let bounces = 5
    private var velocity: (x: Double, z: Double)
    private var place: (x: Double, z: Double)
    /// Speed at which it meets the floor next, in m/s.
    private var impact: Double
    private var bouncesLeft = bounces
    /// Seconds of the next collision.
    private var time: Double

    struct Collision {
        let time: Double
        let position: AVAudio3DPoint
        /// 0 to 1.
        let impulse: Float
        let isLast: Bool
    }

    /// Falls from `height` metres at `time` seconds.
    init(from place: (x: Double, z: Double), height: Double, velocity: (x: Double, z: Double), at time: Double) {
        (self.place, self.velocity) = (place, velocity)
        impact = (2 * Self.gravity * height).squareRoot()
        self.time = time
        fly(impact / Self.gravity)
    }

    private mutating func fly(_ seconds: Double) {
        time += seconds
        place = (place.x + velocity.x * seconds, place.z + velocity.z * seconds)
    }

    /// The next collision, if it comes before `end`.
    mutating func collision(before end: Double) -> Collision? {
        guard bouncesLeft > 0, time < end else { return nil }
        bouncesLeft -= 1
        let collision = Collision(
            time: time, position: AVAudio3DPoint(x: Float(place.x), y: 0, z: Float(place.z)),
            impulse: Float(min(impact / 8, 1)),
            isLast: bouncesLeft == 0)
        impact *= Self.bounciness
        fly(2 * impact / Self.gravity)
        return collision
    }
}
