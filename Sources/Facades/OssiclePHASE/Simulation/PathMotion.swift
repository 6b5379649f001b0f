import OssicleCore

/// How the path from a source to a listener goes from one update to the next: as a motion, or as a jump.
///
/// A client that moves an object at a steady pace should be heard as a steady motion, whatever its pace and the engine's have to do with each
/// other: each step is therefore spread over the time since the one before.
struct PathMotion {
    private struct Place {
        /// Towards the source in the head's axes.
        let direction: SIMD3<Float>
        /// Metres.
        let distance: Double
        /// Engine time from which it has held, and whether it was jumped to then.
        let since: Int64
        let isJump: Bool
        /// Whether it is a step of a motion, or where one may begin.
        let isStep: Bool
    }

    /// nil while there is no path.
    private var last: Place?

    /// Steps further apart than this are not one motion.
    private static let longestPause: Int64 = 4096
    /// Metres per second; what seems to go faster has been put to another place, and is cross-faded.
    private static let fastest = 100.0

    /// - Parameter rampFrames: frames since the last update: what a step that continues nothing is spread over.
    mutating func step(_ direction: SIMD3<Float>, distance: Double, at position: Int64, sampleRate: Double,
                       rampFrames: Int) -> (rampFrames: Int, jumps: Bool) {
        guard let last else {
            self.last = Place(direction: direction, distance: distance, since: position, isJump: true, isStep: false)
            return (rampFrames, true)
        }
        // Until the next frame is rendered the jump has not been made.
        let isPending = last.isJump && last.since == position
        guard distance != last.distance || direction != last.direction else { return (rampFrames, isPending) }
        let pause = position - last.since
        let frames = last.isStep && pause <= Self.longestPause ? max(Int(pause), Grid.quantum) : rampFrames
        let speed = abs(distance - last.distance) * sampleRate / Double(frames)
        let isJump = isPending || speed > Self.fastest
        self.last = Place(direction: direction, distance: distance, since: position, isJump: isJump, isStep: !isJump)
        return (isJump ? rampFrames : frames, isJump)
    }

    /// The source or the listener is out of the scene: wherever they meet again is a new place.
    mutating func leave() { last = nil }
}
