/// The motion of a head over time.
package struct MotionRecording: Hashable, Sendable {
    /// In order of time.
    package let poses: [HeadPose]

    /// - Parameter poses: in ascending order of time, finite; at least one.
    /// - Throws: an error that names the first pose that breaks the rule, counting from 1.
    package init(_ poses: [HeadPose]) throws(HeadTrackingError) {
        func refuse(_ value: String) -> HeadTrackingError {
            HeadTrackingError(object: "Recorded motion", value: value, rule: "A recording holds one pose or more, each at a later time than the one before.",
                              cure: "Sort the poses and leave out those of equal time.")
        }
        guard !poses.isEmpty else { throw refuse("it holds no pose") }
        for (index, pose) in poses.enumerated() {
            guard pose.time.isFinite, pose.position.isFinite else { throw refuse("pose \(index + 1) holds a number that is not finite") }
            guard index == 0 || pose.time > poses[index - 1].time else { throw refuse("pose \(index + 1) is at \(pose.time) s, after \(poses[index - 1].time) s") }
        }
        self.poses = poses
    }

    /// Seconds from the first pose to the last.
    package var duration: Double { endTime - startTime }
    package var startTime: Double { poses.first?.time ?? 0 }
    package var endTime: Double { poses.last?.time ?? 0 }

    /// The pose at `time`: between two poses on the shortest turn and a straight line; before the first and after the last as those are.
    package func pose(at time: Double) -> HeadPose {
        let next = index(after: time)
        guard next > 0 else { return poses.first ?? HeadPose() }
        guard next < poses.count else { return poses.last ?? HeadPose() }
        let (from, to) = (poses[next - 1], poses[next])
        guard time > from.time else { return from }
        return from.towards(to, (time - from.time) / (to.time - from.time))
    }

    /// The first pose later than `time`; the number of poses if there is none.
    private func index(after time: Double) -> Int {
        var (low, high) = (0, poses.count)
        while low < high {
            let middle = (low + high) / 2
            if poses[middle].time > time { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
