import OssicleSIMD

/// Solids about the Y axis. `radii` are half axes, heights are full and centred on the origin.
extension Surface {
    /// A hemisphere is the upper half, its rim at height 0; `cap` closes it.
    static func ellipsoid(radii: SIMD3<Float>, radialSegments: Int, verticalSegments: Int, isHemisphere: Bool, cap: Bool) -> Surface {
        let radii = MeshLimits.extent(radii)
        var surface = Surface()
        if isHemisphere {
            surface.addRevolution(ellipsoid(radii, segments: 2 * verticalSegments, from: 0, to: verticalSegments), segments: radialSegments)
            if cap { surface.addRevolution(disc(SIMD2(radii.x, radii.z), at: 0, isTop: false), segments: radialSegments) }
        } else {
            let vertical = max(2, verticalSegments)
            surface.addRevolution(ellipsoid(radii, segments: vertical, from: 0, to: vertical), segments: radialSegments)
        }
        return surface
    }

    static func cylinder(size: SIMD3<Float>, radialSegments: Int, verticalSegments: Int, topCap: Bool, bottomCap: Bool) -> Surface {
        let size = MeshLimits.extent(size)
        let (radii, half) = (SIMD2(size.x, size.z), size.y / 2)
        var surface = Surface()
        if topCap { surface.addRevolution(disc(radii, at: half, isTop: true), segments: radialSegments) }
        surface.addRevolution(wall(radii, at: half, to: radii, at: -half, segments: verticalSegments), segments: radialSegments)
        if bottomCap { surface.addRevolution(disc(radii, at: -half, isTop: false), segments: radialSegments) }
        return surface
    }

    /// The tip is on top.
    static func cone(size: SIMD3<Float>, radialSegments: Int, verticalSegments: Int, cap: Bool) -> Surface {
        let size = MeshLimits.extent(size)
        let (radii, half) = (SIMD2(size.x, size.z), size.y / 2)
        var surface = Surface()
        surface.addRevolution(wall(.zero, at: half, to: radii, at: -half, segments: verticalSegments), segments: radialSegments)
        if cap { surface.addRevolution(disc(radii, at: -half, isTop: false), segments: radialSegments) }
        return surface
    }

    /// The height is that of the whole; the ends are as high as the larger radius, or half of the whole if that is less.
    static func capsule(size: SIMD3<Float>, radialSegments: Int, verticalSegments: Int, hemisphereSegments: Int) -> Surface {
        let size = MeshLimits.extent(size)
        let radii = SIMD2(size.x, size.z)
        let end = min(max(size.x, size.z), size.y / 2)
        let middle = size.y / 2 - end
        let ends = SIMD3(size.x, end, size.z)
        let top = ellipsoid(ends, segments: 2 * hemisphereSegments, from: 0, to: hemisphereSegments, at: middle)
        let bottom = ellipsoid(ends, segments: 2 * hemisphereSegments, from: hemisphereSegments, to: 2 * hemisphereSegments, at: -middle)
        var surface = Surface()
        surface.addRevolution(top + wall(radii, at: middle, to: radii, at: -middle, segments: verticalSegments) + bottom, segments: radialSegments)
        return surface
    }
}
