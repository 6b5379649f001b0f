import OssicleChannels
import OssicleCore

/// Real spherical harmonics to order 7: ACN order, SN3D weights, axes and signs of `SphericalHarmonics`, which has
/// those of the ambisonic bus, to order 3.
///
/// By recurrence over the order of Schmidt's semi-normalised Legendre functions, and over the degree of cos mφ, sin mφ:
/// exact to some 10⁻¹⁵.
package enum HighOrderHarmonics {
    package static var greatestOrder: Int { AmbisonicLayout.greatestOrder }
    package static var greatestCount: Int { 64 }

    package static func count(order: Int) -> Int { (order + 1) * (order + 1) }

    /// The (order + 1)² values of a unit vector, right, up and back of the listener, with SN3D weights: the mean of a
    /// channel's square over the sphere is 1/(2l + 1).
    /// - Parameter order: 0…7.
    package static func values(_ direction: Vector, order: Int) -> [Double] {
        let all = all(direction, order: order)
        return (0..<count(order: order)).map { all[$0] }
    }

    /// The same values with zeros behind them, without memory from the heap: any thread.
    /// - Parameter order: 0…7.
    package static func all(_ direction: Vector, order: Int) -> InlineArray<64, Double> {
        var values = InlineArray<64, Double>(repeating: 0)
        if order <= SphericalHarmonics.greatestOrder {
            let low = SphericalHarmonics.values(direction)
            for index in 0..<count(order: order) { values[index] = low[index] }
            return values
        }
        let (x, y, z) = (-direction.z, -direction.x, direction.y)
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
        Float(2 * SphericalHarmonics.order(of: index) + 1).squareRoot()
    }
}

/// A number for each channel of a sound field: sixteen for order 3 and below, 64 above. Control side.
protocol ChannelLanes: SIMD where Scalar == Double {
    /// Y₀, Y₁, … of a unit vector, with SN3D weights.
    static func harmonics(_ direction: Vector) -> Self
    mutating func add(_ other: Self, times scale: Double)
    func dot(_ other: Self) -> Double
}

extension ChannelLanes {
    /// 2l + 1 for every channel; 0 for those above `order`.
    static func weights(order: Int) -> Self {
        var weights = Self.zero
        for index in weights.indices where index < SphericalHarmonics.count(order: order) {
            weights[index] = Double(2 * SphericalHarmonics.order(of: index) + 1)
        }
        return weights
    }
}

// The sums stand here, where the type is known: of any SIMD type they would be taken lane by lane.
extension SIMD16<Double>: ChannelLanes {
    @inline(__always)
    static func harmonics(_ direction: Vector) -> Self { SphericalHarmonics.values(direction) }
    @inline(__always)
    mutating func add(_ other: Self, times scale: Double) { self += other * scale }
    @inline(__always)
    func dot(_ other: Self) -> Double { (self * other).sum() }
}

extension SIMD64<Double>: ChannelLanes {
    static func harmonics(_ direction: Vector) -> Self {
        let values = HighOrderHarmonics.all(direction, order: HighOrderHarmonics.greatestOrder)
        var lanes = Self.zero
        for index in 0..<scalarCount { lanes[index] = values[index] }
        return lanes
    }
    @inline(__always)
    mutating func add(_ other: Self, times scale: Double) { self += other * scale }
    @inline(__always)
    func dot(_ other: Self) -> Double { (self * other).sum() }
}
