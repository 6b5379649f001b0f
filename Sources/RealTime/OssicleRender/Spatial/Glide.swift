import OssicleCore

/// A direction and a distance on their way to where the simulation says they will be.
///
/// Walked in segments of one quantum, the last as long as what is left: at the start of each the voice asks for the place at its end, and everything
/// in between is the kernels' own interpolation. Counted in frames since the glide began, so the cut of blocks leaves no trace.
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
