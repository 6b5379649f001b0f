import OssicleCore
import OssicleTestSupport
@testable import OssicleHeadTracking
import Testing

/// A right angle as a quaternion: cosine and sine of its half.
private let h = 0.5.squareRoot()

@Suite struct OSCDecoderTests {
    struct Message: Sendable {
        let address: String
        let numbers: [Double]
        let turn: Turn
    }

    /// Every convention by hand: what its sender sends for a head turned by a right angle.
    static let messages: [Message] = [
        // SPARTA: yaw to the left, pitch down, roll with the right ear down.
        Message(address: "/ypr", numbers: [90, 0, 0], turn: .left),
        Message(address: "/ypr", numbers: [0, -90, 0], turn: .up),
        Message(address: "/ypr", numbers: [0, 0, -90], turn: .tiltLeft),
        Message(address: "/head/ypr", numbers: [90, 0, 0], turn: .left),
        Message(address: "/yaw", numbers: [90], turn: .left), Message(address: "/pitch", numbers: [-90], turn: .up),
        Message(address: "/roll", numbers: [-90], turn: .tiltLeft),
        // IEM: the scene goes the other way. Ambisonic axes, x ahead, y left, z up.
        Message(address: "/SceneRotator/ypr", numbers: [-90, 0, 0], turn: .left),
        Message(address: "/SceneRotator/ypr", numbers: [0, 90, 0], turn: .up),
        Message(address: "/SceneRotator/ypr", numbers: [0, 0, 90], turn: .tiltLeft),
        Message(address: "/SceneRotator/quaternions", numbers: [h, 0, 0, -h], turn: .left),
        Message(address: "/SceneRotator/quaternions", numbers: [h, 0, h, 0], turn: .up),
        Message(address: "/SceneRotator/quaternions", numbers: [h, h, 0, 0], turn: .tiltLeft),
        // The same axes, the head itself.
        Message(address: "/quaternion", numbers: [h, 0, 0, h], turn: .left),
        Message(address: "/quaternion", numbers: [h, 0, -h, 0], turn: .up),
        Message(address: "/quaternion", numbers: [h, -h, 0, 0], turn: .tiltLeft),
        // Unity: x right, y up, z ahead, turns clockwise seen against the axis.
        Message(address: "/quaternions", numbers: [h, 0, -h, 0], turn: .left),
        Message(address: "/quaternions", numbers: [h, -h, 0, 0], turn: .up),
        Message(address: "/quaternions", numbers: [h, 0, 0, h], turn: .tiltLeft),
        // opentrack: Qt's quaternion of (pitch, yaw, −roll) about x, y, z; yaw to the right, pitch up, roll with the
        // left ear down.
        Message(address: "/bridge/quat", numbers: [h, 0, -h, 0], turn: .left),
        Message(address: "/bridge/quat", numbers: [h, h, 0, 0], turn: .up),
        Message(address: "/bridge/quat", numbers: [h, 0, 0, -h], turn: .tiltLeft),
        // SALTE and Mach1: yaw to the right, pitch up, roll with the right ear down.
        Message(address: "/rendering/htrpy", numbers: [0, 0, -90], turn: .left),
        Message(address: "/rendering/htrpy", numbers: [0, 90, 0], turn: .up),
        Message(address: "/rendering/htrpy", numbers: [-90, 0, 0], turn: .tiltLeft),
        Message(address: "/orientation", numbers: [-90, 0, 0], turn: .left),
        Message(address: "/orientation", numbers: [0, 90, 0], turn: .up),
        Message(address: "/orientation", numbers: [0, 0, -90], turn: .tiltLeft),
        // hedrot: x right, y back, z down.
        Message(address: "/hedrot/yaw", numbers: [-90], turn: .left),
        Message(address: "/hedrot/pitch", numbers: [90], turn: .up),
        Message(address: "/hedrot/roll", numbers: [90], turn: .tiltLeft),
        Message(address: "/hedrot/quaternion", numbers: [h, 0, 0, -h], turn: .left),
        Message(address: "/hedrot/quaternion", numbers: [h, h, 0, 0], turn: .up),
        Message(address: "/hedrot/quaternion", numbers: [h, 0, h, 0], turn: .tiltLeft),
        // VRChat: Unity's angles about x (down), y (right), z (left ear down).
        Message(address: "/tracking/trackers/head/rotation", numbers: [0, -90, 0], turn: .left),
        Message(address: "/tracking/trackers/head/rotation", numbers: [-90, 0, 0], turn: .up),
        Message(address: "/tracking/trackers/head/rotation", numbers: [0, 0, 90], turn: .tiltLeft),
    ]

