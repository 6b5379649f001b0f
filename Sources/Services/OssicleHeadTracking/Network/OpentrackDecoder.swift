import OssicleCore

/// What a packet came to.
enum PacketVerdict: Hashable {
    /// It says how the head is.
    case pose
    /// It is well made and about something else.
    case other
    /// It is cut off, or holds what no head does.
    case malformed
}

/// Turns packets into poses. Keeps what earlier packets said, because some senders send one angle at a time.
protocol PoseDecoder {
    var pose: HeadPose { get }
    mutating func read(_ packet: UnsafeRawBufferPointer) -> PacketVerdict
}

/// opentrack's “UDP over network”: six little-endian doubles, x, y, z in centimetres, then yaw, pitch, roll in degrees.
///
/// opentrack documents no directions. These follow from what it hands to flight simulators: x is to the left, y up, z
/// back, and yaw is positive to the right, pitch up, roll with the left ear down. A user can turn each of them round in
/// opentrack itself.
struct OpentrackDecoder: PoseDecoder {
    private(set) var pose = HeadPose()
    let inverted: Set<HeadAngle>

    private static let size = 48
    /// Some senders put a counter behind the six numbers.
    private static let largest = 64
    private static let directions: [(angle: HeadAngle, sign: Double)] = [(.yaw, -1), (.pitch, 1), (.roll, 1)]

    init(inverted: Set<HeadAngle> = []) { self.inverted = inverted }

    mutating func read(_ packet: UnsafeRawBufferPointer) -> PacketVerdict {
        guard (Self.size...Self.largest).contains(packet.count) else { return .malformed }
        let numbers = (0..<6).map {
            Double(bitPattern: UInt64(littleEndian: packet.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)))
        }
        let metres = SIMD3(numbers[0], numbers[1], numbers[2]) / 100
        guard metres.isFinite, metres.magnitude <= HeadPose.farthest else { return .malformed }
        var angles = HeadAngles()
        for (index, (angle, sign)) in Self.directions.enumerated() {
            let degrees = numbers[3 + index]
            guard abs(degrees) <= HeadAngles.largest else { return .malformed }
            angles[angle] = degrees * (inverted.contains(angle) ? -sign : sign)
        }
        pose = HeadPose(orientation: angles.rotation, position: SenderFrame.opentrack.position(metres))
        return .pose
    }
}

/// How many packets came, of what kind and how fast.
package struct PacketCount: Hashable, Sendable {
    /// That held a pose, that were about something else, and that were cut off or held what no head does.
    package private(set) var poses = 0
    package private(set) var others = 0
    package private(set) var malformed = 0
    /// Poses in a second, smoothed over about the last eight; 0 before the second.
    package private(set) var rate = 0.0
    /// When the newest pose came, in seconds of `MonotonicClock`.
    package private(set) var lastArrival: Double?

    private var interval = 0.0
    /// What stays of the old interval with each new one.
    private static let memory = 0.875

    package init() {}

    mutating func add(_ verdict: PacketVerdict, at time: Double) {
        switch verdict {
        case .pose: addPose(at: time)
        case .other: others += 1
        case .malformed: malformed += 1
        }
    }

    private mutating func addPose(at time: Double) {
        poses += 1
        if let lastArrival, time > lastArrival {
            let gap = time - lastArrival
            interval = interval == 0 ? gap : Self.memory * interval + (1 - Self.memory) * gap
            rate = 1 / interval
        }
        lastArrival = time
    }

    /// The same, with a rate that sinks while nothing comes.
    func seen(at time: Double) -> PacketCount {
        guard let lastArrival, interval > 0, time - lastArrival > interval else { return self }
        var seen = self
        seen.rate = 1 / (time - lastArrival)
        return seen
    }
}
