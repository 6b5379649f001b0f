import OssicleCore
import OssicleDSP

/// Real spherical harmonics of responses, to order 7: ACN order, SN3D or N3D weights, axes and signs of
/// `SphericalHarmonics`, which has those that are rendered in real time, to order 3.
///
/// By recurrence over the order of Schmidt's semi-normalised Legendre functions, and over the degree of cos mφ, sin mφ:
/// exact to some 10⁻¹⁵.
package enum HighOrderHarmonics {
    package static let greatestOrder = 7

    package static func count(order: Int) -> Int { (order + 1) * (order + 1) }

    /// The (order + 1)² values of a unit vector, right, up and back of the listener, with SN3D weights: the mean of a
    /// channel's square over the sphere is 1/(2l + 1).
    /// - Parameter order: 0…7.
    package static func values(_ direction: Vector, order: Int) -> [Double] {
        if order <= SphericalHarmonics.greatestOrder {
            let low = SphericalHarmonics.values(direction)
            return (0..<count(order: order)).map { low[$0] }
        }
        let (x, y, z) = (-direction.z, -direction.x, direction.y)
        var values = [Double](repeating: 0, count: count(order: order))
        // sinᵐθ cos mφ and sinᵐθ sin mφ; the Legendre functions stand without their sinᵐθ.
        var (cosine, sine) = (1.0, 0.0)
        var sectoral = 1.0
        for m in 0...order {
            if m > 0 {
                (cosine, sine) = (cosine * x - sine * y, cosine * y + sine * x)
                // √(2/(2m)!) (2m − 1)!! from the one before; without the √2 for m = 0 both are 1 at m = 1.
                sectoral *= m == 1 ? 1 : (Double(2 * m - 1) / Double(2 * m)).squareRoot()
            }
            var (before, now) = (0.0, sectoral)
            for l in m...order {
                if l > m {
                    let next =
                        (Double(2 * l - 1) * z * now - Double((l - 1) * (l - 1) - m * m).squareRoot() * before)
                        / Double(l * l - m * m).squareRoot()
                    (before, now) = (now, next)
                }
                values[l * l + l + m] = now * cosine
                if m > 0 { values[l * l + l - m] = now * sine }
            }
        }
        return values
    }

    /// √(2l + 1): what makes N3D of SN3D.
    package static func n3dScale(_ index: Int) -> Float {
        var order = 0
        while count(order: order) <= index { order += 1 }
        return Float(2 * order + 1).squareRoot()
    }
}
