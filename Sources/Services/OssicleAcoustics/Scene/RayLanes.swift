import OssicleCore

/// The directions of up to 128 segments from one place, four to a vector, for a first test of facets.
///
/// With s from a facet's corner a to the start, its edges e₁ and e₂ and a segment's d, the numerators of Möller and
/// Trumbore's u and v and their denominator are products of d with three vectors that are the same for all segments:
///
///     u' = d · (e₂ × s)    v' = d · (s × e₁)    D = d · (e₂ × e₁)
///
/// A segment crosses where u', v' and D − u' − v' have the sign of D, and D that of s · (e₁ × e₂).
struct RayLanes: BitwiseCopyable {
    private static let width = 4
    /// x, y and z of each four.
    static let spaceSize = 3 * RayBundle.most / width

    private let start: Vector
    private let directions: UnsafePointer<SIMD4<Float>>

    /// By what the products may be off where vectors are at most 1 long: single precision by 10⁻⁶, `Facet` by 10⁻⁹.
    private static let margin: Float = 4e-6
    /// The same in double precision.
    private static let hair = 1e-12

    /// - Parameters: segments: from one place. - space: `spaceSize` vectors to keep as long as this.
    init(_ segments: UnsafeBufferPointer<Segment>, space: UnsafeMutablePointer<SIMD4<Float>>) {
        var longest = 0.0
        for segment in segments where segment.length.isFinite { longest = max(longest, segment.delta.largestMagnitude) }
        // At most 1 long.
        let scale = longest > 0 ? 0.57 / longest : 0
        let floats = UnsafeMutableRawPointer(space).assumingMemoryBound(to: Float.self)
        for (index, segment) in segments.enumerated() {
            let direction = segment.delta * scale
            let place = floats + (index / RayLanes.width * 3 * RayLanes.width + index % RayLanes.width)
            place[0] = Float(direction.x)
            place[RayLanes.width] = Float(direction.y)
            place[2 * RayLanes.width] = Float(direction.z)
        }
        start = segments.first?.start ?? .zero
        directions = UnsafePointer(space)
    }

    /// Those of the segments of a mask that may cross a facet: all that `Facet.crossing` would find, and few more.
    @inline(__always)
    func narrow(_ mask: RayMask, to facet: UnsafePointer<Facet>) -> RayMask {
        let (edge1, edge2) = (facet.pointee.edge1, facet.pointee.edge2)
        let away = start - facet.pointee.corner
        let edge = max(edge1.largestMagnitude, edge2.largestMagnitude)
        let norm = 3 * edge * (away.largestMagnitude + edge)
        let across = edge1.cross(edge2)
        let height = away.dot(across)
        // From a place in the facet's plane either side may be the front.
        guard height.magnitude > RayLanes.hair * edge * norm else { return mask }
        let scale = (height > 0 ? 1 : -1) / norm
        let test = Test(
            first: SIMD3<Float>(edge2.cross(away) * scale), second: SIMD3<Float>(away.cross(edge1) * scale),
            both: SIMD3<Float>(across * -scale))
        return RayMask(narrow(mask.x, test, 0), narrow(mask.y, test, 16))
    }

    private struct Test {
        let first, second, both: SIMD3<Float>
    }

    @inline(__always)
    private func narrow(_ mask: UInt64, _ test: Test, _ first: Int) -> UInt64 {
        var (left, kept) = (mask, UInt64(0))
        while left != 0 {
            let bit = UInt64(truncatingIfNeeded: left.trailingZeroBitCount) & ~3
            let four = UInt64(0xF) << bit
            kept |= UInt64(truncatingIfNeeded: hits(test, first &+ Int(truncatingIfNeeded: bit &>> 2))) &<< bit
            left &= ~four
        }
        return kept & mask
    }

    /// Of four segments a bit for each that may cross.
    @inline(__always)
    private func hits(_ test: Test, _ four: Int) -> UInt32 {
        let lanes = directions + 3 &* four
        let (x, y, z) = (lanes[0], lanes[1], lanes[2])
        let first = x * test.first.x + y * test.first.y + z * test.first.z
        let second = x * test.second.x + y * test.second.y + z * test.second.z
        let both = x * test.both.x + y * test.both.y + z * test.both.z
        let third = both - first - second
        let lowest = first.smaller(second).smaller(third).smaller(both)
        let passes = SIMD4<UInt32>.zero.replacing(
            with: SIMD4<UInt32>(1, 2, 4, 8), where: lowest .>= SIMD4<Float>(repeating: -RayLanes.margin))
        return passes.wrappedSum()
    }
}
