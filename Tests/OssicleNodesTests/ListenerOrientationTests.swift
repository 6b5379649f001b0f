import OssicleCore
import Testing
@testable import OssicleNodes

@Suite("The listener's orientation") struct ListenerOrientationTests {
    private func turned(_ yaw: Float, _ pitch: Float, _ roll: Float) -> ListenerOrientation {
        var orientation = ListenerOrientation()
        let isUsable = orientation.set(ListenerOrientation.Angles(yaw: yaw, pitch: pitch, roll: roll))
        #expect(isUsable)
        return orientation
    }

    private func seen(_ vectors: ListenerOrientation.Vectors) -> ListenerOrientation {
        var orientation = ListenerOrientation()
        let isUsable = orientation.set(vectors)
        #expect(isUsable)
        return orientation
    }

    @Test("yaw turns to the right, pitch up, roll to the right")
    func senses() {
        #expect(turned(90, 0, 0).forward == Vector(1, 0, 0))
        #expect(turned(0, 90, 0).forward == Vector(0, 1, 0) && turned(0, 90, 0).up == Vector(0, 0, 1))
        #expect(turned(0, 0, 90).up == Vector(1, 0, 0) && turned(0, 0, 90).forward == Vector(0, 0, -1))
        #expect(turned(90, 0, 0).right == Vector(0, 0, 1))
    }

    @Test("angles become vectors and the vectors the same angles, within 1e-4°")
    func roundTrip() {
        for yaw in stride(from: Float(-170), through: 170, by: 34) {
            for pitch in stride(from: Float(-85), through: 85, by: 17) {
                for roll in stride(from: Float(-175), through: 175, by: 25) {
                    let angles = seen(turned(yaw, pitch, roll).vectors).angles
                    #expect(
                        abs(angles.yaw - yaw) < 1e-4 && abs(angles.pitch - pitch) < 1e-4
                            && abs(angles.roll - roll) < 1e-4, "\(yaw) \(pitch) \(roll): \(angles)")
                }
            }
        }
    }

    @Test("straight up and down all turning is yaw", arguments: [90, -90] as [Float])
    func poles(pitch: Float) {
        let back = seen(turned(30, pitch, 0).vectors)
        #expect(abs(back.angles.yaw - 30) < 1e-3 && back.angles.roll == 0 && abs(back.angles.pitch - pitch) < 1e-3)
    }

    @Test("reads back what was set, straightens what leans, wraps what is over a turn, refuses what is none")
    func settling() {
        let leaning = ListenerOrientation.Vectors(forward: SIMD3(0, 0, -3), up: SIMD3(0, 2, -1))
        var orientation = seen(leaning)
        #expect(
            orientation.vectors == leaning && orientation.up == Vector(0, 1, 0)
                && orientation.angles == ListenerOrientation.Angles())
        #expect(turned(450, 0, 0).angles.yaw == 90)
        let parallel = ListenerOrientation.Vectors(forward: SIMD3(0, 1, 0), up: SIMD3(0, -4, 0))
        let answers = [
            orientation.set(ListenerOrientation.Angles(yaw: .nan, pitch: 0, roll: 0)),
            orientation.set(ListenerOrientation.Vectors(forward: .zero, up: .zero)), orientation.set(parallel),
        ]
        #expect(answers == [false, false, false] && orientation == seen(leaning))
    }
}
