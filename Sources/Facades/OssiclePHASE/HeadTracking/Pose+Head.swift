import OssicleCore
import OssicleHeadTracking

extension Pose {
    /// This pose with a head on it: the head's place in metres along the object's axes, whatever their scale, and its turn against them.
    ///
    /// The turn is rounded to single precision, so that it sounds the same, byte for byte, as if the client had turned the object by such a matrix.
    func wearing(_ head: HeadPose, _ flags: PHASEAutomaticHeadTrackingFlags) -> Pose {
        var pose = self
        if flags.contains(.position) { pose.position += direction(head.position) }
        if flags.contains(.orientation) {
            let axes = head.orientation.axes
            pose.right = direction(Vector(SIMD3<Float>(axes.right))).direction ?? right
            pose.up = direction(Vector(SIMD3<Float>(axes.up))).direction ?? up
            pose.back = direction(Vector(SIMD3<Float>(axes.back))).direction ?? back
        }
        return pose
    }

    private func direction(_ local: Vector) -> Vector { right * local.x + up * local.y + back * local.z }
}
