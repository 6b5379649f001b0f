import OssicleCore

/// A direction and a distance on their way to where the simulation says they will be.
///
/// Walked in segments of one quantum, the last as long as what is left: at the start of each the voice takes the
/// place at its end, and everything in between is the kernels' own interpolation. Counted in frames since the glide
/// began, so the cut of blocks leaves no trace.
struct Glide: BitwiseCopyable {
    private var fromDirection: SIMD3<Float>
    private var toDirection: SIMD3<Float>
    private var fromDelay: Float
    private var toDelay: Float
    private var frames = 0
    private var walked = 0

    init(direction: SIMD3<Float>, delay: Float) {
        (fromDirection, toDirection) = (direction, direction)
        (fromDelay, toDelay) = (delay, delay)
    }

    var isOver: Bool { walked >= frames }
    var target: (direction: SIMD3<Float>, delay: Float) { (toDirection, toDelay) }

    /// Heads for a new place from the present one, to be reached after `frames` (at least one quantum).
    mutating func head(for direction: SIMD3<Float>, delay: Float, frames: Int) {
        let here = place
        (fromDirection, fromDelay) = (here.direction, here.delay)
        (toDirection, toDelay) = (direction, delay)
        self.frames = max(frames, Grid.quantum)
        walked = 0
    }

    /// One segment further, and how many frames long it is.
    mutating func walk() -> (direction: SIMD3<Float>, delay: Float, frames: Int) {
        let run = min(Grid.quantum, frames - walked)
        walked += run
        return (place.direction, place.delay, run)
    }

    /// Where the last segment walked ends.
    private var place: (direction: SIMD3<Float>, delay: Float) {
        if isOver { return target }
        let t = Float(walked) / Float(frames)
        let direction = fromDirection + (toDirection - fromDirection) * t
        // Halfway between opposite directions there is none: keep the old one until the other is nearer.
        return (direction.lengthSquared > 1e-6 ? direction : fromDirection, fromDelay + (toDelay - fromDelay) * t)
    }
}

/// How a bed is turned, on its way to how the simulation says it will be: `Glide` for orientations.
///
/// In segments of one quantum, the last as long as what is left, the shorter way round and at (nearly) one pace.
/// Counted in frames since the glide began, so the cut of blocks leaves no trace.
struct RotationGlide: BitwiseCopyable {
    private var from: Rotation
    private(set) var target: Rotation
    private var frames = 0
    private var walked = 0

    init(_ rotation: Rotation) { (from, target) = (rotation, rotation) }

    var isOver: Bool { walked >= frames }

    /// Heads for a new orientation from the present one, to be reached after `frames` (at least one quantum).
    mutating func head(for rotation: Rotation, frames: Int) {
        from = present
        target = rotation
        self.frames = max(frames, Grid.quantum)
        walked = 0
    }

    /// One segment further, and how many frames long it is.
    mutating func walk() -> (rotation: Rotation, frames: Int) {
        let run = min(Grid.quantum, frames - walked)
        walked += run
        return (present, run)
    }

    private var present: Rotation {
        if isOver { return target }
        return from.mixed(
            with: target, Double(Int32(truncatingIfNeeded: walked)) / Double(Int32(truncatingIfNeeded: frames)))
    }
}
