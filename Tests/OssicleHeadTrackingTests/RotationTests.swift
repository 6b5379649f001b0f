import OssicleCore
@testable import OssicleHeadTracking
import Testing

@Suite struct RotationTests {
    @Test func `a positive yaw looks left, a positive pitch up, a positive roll lowers the left ear`() {
        let ahead = SIMD3<Double>(0, 0, -1), leftEar = SIMD3<Double>(-1, 0, 0)
        #expect(abs(Turn.left.rotation.turned(ahead).x + 1) < 1e-15)
        #expect(abs(Turn.up.rotation.turned(ahead).y - 1) < 1e-15)
        #expect(abs(Turn.tiltLeft.rotation.turned(leftEar).y + 1) < 1e-15)
    }

    @Test func `pitch and roll are about the axes the head has turned to`() {
        let rotation = Rotation(yaw: .pi / 2, pitch: .pi / 2, roll: 0)
        // To the left, then up: the top of the head points back along what was the right.
        #expect(abs(rotation.turned(SIMD3(0, 0, -1)).y - 1) < 1e-15)
        #expect(abs(rotation.turned(SIMD3(0, 1, 0)).x - 1) < 1e-15)
    }

    @Test func `halfway between two poses is half the turn and half the way`() {
        let from = HeadPose(),
            to = HeadPose(orientation: Rotation(yaw: 1.2, pitch: 0, roll: 0), position: SIMD3(0, 0.2, -1), time: 2)
        let middle = from.towards(to, 0.5)
        #expect(difference(middle.orientation, Rotation(yaw: 0.6, pitch: 0, roll: 0)) < 1e-15)
        #expect(middle.position == SIMD3(0, 0.1, -0.5))
        #expect(middle.time == 1)
    }

    @Test func `a turn takes the short way round, whatever the sign of the quaternion`() {
        let end = Rotation(yaw: 0.8, pitch: 0.1, roll: 0), other = Rotation(unit: -end.quaternion)
        #expect(
            difference(Rotation.identity.interpolated(to: end, 0.3), Rotation.identity.interpolated(to: other, 0.3))
                < 1e-15)
    }

    @Test func `a pose relative to itself is straight ahead at the origin`() {
        let pose = HeadPose(orientation: Rotation(yaw: 0.4, pitch: -0.3, roll: 0.2), position: SIMD3(1, 2, 3))
        let own = pose.relative(to: pose)
        #expect(difference(own.orientation, .identity) < 1e-15)
        #expect(own.position == .zero)
    }

    @Test func `relative to a head that looks left, a step to the left is a step ahead`() {
        let origin = HeadPose(orientation: Turn.left.rotation),
            pose = HeadPose(orientation: Turn.left.rotation, position: SIMD3(-1, 0, 0))
        let position = pose.relative(to: origin).position
        #expect(abs(position.z + 1) < 1e-15)
        #expect(abs(position.x) < 1e-15)
    }

    @Test func `the speed of turning is the angle over the time, about the head's own axes`() {
        let start = Rotation(yaw: 1, pitch: 0, roll: 0), end = Rotation(yaw: 1, pitch: 0.02, roll: 0)
        let speed = start.speed(to: end, in: 0.01)
        #expect(abs(speed.x - 2) < 1e-12)
        #expect(abs(speed.y) < 1e-12)
        #expect(start.speed(to: end, in: 0) == .zero)
        #expect(start.speed(to: start, in: 1) == .zero)
    }

    @Test(arguments: [
        SIMD4<Double>.zero, SIMD4(.nan, 0, 0, 1), SIMD4(.infinity, 0, 0, 1), SIMD4(1e-9, 0, 0, 0),
        SIMD4(1e200, 0, 0, 0),
    ])
    func `what is no rotation is not taken for one`(q: SIMD4<Double>) {
        #expect(Rotation(x: q.x, y: q.y, z: q.z, w: q.w) == nil)
    }
}
