import OssicleCore

/// Real spherical harmonics up to order 3: channels in ACN order (n = l² + l + m), SN3D weights, no Condon–Shortley phase, as in AmbiX.
///
/// The mean of Yₙ² over the sphere is 1/(2l + 1). Axes are the head's (x right, y up, z back).
package enum SphericalHarmonics {
    package static let greatestOrder = 3
    package static let greatestCount = 16

    package static func count(order: Int) -> Int { (order + 1) * (order + 1) }

    /// The order l of channel `index`, 0…3.
    package static func order(of index: Int) -> Int { index < 1 ? 0 : (index < 4 ? 1 : (index < 9 ? 2 : 3)) }

    /// Whether channel `index` changes its sign when left and right are exchanged: those with m < 0.
    package static func isOdd(_ index: Int) -> Bool {
        let l = order(of: index)
        return index < l * l + l
    }

    /// Y₀…Y₁₅ of a unit vector: what a plane wave from there has in each channel. Any thread.
    @inline(__always)
    package static func values(_ direction: Vector) -> SIMD16<Double> {
        let (x, y, z) = (-direction.z, -direction.x, direction.y)
        let (xx, yy, zz) = (x * x, y * y, z * z)
        var v = SIMD16<Double>.zero
        v[0] = 1
        v[1] = y
        v[2] = z
        v[3] = x
        v[4] = root3 * x * y
        v[5] = root3 * y * z
        v[6] = (3 * zz - 1) / 2
        v[7] = root3 * x * z
        v[8] = root3 / 2 * (xx - yy)
        v[9] = root5by8 * y * (3 * xx - yy)
        v[10] = root15 * x * y * z
        v[11] = root3by8 * y * (5 * zz - 1)
        v[12] = z * (5 * zz - 3) / 2
        v[13] = root3by8 * x * (5 * zz - 1)
        v[14] = root15 / 2 * z * (xx - yy)
        v[15] = root5by8 * x * (xx - 3 * yy)
        return v
    }

    /// 2l + 1 for every channel; 0 for those above `order`.
    static func weights(order: Int) -> SIMD16<Double> {
        var weights = SIMD16<Double>.zero
        for index in 0..<min(count(order: order), greatestCount) { weights[index] = Double(2 * Self.order(of: index) + 1) }
        return weights
    }

    private static var root3: Double { 1.7320508075688772 }
    private static var root15: Double { 3.872983346207417 }
    private static var root3by8: Double { 0.6123724356957945 }
    private static var root5by8: Double { 0.7905694150420949 }
}
