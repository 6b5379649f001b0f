/// Directions as the head and the loudspeakers see them: unit vectors, x right, y up, z back.
package enum HeadDirection {
    package static let front = Vector(0, 0, -1)

    /// Unit vector of an azimuth (positive to the left, 0 in front) and an elevation (positive up), in degrees.
    /// Multiples of 90° are exact, so that the median plane has x = 0 to the bit. Not finite: front.
    package static func vector(azimuth: Double, elevation: Double) -> Vector {
        guard azimuth.isFinite, elevation.isFinite else { return front }
        let (a, e) = (sincos(degrees: azimuth), sincos(degrees: elevation))
        return Vector(-(a.sin * e.cos), e.sin, -(a.cos * e.cos))
    }

    /// The unit vector along `direction`; front where there is none (zero, NaN, infinity).
    @inlinable package static func unit(_ direction: SIMD3<Float>) -> Vector {
        let d = Vector(direction)
        let length = d.dot(d).squareRoot()
        guard length.isFinite, length > 1e-12 else { return front }
        return d / length
    }

    /// Angle towards the right ear out of the median plane, in radians, −π/2…π/2.
    package static func lateralAngle(_ unit: Vector) -> Double { DeterministicMath.asin(unit.x) }

    private static func sincos(degrees: Double) -> (sin: Double, cos: Double) {
        let turn = degrees.truncatingRemainder(dividingBy: 360)
        switch turn < 0 ? turn + 360 : turn {
        case 0: return (0, 1)
        case 90: return (1, 0)
        case 180: return (0, -1)
        case 270: return (-1, 0)
        case let angle: return DeterministicMath.sincos(angle * (DeterministicMath.pi / 180))
        }
    }
}
