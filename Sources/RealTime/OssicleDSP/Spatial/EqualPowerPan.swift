import OssicleCore

/// Places a mono sound between two loudspeakers so that the power stays the same: left = cos(xπ/2), right = sin(xπ/2) with
/// x = (pan + 1)/2. Control rate.
package enum EqualPowerPan {
    /// Gains for a pan of −1 (left) … 1 (right), 0 = centre with −3.01 dB each; beyond is clamped, NaN is the centre.
    package static func gains(pan: Float) -> (left: Float, right: Float) {
        let clamped = pan.isNaN ? 0 : Double(min(max(pan, -1), 1))
        // The ends are said outright: the cosine of a rounded π/2 is not quite 0.
        if clamped == -1 { return (1, 0) }
        if clamped == 1 { return (0, 1) }
        let (sine, cosine) = DeterministicMath.sincos((clamped + 1) * (DeterministicMath.pi / 4))
        return (Float(cosine), Float(sine))
    }

    /// Gains for a direction (x right, y up, z back): the pan is the lateral angle over 90°, the same in front and behind.
    package static func gains(direction: SIMD3<Float>) -> (left: Float, right: Float) {
        gains(pan: Float(HeadDirection.lateralAngle(HeadDirection.unit(direction)) / (DeterministicMath.pi / 2)))
    }
}
