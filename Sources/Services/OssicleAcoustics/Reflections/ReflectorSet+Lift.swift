import OssicleCore

extension ReflectorSet {
    /// Metres by which a point is kept off surfaces: less than a microsecond of sound.
    private static let clearance = 5e-5

    /// A point that stands on a surface, or in its edge, moved off it: to the side that reflects, or to that of the other end where both do.
    func lifted(_ point: Vector, towards other: Vector) -> Vector {
        var result = point
        for index in reflectors.indices {
            let plane = reflectors[index]
            let height = plane.height(result)
            guard height.magnitude < ReflectorSet.clearance, plane.bounds.widened(by: ReflectorSet.clearance).holds(result) else { continue }
            let foot = result - plane.normal * height
            let front = surface(Int32(clamping: index), at: foot, inFront: true) != nil
            let back = surface(Int32(clamping: index), at: foot, inFront: false) != nil
            guard front || back else { continue }
            let isInFront = front && back ? plane.height(other) >= 0 : front
            result = foot + plane.normal * (isInFront ? ReflectorSet.clearance : -ReflectorSet.clearance)
        }
        return result
    }
}
