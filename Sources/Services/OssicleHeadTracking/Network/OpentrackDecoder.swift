import OssicleCore

/// opentrack's “UDP over network”: six little-endian doubles, x, y, z in centimetres, then yaw, pitch, roll in degrees.
///
/// opentrack documents no directions. These follow from what it hands to flight simulators: x is to the left, y up, z back, and yaw is
/// positive to the right, pitch up, roll with the left ear down. A user can turn each of them round in opentrack itself.
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
        let numbers = (0..<6).map { Double(bitPattern: UInt64(littleEndian: packet.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self))) }
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
