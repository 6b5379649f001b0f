import OssicleCore

/// The directions of up to 128 segments from one place, for a first test of the facets of a leaf, four at a time.
///
/// With s from a facet's corner a to the start, its edges e₁ and e₂ and a segment's d, the numerators of Möller and
/// Trumbore's u and v and their denominator are products of d with three vectors that are the same for all segments:
///
///     u' = d · (e₂ × s)    v' = d · (s × e₁)    D = d · (e₂ × e₁)
///
/// A segment crosses where u', v' and D − u' − v' have the sign of D, and D that of s · (e₁ × e₂).
struct RayLanes: BitwiseCopyable {
    /// One vector each: x, y, z.
    static let spaceSize = RayBundle.most

    /// From the tree's centre.
    private let start: SIMD3<Float>
    /// By what s may be off, as a multiple of what the margin allows for where s is as long as this.
    private let blur: Float
    private let directions: UnsafePointer<SIMD4<Float>>

    /// By what the products may be off where d is at most 1 long and |e| (|s| + |e|) is a third: single precision by
    /// 5 · 10⁻⁶, `Facet` by 10⁻⁹.
    private static let margin: Float = 8e-6
    /// Single precision keeps coordinates to 2⁻²⁴, so that s is off by 2⁻²³ of start and extent together. Of that u',
    /// v' and D − u' − v' get ten times at most, for an edge of 1.
    private static let blurring: Float = 0.072
    /// Below this numbers may be denormal, and their signs mean nothing.
    private static let least: Float = 1e-30

    /// - Parameters:
    ///   - segments: from one place, of which only those in `mask` count. - space: `spaceSize` vectors to keep as long
    ///     as this.
    init(
        _ segments: UnsafeBufferPointer<Segment>, of mask: RayMask, in tree: WideTree.View,
        space: UnsafeMutablePointer<SIMD4<Float>>
    ) {
        var longest = 0.0
        mask.forEachBit { longest = max(longest, segments[$0].delta.largestMagnitude) }
        // At most 1 long.
        let scale = longest > 0 ? 0.57 / longest : 0
        mask.forEachBit { index in
            let direction = segments[index].delta * scale
            space[index] = SIMD4(Float(direction.x), Float(direction.y), Float(direction.z), 0)
        }
        let start = segments[mask.firstBit].start - tree.centre
        self.start = SIMD3(Float(start.x), Float(start.y), Float(start.z))
        blur = RayLanes.blurring * Float(start.largestMagnitude + tree.extent)
        directions = UnsafePointer(space)
    }

    /// Calls `visit` with segments of a mask and the lanes of facets that they may cross: all that `Facet.crossing`
    /// would find, and few more.
    @inline(__always)
    func narrow(_ mask: RayMask, to leaf: UnsafePointer<WideTree.Leaf>, _ visit: (_ ray: Int, _ lane: Int) -> Void) {
        let test = Test(leaf, from: start, blur: blur)
        let count = Int(truncatingIfNeeded: leaf.pointee.count)
        mask.forEachBit { ray in
            let hits = unsafeBitCast(test.hits(directions[ray]), to: RayMask.self)
            guard !hits.isEmpty else { return }
            if UInt32(truncatingIfNeeded: hits.x) != 0 { visit(ray, 0) }
            if hits.x >> 32 != 0, count > 1 { visit(ray, 1) }
            if UInt32(truncatingIfNeeded: hits.y) != 0, count > 2 { visit(ray, 2) }
            if hits.y >> 32 != 0, count > 3 { visit(ray, 3) }
        }
    }

    /// What is the same for all segments, of four facets.
    private struct Test {
        typealias Lanes = WideTree.Leaf.Lanes

        let first, second, both: Lanes
        /// What a segment's least product must reach.
        let least: SIMD4<Float>

        @inline(__always)
        init(_ leaf: UnsafePointer<WideTree.Leaf>, from start: SIMD3<Float>, blur: Float) {
            let (corner, edge1, edge2) = (leaf.pointee.corner, leaf.pointee.edge1, leaf.pointee.edge2)
            let away: Lanes = (start.x - corner.x, start.y - corner.y, start.z - corner.z)
            let edge = Test.largest(edge1).larger(Test.largest(edge2))
            let norm = 3 * edge * (Test.largest(away) + edge + blur)
            let across = Test.cross(edge1, edge2)
            let height = away.x * across.x + away.y * across.y + away.z * across.z
            // Turned so that all products of a segment that crosses are positive.
            let sign = Test.sign(height)
            first = Test.turned(Test.cross(edge2, away), sign)
            second = Test.turned(Test.cross(away, edge1), sign)
            both = Test.turned(across, sign ^ Test.signBit)
            let allowed = RayLanes.margin * norm
            // From a place in the facet's plane either side may be the front.
            let isFlat = Test.magnitude(height) .<= (allowed * edge).larger(SIMD4(repeating: RayLanes.least))
            least = (-allowed).replacing(with: SIMD4(repeating: -.infinity), where: isFlat)
        }

        /// All bits of the lanes that may be crossed.
        @inline(__always)
        func hits(_ direction: SIMD4<Float>) -> SIMD4<UInt32> {
            let first = direction.x * first.x + direction.y * first.y + direction.z * first.z
            let second = direction.x * second.x + direction.y * second.y + direction.z * second.z
            let both = direction.x * both.x + direction.y * both.y + direction.z * both.z
            let third = both - first - second
            let lowest = first.smaller(second).smaller(third.smaller(both))
            return SIMD4<UInt32>.zero.replacing(with: SIMD4(repeating: .max), where: lowest .>= least)
        }

        private static var signBit: SIMD4<UInt32> { SIMD4(repeating: 0x8000_0000) }

        @inline(__always)
        private static func sign(_ values: SIMD4<Float>) -> SIMD4<UInt32> {
            unsafeBitCast(values, to: SIMD4<UInt32>.self) & signBit
        }

        @inline(__always)
        private static func magnitude(_ values: SIMD4<Float>) -> SIMD4<Float> {
            unsafeBitCast(unsafeBitCast(values, to: SIMD4<UInt32>.self) & ~signBit, to: SIMD4<Float>.self)
        }

        @inline(__always)
        private static func turned(_ lanes: Lanes, _ sign: SIMD4<UInt32>) -> Lanes {
            func turned(_ values: SIMD4<Float>) -> SIMD4<Float> {
                unsafeBitCast(unsafeBitCast(values, to: SIMD4<UInt32>.self) ^ sign, to: SIMD4<Float>.self)
            }
            return (turned(lanes.x), turned(lanes.y), turned(lanes.z))
        }

        @inline(__always)
        private static func largest(_ lanes: Lanes) -> SIMD4<Float> {
            magnitude(lanes.x).larger(magnitude(lanes.y)).larger(magnitude(lanes.z))
        }

        @inline(__always)
        private static func cross(_ a: Lanes, _ b: Lanes) -> Lanes {
            (a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        }
    }
}