    @Test(arguments: messages) func `each convention turns the head the way its sender means`(message: Message) {
        var decoder = OSCDecoder()
        let verdict = decoder.read(HeadPackets.osc(message.address, message.numbers))
        #expect(verdict == .pose)
        #expect(difference(decoder.pose.orientation, message.turn.rotation) < 1e-6)
    }

    @Test func `every address but the one for positions is among them`() {
        #expect(
            Set(OSCAddress.all.keys) == Set(Self.messages.map(\.address)).union(["/tracking/trackers/head/position"]))
    }

    @Test func `several angles are turned one about the other's axes, and the scene's turn is undone as a whole`() {
        var (head, scene) = (OSCDecoder(), OSCDecoder())
        let angles = Rotation(yaw: 0.7, pitch: -0.5, roll: -0.3), degrees = [0.7, 0.5, 0.3].map { $0 * 180 / .pi }
        #expect(head.read(HeadPackets.osc("/ypr", degrees)) == .pose)
        #expect(scene.read(HeadPackets.osc("/SceneRotator/ypr", degrees)) == .pose)
        #expect(difference(head.pose.orientation, angles) < 1e-6)
        #expect(difference(scene.pose.orientation, angles.inverse) < 1e-6)
    }

    @Test func `angles that come one at a time add up`() {
        var decoder = OSCDecoder()
        for (address, angle) in [("/yaw", 40.0), ("/pitch", 20), ("/roll", 10)] {
            #expect(decoder.read(HeadPackets.osc(address, [angle])) == .pose)
        }
        #expect(
            difference(
                decoder.pose.orientation, Rotation(yaw: 40 * .pi / 180, pitch: -20 * .pi / 180, roll: -10 * .pi / 180))
                < 1e-6)
    }

    @Test func `inverted angles count the other way round`() {
        var decoder = OSCDecoder(inverted: [.pitch])
        #expect(decoder.read(HeadPackets.osc("/ypr", [30, 20, 0])) == .pose)
        #expect(difference(decoder.pose.orientation, Rotation(yaw: .pi / 6, pitch: .pi / 9, roll: 0)) < 1e-6)
    }

    @Test func `a position comes in metres with z ahead`() {
        var decoder = OSCDecoder()
        #expect(decoder.read(HeadPackets.osc("/tracking/trackers/head/position", [0.5, 1.5, 2])) == .pose)
        #expect(decoder.pose.position == SIMD3(0.5, 1.5, -2))
    }

    @Test func `bundles are read, also within bundles, but not without end`() {
        var decoder = OSCDecoder()
        let message = HeadPackets.osc("/ypr", [90, 0, 0])
        #expect(
            decoder.read(HeadPackets.bundle([HeadPackets.osc("/tempo", [120]), HeadPackets.bundle([message])])) == .pose
        )
        #expect(difference(decoder.pose.orientation, Turn.left.rotation) < 1e-6)
        #expect(decoder.read(HeadPackets.bundle([])) == .other)
        #expect(decoder.read((0..<5).reduce(message) { bundle, _ in HeadPackets.bundle([bundle]) }) == .malformed)
    }

    /// A message by hand: its address, its types and the bytes of its arguments.
    private static func message(_ types: String, _ arguments: [UInt8]) -> [UInt8] {
        func text(_ words: String) -> [UInt8] {
            Array(words.utf8) + [UInt8](repeating: 0, count: 4 - words.utf8.count % 4)
        }
        return text("/ypr") + text(types) + arguments
    }

    @Test func `all kinds of numbers are read, and arguments behind them are stepped over`() {
        let ninety: [UInt8] = [0, 0, 0, 90], zero: [UInt8] = [0, 0, 0, 0]
        let double: [UInt8] = [0x40, 0x56, 0x80, 0, 0, 0, 0, 0]
        let zeros = [UInt8](repeating: 0, count: 8), five = [UInt8](repeating: 0, count: 20)
        let text: [UInt8] = [0x6F, 0x6B, 0, 0], blob: [UInt8] = [0, 0, 0, 1, 7, 0, 0, 0]
        let messages: [(String, [UInt8])] = [
            (",ifi", ninety + zeros), (",hff", zero + ninety + zeros), (",dff", double + zeros),
            (",iffs", ninety + zeros + text), (",iffbTFNItcrm", ninety + zeros + blob + five),
        ]
        for (types, arguments) in messages {
            var decoder = OSCDecoder()
            #expect(decoder.read(Self.message(types, arguments)) == .pose, "\(types)")
            #expect(difference(decoder.pose.orientation, Turn.left.rotation) < 1e-6)
        }
    }

    @Test func `types that there are not, and arguments that are too short or too long, are malformed`() {
        let numbers = [UInt8](repeating: 0, count: 12)
        let short = Array(numbers.dropLast(4)), long: [UInt8] = numbers + [0, 0, 0, 0]
        let endless: [UInt8] = numbers + [0xFF, 0xFF, 0xFF, 0xFF], open: [UInt8] = numbers + Array("long".utf8)
        let messages: [(String, [UInt8])] = [
            (",fff", short), (",fff", long), (",ffx", numbers), ("fff", numbers), (",fffb", endless), (",fffs", open),
            (",sff", numbers),
        ]
        for (types, arguments) in messages {
            var decoder = OSCDecoder()
            #expect(decoder.read(Self.message(types, arguments)) == .malformed, "\(types)")
        }
    }

    @Test func `messages about something else are let pass`() {
        var decoder = OSCDecoder()
        #expect(decoder.read(HeadPackets.osc("/tempo", [120])) == .other)
        #expect(decoder.pose == HeadPose())
    }

    @Test(arguments: [[Double.nan, 0, 0], [.infinity, 0, 0], [1e9, 0, 0], [0, 0]])
    func `what is no head is refused and leaves the pose as it was`(numbers: [Double]) {
        var decoder = OSCDecoder()
        #expect(decoder.read(HeadPackets.osc("/ypr", [30, 0, 0])) == .pose)
        let pose = decoder.pose
        #expect(decoder.read(HeadPackets.osc("/ypr", numbers)) == .malformed)
        #expect(decoder.read(HeadPackets.osc("/quaternion", [0, 0, 0, 0])) == .malformed)
        #expect(decoder.read(HeadPackets.osc("/tracking/trackers/head/position", [1e6, 0, 0])) == .malformed)
        #expect(decoder.pose == pose)
    }

    @Test func `a thousand spoilt messages and bundles trap nothing and leave a head that can be turned`() {
        let message = HeadPackets.osc("/SceneRotator/quaternions", [h, 0, 0, -h])
        var mutator = Mutator(seed: 20), decoder = OSCDecoder(), verdicts: [PacketVerdict: Int] = [:]
        for original in [
            message, HeadPackets.osc("/ypr", [10, 20, 30]),
            HeadPackets.bundle([message, HeadPackets.osc("/yaw", [5])]),
        ] {
            for _ in 0..<1000 { verdicts[decoder.read(mutator.mutate(original)), default: 0] += 1 }
        }
        #expect(verdicts.values.reduce(0, +) == 3000)
        #expect((verdicts[.malformed] ?? 0) > 300)
        #expect((verdicts[.pose] ?? 0) > 100)
        let length = (decoder.pose.orientation.quaternion * decoder.pose.orientation.quaternion).sum()
        #expect(abs(length - 1) < 1e-12)
    }

    @Test func `a packet cut off anywhere is malformed`() {
        let packet = HeadPackets.bundle([HeadPackets.osc("/ypr", [1, 2, 3])])
        for length in 1..<packet.count where length != 16 {
            var decoder = OSCDecoder()
            #expect(decoder.read(Array(packet[..<length])) == .malformed, "\(length) bytes")
        }
    }
}
