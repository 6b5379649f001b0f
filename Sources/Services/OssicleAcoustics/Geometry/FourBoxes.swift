import OssicleCore

/// Four boxes in the units of an `EmbreeMesh`, by which most rays are seen to meet nothing of what stands in a room.
///
/// Embree's own search says so after a call that takes several times as long.
struct FourBoxes: BitwiseCopyable {
    static let count = 4

    private typealias Four = SIMD4<Float>
    /// By how much boxes are larger than what they hold: single precision is off by a thousandth of it.
    private static let margin = 1e-4
    /// Where boxes are that hold nothing; no ray is as long.
    private static let nowhere: Float = 1e6
    /// Directions are no closer to a box's face, so that no distance is infinite.
    private static let leastSlope: Float = 1e-18

    private var lower = (
        x: Four(repeating: FourBoxes.nowhere), y: Four(repeating: FourBoxes.nowhere),
        z: Four(repeating: FourBoxes.nowhere)
    )
    private var upper = (
        x: Four(repeating: FourBoxes.nowhere), y: Four(repeating: FourBoxes.nowhere),
        z: Four(repeating: FourBoxes.nowhere)
    )

    /// - Parameter boxes: `count` at most, in metres.
    init(_ boxes: [Bounds], _ centre: Vector, unitsPerMetre: Double) {
        for (lane, box) in boxes.prefix(FourBoxes.count).enumerated() {
            let low = SIMD3<Float>((box.lower - centre) * unitsPerMetre - FourBoxes.margin)
            let high = SIMD3<Float>((box.upper - centre) * unitsPerMetre + FourBoxes.margin)
            (lower.x[lane], lower.y[lane], lower.z[lane]) = (low.x, low.y, low.z)
            (upper.x[lane], upper.y[lane], upper.z[lane]) = (high.x, high.y, high.z)
        }
    }

    /// Whether a ray passes through any of the boxes (Kay and Kajiya 1986).
    @inline(__always)
    func meet(_ start: SIMD3<Float>, towards direction: SIMD3<Float>, before reach: Float) -> Bool {
        var slopes = Four(direction, 1)
        slopes.replace(
            with: FourBoxes.leastSlope,
            where: (slopes .< FourBoxes.leastSlope) .& (slopes .> -FourBoxes.leastSlope))
        let inverse = 1 / slopes
        var (entry, exit) = (Four.zero, Four(repeating: reach))
        FourBoxes.cut(lower.x, upper.x, start.x, inverse.x, &entry, &exit)
        FourBoxes.cut(lower.y, upper.y, start.y, inverse.y, &entry, &exit)
        FourBoxes.cut(lower.z, upper.z, start.z, inverse.z, &entry, &exit)
        return any(entry .<= exit)
    }

    /// Leaves of each ray's part within the boxes what lies in a slab.
    @inline(__always)
    private static func cut(
        _ lower: Four, _ upper: Four, _ start: Float, _ inverse: Float, _ entry: inout Four, _ exit: inout Four
    ) {
        let (a, b) = ((lower - start) * inverse, (upper - start) * inverse)
        let isFalling = a .> b
        let (near, far) = (a.replacing(with: b, where: isFalling), b.replacing(with: a, where: isFalling))
        entry.replace(with: near, where: near .> entry)
        exit.replace(with: far, where: far .< exit)
    }
}
