import OssicleCore

extension Bounds {
    func widened(by margin: Double) -> Bounds { Bounds(lower: lower - margin, upper: upper + margin) }

    /// The box around this one's corners in the world.
    func placed(by pose: Pose) -> Bounds {
        var result = Bounds.empty
        for corner in 0..<8 {
            let place = Vector(corner & 1 == 0 ? lower.x : upper.x, corner & 2 == 0 ? lower.y : upper.y, corner & 4 == 0 ? lower.z : upper.z)
            result.include(pose.toWorld(place))
        }
        return result
    }

    /// Whether another box, given by its corners, touches this one.
    @inline(__always)
    func meets(_ low: Vector, _ high: Vector) -> Bool {
        low.x <= upper.x && low.y <= upper.y && low.z <= upper.z && high.x >= lower.x && high.y >= lower.y && high.z >= lower.z
    }

    @inline(__always) func holds(_ point: Vector) -> Bool { meets(point, point) }
}
