import Foundation
import OssicleCore

/// The motion of a head over time.
package struct MotionRecording: Hashable, Sendable {
    /// In order of time.
    package let poses: [HeadPose]

    /// - Parameter poses: in ascending order of time, finite; at least one.
    /// - Throws: an error that names the first pose that breaks the rule, counting from 1.
    package init(_ poses: [HeadPose]) throws(HeadTrackingError) {
        func refuse(_ value: String) -> HeadTrackingError {
            HeadTrackingError(
                object: "Recorded motion", value: value,
                rule: "A recording holds one pose or more, each at a later time than the one before.",
                cure: "Sort the poses and leave out those of equal time.")
        }
        guard !poses.isEmpty else { throw refuse("it holds no pose") }
        for (index, pose) in poses.enumerated() {
            guard pose.time.isFinite, pose.position.isFinite else {
                throw refuse("pose \(index + 1) holds a number that is not finite")
            }
            guard index == 0 || pose.time > poses[index - 1].time else {
                throw refuse("pose \(index + 1) is at \(pose.time) s, after \(poses[index - 1].time) s")
            }
        }
        self.poses = poses
    }

    /// Seconds from the first pose to the last.
    package var duration: Double { endTime - startTime }
    package var startTime: Double { poses.first?.time ?? 0 }
    package var endTime: Double { poses.last?.time ?? 0 }

    /// The pose at `time`: between two poses on the shortest turn and a straight line; before the first and after the
    /// last as those are.
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

/// Recordings as text: a header line, then one pose a line.
///
///     time,x,y,z,qx,qy,qz,qw
///     0,0,0,0,0,0,0,1
///     0.5,0,0,0.1,0,0.38268343236508984,0,0.9238795325112867
///
/// Seconds, metres, and a quaternion, in the axes of `HeadPose`. Lines end in LF or CRLF; empty ones are passed over.
extension MotionRecording {
    private static let columns = ["time", "x", "y", "z", "qx", "qy", "qz", "qw"]
    /// Bytes; a day at a hundred poses a second takes less.
    private static let largestFile = 1 << 30

    /// - Throws: an error that names line and column.
    package init(csv text: String, name: String = "Recorded motion") throws(HeadTrackingError) {
        var (poses, line, hasHeader) = ([HeadPose](), 0, false)
        for row in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            line += 1
            let fields = row.split(separator: ",", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard fields != [""] else { continue }
            if hasHeader {
                let pose = try Self.pose(fields, Place(name: name, line: line))
                if let last = poses.last, pose.time <= last.time {
                    throw Place(name: name, line: line).fault(
                        1, "the time \(pose.time) s does not come after \(last.time) s",
                        "Times ascend from line to line.")
                }
                poses.append(pose)
            } else {
                try Self.check(header: fields, Place(name: name, line: line))
                hasHeader = true
            }
        }
        guard !poses.isEmpty else {
            throw Place(name: name, line: line).fault(1, "there is no pose", "A recording holds one pose or more.")
        }
        try self.init(poses)
    }

    /// - Throws: an error that names the file, and the line and column if it can be read.
    package init(contentsOf url: URL) throws(HeadTrackingError) {
        let name = "Recorded motion \(url.lastPathComponent)"
        func refuse(_ value: String) -> HeadTrackingError {
            HeadTrackingError(
                object: name, value: value, rule: "A recording is a text file of up to 1 GiB that can be read.",
                cure: "Check the path and the permissions.")
        }
        let facts = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
        guard let facts, facts[.type] as? FileAttributeType == .typeRegular else {
            throw refuse("there is no such file at \(url.path)")
        }
        guard let size = (facts[.size] as? NSNumber)?.intValue, size <= Self.largestFile else {
            throw refuse("the file is too large")
        }
        let bytes: Data
        do { bytes = try Data(contentsOf: url) } catch {
            throw refuse("it cannot be read (\(error.localizedDescription))")
        }
        try self.init(csv: String(decoding: bytes, as: UTF8.self), name: name)
    }

    /// The text that reads back to the same recording, bit for bit.
    package var csv: String {
        var lines = [Self.columns.joined(separator: ",")]
        for pose in poses {
            let (p, q) = (pose.position, pose.orientation.quaternion)
            lines.append([pose.time, p.x, p.y, p.z, q.x, q.y, q.z, q.w].map { "\($0)" }.joined(separator: ","))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    package func write(to url: URL) throws { try Data(csv.utf8).write(to: url, options: .atomic) }

    // MARK: Reading a line

    private struct Place {
        let name: String
        let line: Int

        func fault(_ column: Int, _ value: String, _ rule: String) -> HeadTrackingError {
            HeadTrackingError(
                object: name, value: "line \(line), column \(column): \(value)", rule: rule,
                cure:
                    "Lines look like “0.5,0,0,0,0,0,0,1” below the header “\(MotionRecording.columns.joined(separator: ","))”."
            )
        }
    }

    private static func check(header: [String], _ place: Place) throws(HeadTrackingError) {
        for (index, column) in columns.enumerated() where index >= header.count || header[index].lowercased() != column
        {
            throw place.fault(
                index + 1, index < header.count ? "“\(header[index].prefix(40))”" : "nothing",
                "The header names \(column) here.")
        }
    }

    private static func pose(_ fields: [String], _ place: Place) throws(HeadTrackingError) -> HeadPose {
        var numbers: [Double] = []
        for (index, column) in columns.enumerated() {
            guard index < fields.count else { throw place.fault(index + 1, "nothing", "Every line gives \(column).") }
            guard let number = Double(fields[index]), number.isFinite else {
                throw place.fault(index + 1, "“\(fields[index].prefix(40))”", "\(column) is a finite number.")
            }
            numbers.append(number)
        }
        let position = SIMD3(numbers[1], numbers[2], numbers[3])
        guard position.magnitude <= HeadPose.farthest else {
            throw place.fault(
                2, "a position \(position.magnitude) m away", "A head stays within \(Int(HeadPose.farthest)) m.")
        }
        guard let orientation = rotation(numbers) else {
            throw place.fault(5, "a quaternion without length", "qx, qy, qz, qw give a rotation.")
        }
        return HeadPose(orientation: orientation, position: position, time: numbers[0])
    }

    /// What has unit length to within rounding is taken as it is, so that what was written reads back unchanged.
    private static func rotation(_ numbers: [Double]) -> Rotation? {
        let (x, y, z, w) = (numbers[4], numbers[5], numbers[6], numbers[7])
        if abs(x * x + y * y + z * z + w * w - 1) < 1e-14 { return Rotation(unit: SIMD4(x, y, z, w)) }
        return Rotation(x: x, y: y, z: z, w: w)
    }
}

/// Why a source of head poses cannot be used.
package struct HeadTrackingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What it is about, such as “OSC head tracking on 127.0.0.1:8000”.
    package let object: String
    /// What was found.
    package let value: String
    package let rule: String
    package let cure: String

    package var description: String { "\(object): \(value). \(rule) \(cure)" }
}
