import OssicleCore

/// A ramp in segments of up to one quantum, the last as long as what is left: at the start of each the kernels are
/// given its end, and interpolate by themselves.
extension Ramp {
    /// Moves to `value` over `frames` frames, at least one quantum.
    mutating func glide(to value: Value, frames: Int) { setTarget(value, frames: Swift.max(frames, Grid.quantum)) }

    /// The value at the end of the next segment, and how many frames long that is.
    mutating func nextSegment(atMost frames: Int = Grid.quantum) -> (value: Value, frames: Int) {
        let run = advance(frames)
        return (value, run)
    }
}

/// Where a directional voice sounds from.
struct VoicePosition: RampValue {
    /// In the head's axes, any length.
    var direction: SIMD3<Float>
    /// Frames of travel.
    var delay: Float

    /// Straight lines. Halfway between opposite directions there is none: the old one stays until the other is nearer.
    static func between(_ start: Self, _ target: Self, frame: Int, of frames: Int) -> Self {
        let t = Float(frame) / Float(frames)
        let direction = start.direction + (target.direction - start.direction) * t
        return VoicePosition(
            direction: direction.lengthSquared > 1e-6 ? direction : start.direction,
            delay: start.delay + (target.delay - start.delay) * t)
    }
}

extension Rotation: RampValue {
    /// The shorter way round and at (nearly) one pace.
    package static func between(_ start: Self, _ target: Self, frame: Int, of frames: Int) -> Self {
        let (frame, frames) = (Int32(truncatingIfNeeded: frame), Int32(truncatingIfNeeded: frames))
        return start.mixed(with: target, Double(frame) / Double(frames))
    }
}
