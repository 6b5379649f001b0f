import OssicleCore

/// How a bed is turned, on its way to how the simulation says it will be: `Glide` for orientations.
///
/// Walked in segments of one quantum, the last as long as what is left, the shorter way round and at (nearly) one pace. Counted in frames since
/// the glide began, so the cut of blocks leaves no trace.
struct TurnGlide: BitwiseCopyable {
    private var from: SIMD4<Double>
    private var to: SIMD4<Double>
    private var frames = 0
    private var walked = 0

    init(_ turn: SIMD4<Double>) { (from, to) = (turn, turn) }

    var isOver: Bool { walked >= frames }
    var target: SIMD4<Double> { to }

    /// Heads for a new orientation from the present one, to be reached after `frames` (at least one quantum).
    mutating func head(for turn: SIMD4<Double>, frames: Int) {
        from = place
        to = (from * turn).sum() < 0 ? -turn : turn
        self.frames = max(frames, Grid.quantum)
        walked = 0
    }

    /// One segment further, and how many frames long it is.
    mutating func walk() -> (turn: SIMD4<Double>, frames: Int) {
        let run = min(Grid.quantum, frames - walked)
        walked += run
        return (place, run)
    }

    /// The two are never more than a right angle apart as quaternions: what lies between has a length.
    private var place: SIMD4<Double> {
        if isOver { return to }
        let between = from + (to - from) * (Double(Int32(truncatingIfNeeded: walked)) / Double(Int32(truncatingIfNeeded: frames)))
        return between / (between * between).sum().squareRoot()
    }
}

/// Turns as unit quaternions, the imaginary part first.
enum Turn {
    /// The turn that takes the axes to `right`, `up` and `back` (unit and orthogonal). Shepperd 1978: the largest part is found first.
    static func quaternion(right: SIMD3<Float>, up: SIMD3<Float>, back: SIMD3<Float>) -> SIMD4<Double> {
        let (r, u, b) = (Vector(right), Vector(up), Vector(back))
        let squares = SIMD4(1 + r.x - u.y - b.z, 1 - r.x + u.y - b.z, 1 - r.x - u.y + b.z, 1 + r.x + u.y + b.z)
        let largest = squares.max()
        var parts: SIMD4<Double>
        if largest == squares.w {
            parts = SIMD4(u.z - b.y, b.x - r.z, r.y - u.x, squares.w)
        } else if largest == squares.x {
            parts = SIMD4(squares.x, r.y + u.x, b.x + r.z, u.z - b.y)
        } else if largest == squares.y {
            parts = SIMD4(r.y + u.x, squares.y, u.z + b.y, b.x - r.z)
        } else {
            parts = SIMD4(b.x + r.z, u.z + b.y, squares.z, r.y - u.x)
        }
        let length = (parts * parts).sum().squareRoot()
        return length > 1e-9 && length.isFinite ? parts / length : SIMD4(0, 0, 0, 1)
    }

    static func axes(_ q: SIMD4<Double>) -> (right: Vector, up: Vector, back: Vector) {
        let (xx, yy, zz) = (q.x * q.x, q.y * q.y, q.z * q.z)
        let (xy, xz, yz, wx, wy, wz) = (q.x * q.y, q.x * q.z, q.y * q.z, q.w * q.x, q.w * q.y, q.w * q.z)
        return (Vector(1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)),
                Vector(2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)),
                Vector(2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)))
    }
}
