import COssicle
import OssicleCore

/// The directions of up to 128 segments from one place, for a first test of facets.
typealias BundleDirections = ossicle_ray_directions

extension BundleDirections {
    /// Single precision keeps coordinates to 2⁻²⁴, so that the way from a facet to the start is off by 2⁻²³ of start and
    /// extent together. Of that the products of the test get ten times at most, for an edge of 1.
    private static let blurring: Float = 0.072

    /// - Parameters:
    ///   - segments: from one place, of which only those in `mask` count. - space: `RayBundle.most` vectors to keep as
    ///     long as this.
    init(
        _ segments: UnsafePointer<Segment>, of mask: RayMask, in tree: WideTree.View,
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
        self.init(
            x: Float(start.x), y: Float(start.y), z: Float(start.z),
            blur: BundleDirections.blurring * Float(start.largestMagnitude + tree.extent), directions: space)
    }
}
