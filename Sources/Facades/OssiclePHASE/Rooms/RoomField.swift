import OssicleAcoustics
import OssicleCore

/// The late field around one listener.
struct RoomField {
    /// By number.
    let listener: UInt64
    let head: Pose
    let field: LateField

    /// Shares of the corners of the cube around the head, for the field's octants along the axes of the world.
    ///
    /// An octant's energy goes to the corners near its middle: ½ (1 ± √3 d) along each axis of the head, d the middle's direction. A head that is not turned
    /// hears each octant from one corner.
    var corners: SIMD8<Float> {
        var corners = SIMD8<Float>.zero
        for octant in 0..<8 {
            let middle = Vector(octant & 1 != 0 ? 1 : -1, octant & 2 != 0 ? 1 : -1, octant & 4 != 0 ? 1 : -1)
            let seen = Vector(middle.dot(head.right), middle.dot(head.up), middle.dot(head.back))
            let high = pointwiseMin(pointwiseMax((seen + 1) * 0.5, .zero), Vector(repeating: 1))
            let low = 1 - high
            for corner in 0..<8 {
                let share = (corner & 1 != 0 ? high.x : low.x) * (corner & 2 != 0 ? high.y : low.y) * (corner & 4 != 0 ? high.z : low.z)
                corners[corner] += field.octants[octant] * Float(share)
            }
        }
        let sum = corners.sum()
        return sum > 0 ? corners / sum : SIMD8(repeating: 0.125)
    }
}
