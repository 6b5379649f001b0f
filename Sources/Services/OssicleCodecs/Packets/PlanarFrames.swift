/// Decoded frames, one plane per channel, in memory that belongs to whoever made them and is valid until its next call.
/// Double precision holds samples of every integer width exactly; integers of b bits are divided by 2^(b−1).
package struct PlanarFrames {
    package let planes: [UnsafePointer<Double>]
    package let count: Int

    package init(planes: [UnsafePointer<Double>], count: Int) {
        self.planes = planes
        self.count = count
    }

    package static var none: PlanarFrames { PlanarFrames(planes: [], count: 0) }
}
