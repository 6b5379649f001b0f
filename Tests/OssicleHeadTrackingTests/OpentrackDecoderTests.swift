import OssicleTestSupport
@testable import OssicleHeadTracking
import Testing

@Suite struct OpentrackDecoderTests {
    @Test func `angles go right, up and left ear down; positions left, up and back in centimetres`() {
        for (packet, turn) in [
            (HeadPackets.opentrack(yaw: -90), Turn.left), (HeadPackets.opentrack(pitch: 90), .up),
            (HeadPackets.opentrack(roll: 90), .tiltLeft),
        ] {
            var decoder = OpentrackDecoder()
            #expect(decoder.read(packet) == .pose)
            #expect(difference(decoder.pose.orientation, turn.rotation) < 1e-12)
        }
        var decoder = OpentrackDecoder()
        #expect(decoder.read(HeadPackets.opentrack(x: 10, y: 20, z: 30)) == .pose)
        #expect(decoder.pose.position == SIMD3(-0.1, 0.2, 0.3))
    }

    @Test func `an inverted angle counts the other way round`() {
        var decoder = OpentrackDecoder(inverted: [.yaw])
        #expect(decoder.read(HeadPackets.opentrack(yaw: 90)) == .pose)
        #expect(difference(decoder.pose.orientation, Turn.left.rotation) < 1e-12)
    }

    @Test func `a counter behind the numbers is passed over; other lengths are malformed`() {
        var decoder = OpentrackDecoder()
        let packet = HeadPackets.opentrack(yaw: 30)
        #expect(decoder.read(packet + [1, 0, 0, 0]) == .pose)
        for bytes in [[], Array(packet.dropLast()), packet + [UInt8](repeating: 0, count: 17)] {
            #expect(decoder.read(bytes) == .malformed)
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, 1e9]) func `numbers no head has are malformed`(
        number: Double
    ) {
        var decoder = OpentrackDecoder()
        #expect(decoder.read(HeadPackets.opentrack(yaw: number)) == .malformed)
        #expect(decoder.read(HeadPackets.opentrack(x: number)) == .malformed)
        #expect(decoder.pose == HeadPose())
    }

    @Test func `a thousand spoilt packets trap nothing`() {
        var mutator = Mutator(seed: 21), decoder = OpentrackDecoder(), verdicts: [PacketVerdict: Int] = [:]
        for _ in 0..<1000 {
            verdicts[
                decoder.read(mutator.mutate(HeadPackets.opentrack(x: 1, y: 2, z: 3, yaw: 40, pitch: 5, roll: 6))),
                default: 0] += 1
        }
        #expect(verdicts.values.reduce(0, +) == 1000)
        #expect((verdicts[.malformed] ?? 0) > 100)
        #expect((decoder.pose.position * decoder.pose.position).sum() <= 1e8)
    }
}
