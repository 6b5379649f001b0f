import OssicleCore
import OssicleSIMD

/// Solids about the Y axis. `radii` are half axes, heights are full and centred on the origin.
extension Surface {
    /// A hemisphere is the upper half, its rim at height 0; `cap` closes it.
    static func ellipsoid(
        radii: SIMD3<Float>, radialSegments: Int, verticalSegments: Int, isHemisphere: Bool, cap: Bool
    ) -> Surface {
        let radii = MeshLimits.extent(radii)
        var surface = Surface()
        if isHemisphere {
            surface.addRevolution(
                ellipsoid(radii, segments: 2 * verticalSegments, from: 0, to: verticalSegments),
                segments: radialSegments)
            if cap {
                surface.addRevolution(disc(SIMD2(radii.x, radii.z), at: 0, isTop: false), segments: radialSegments)
            }
        } else {
            let vertical = max(2, verticalSegments)
            surface.addRevolution(ellipsoid(radii, segments: vertical, from: 0, to: vertical), segments: radialSegments)
        }
        return surface
    }

    static func cylinder(
        size: SIMD3<Float>, radialSegments: Int, verticalSegments: Int, topCap: Bool, bottomCap: Bool
    ) -> Surface {
        let size = MeshLimits.extent(size)
        let (radii, half) = (SIMD2(size.x, size.z), size.y / 2)
        var surface = Surface()
        if topCap { surface.addRevolution(disc(radii, at: half, isTop: true), segments: radialSegments) }
        surface.addRevolution(
            wall(radii, at: half, to: radii, at: -half, segments: verticalSegments), segments: radialSegments)
        if bottomCap { surface.addRevolution(disc(radii, at: -half, isTop: false), segments: radialSegments) }
        return surface
    }

    /// The tip is on top.
    static func cone(size: SIMD3<Float>, radialSegments: Int, verticalSegments: Int, cap: Bool) -> Surface {
        let size = MeshLimits.extent(size)
        let (radii, half) = (SIMD2(size.x, size.z), size.y / 2)
        var surface = Surface()
        surface.addRevolution(
            wall(.zero, at: half, to: radii, at: -half, segments: verticalSegments), segments: radialSegments)
        if cap { surface.addRevolution(disc(radii, at: -half, isTop: false), segments: radialSegments) }
        return surface
    }

    /// The height is that of the whole; the ends are as high as the larger radius, or half of the whole if that is
    /// less.
    static func capsule(
        size: SIMD3<Float>, radialSegments: Int, verticalSegments: Int, hemisphereSegments: Int
    ) -> Surface {
        let size = MeshLimits.extent(size)
        let radii = SIMD2(size.x, size.z)
        let end = min(max(size.x, size.z), size.y / 2)
        let middle = size.y / 2 - end
        let ends = SIMD3(size.x, end, size.z)
        let top = ellipsoid(ends, segments: 2 * hemisphereSegments, from: 0, to: hemisphereSegments, at: middle)
        let bottom = ellipsoid(
            ends, segments: 2 * hemisphereSegments, from: hemisphereSegments, to: 2 * hemisphereSegments, at: -middle)
        var surface = Surface()
        surface.addRevolution(
            top + wall(radii, at: middle, to: radii, at: -middle, segments: verticalSegments) + bottom,
            segments: radialSegments)
        return surface
    }
}

extension Surface {
    /// One ring of a surface of revolution about Y: where its points are and where its normals point, apart from the
    /// turn about Y.
    struct Ring {
        /// The half axes in X and Z; zero for a pole.
        var radii: SIMD2<Float>
        var height: Float
        /// The parts of the normal that turn, in X and Z, and the part along Y; of any length.
        var slope: SIMD2<Double>
        var rise: Double
    }

    /// Adds the surface through rings from top to bottom, with `segments` parts around; the normals must lie outside.
    mutating func addRevolution(_ rings: [Ring], segments: Int) {
        let turns = (0...segments).map { quarterExactTurn($0 % segments, of: segments) }
        addNet(columns: segments, rows: rings.count - 1) { column, row in
            let (ring, turn) = (rings[row], turns[column])
            return Vertex(
                position: SIMD3(ring.radii.x * Float(turn.x), ring.height, ring.radii.y * Float(turn.y)),
                normal: SIMD3(direction: SIMD3(ring.slope.x * turn.x, ring.rise, ring.slope.y * turn.y)),
                textureCoordinate: SIMD2(Float(column) / Float(segments), Float(row) / Float(rings.count - 1)))
        }
    }

    /// The rings of an ellipsoid from polar angle pi * from / segments to pi * to / segments, its centre at `height`.
    static func ellipsoid(_ radii: SIMD3<Float>, segments: Int, from: Int, to: Int, at height: Float = 0) -> [Ring] {
        let size = SIMD3<Double>(radii)
        return (from...to).map { step in
            let angle = quarterExactTurn(step, of: 2 * segments)
            return Ring(
                radii: SIMD2(radii.x, radii.z) * Float(angle.y), height: height + radii.y * Float(angle.x),
                slope: SIMD2(size.y * size.z, size.x * size.y) * angle.y, rise: size.x * size.z * angle.x)
        }
    }

    /// The rings of a flat disc from centre to rim, or for a bottom from rim to centre.
    static func disc(_ radii: SIMD2<Float>, at height: Float, isTop: Bool) -> [Ring] {
        let sides: [SIMD2<Float>] = isTop ? [.zero, radii] : [radii, .zero]
        return sides.map { Ring(radii: $0, height: height, slope: .zero, rise: isTop ? 1 : -1) }
    }

    /// The rings of a wall that goes straight from one size to another.
    static func wall(
        _ top: SIMD2<Float>, at upper: Float, to bottom: SIMD2<Float>, at lower: Float, segments: Int
    ) -> [Ring] {
        let (wide, height) = (SIMD2<Double>(bottom), Double(upper - lower))
        let rise = wide.x * wide.y * (top == bottom ? 0 : 1)
        return (0...segments).map { step in
            let t = Float(step) / Float(segments)
            return Ring(
                radii: top * (1 - t) + bottom * t, height: upper * (1 - t) + lower * t,
                slope: SIMD2(wide.y, wide.x) * height, rise: rise)
        }
    }
}

/// The cosine and sine of 2 pi * step / count, exactly 0 and +-1 at the quarters, so that poles and mirrored halves
/// meet.
private func quarterExactTurn(_ step: Int, of count: Int) -> SIMD2<Double> {
    let (quarter, rest) = (4 * step).quotientAndRemainder(dividingBy: count)
    let (sine, cosine) = rest == 0 ? (0, 1) : DeterministicMath.sincos(.pi / 2 * Double(rest) / Double(count))
    return switch quarter % 4 {
    case 0: SIMD2(cosine, sine)
    case 1: SIMD2(-sine, cosine)
    case 2: SIMD2(-cosine, -sine)
    default: SIMD2(sine, -cosine)
    }
}
