@testable import OssicleCoreMotion
import Testing

/// The rows of Rz(yaw) Rx(pitch) Ry(roll), multiplied out by hand (as in the W3C Device Orientation specification).
private func expectedRows(roll: Double, pitch: Double, yaw: Double) -> [[Double]] {
    let (cx, sx, cy, sy, cz, sz) = (cos(pitch), sin(pitch), cos(roll), sin(roll), cos(yaw), sin(yaw))
    return [
        [cz * cy - sz * sx * sy, -cx * sz, cz * sy + cy * sz * sx],
        [cy * sz + cz * sx * sy, cz * cx, sz * sy - cz * cy * sx],
        [-cx * sy, sx, cx * cy],
    ]
}

private func rows(_ m: CMRotationMatrix) -> [[Double]] {
    [[m.m11, m.m12, m.m13], [m.m21, m.m22, m.m23], [m.m31, m.m32, m.m33]]
}

@Suite("Attitude")
struct CMAttitudeTests {
    static let angles: [(roll: Double, pitch: Double, yaw: Double)] = [-3.0, -0.7, 0, 1.9].flatMap { roll in
        [-1.5, -0.4, 0, 1.2].flatMap { pitch in [-2.8, 0, 0.3, 3.1].map { (roll, pitch, $0) } }
    }

    @Test("Angles that go in come out, to 1e-12 rad")
    func roundTrip() {
        for (roll, pitch, yaw) in Self.angles {
            let attitude = CMAttitude(roll: roll, pitch: pitch, yaw: yaw)
            #expect(abs(attitude.roll - roll) < 1e-12)
            #expect(abs(attitude.pitch - pitch) < 1e-12)
            #expect(abs(attitude.yaw - yaw) < 1e-12)
        }
    }

    @Test("The matrix is the transpose of Rz(yaw) Rx(pitch) Ry(roll), to 1e-14")
    func matrix() {
        for (roll, pitch, yaw) in Self.angles {
            let expected = expectedRows(roll: roll, pitch: pitch, yaw: yaw)
            let found = rows(CMAttitude(roll: roll, pitch: pitch, yaw: yaw).rotationMatrix)
            for row in 0..<3 {
                for column in 0..<3 { #expect(abs(found[row][column] - expected[column][row]) < 1e-14) }
            }
        }
    }

    @Test("The quaternion takes the device's axes to the frame's")
    func quaternion() {
        let q = CMAttitude(roll: 0, pitch: 0, yaw: .pi / 2).quaternion
        // The image of (1, 0, 0) under q v q*.
        let image = [1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.z * q.w), 2 * (q.x * q.z - q.y * q.w)]
        #expect(zip(image, [0, 1, 0]).allSatisfy { abs($0 - $1) < 1e-15 })
    }

    @Test("At a pitch of a right angle the whole turn is yaw")
    func upright() {
        let attitude = CMAttitude(roll: 0.4, pitch: .pi / 2, yaw: 0.5)
        #expect(attitude.roll == 0)
        #expect(abs(attitude.pitch - .pi / 2) < 1e-7)
        #expect(abs(attitude.yaw - 0.9) < 1e-7)
    }

    @Test("Relative to itself an attitude is the identity; relative to another it is the turn between")
    func relative() {
        let (start, end) = (CMAttitude(roll: 0.2, pitch: -0.4, yaw: 1), CMAttitude(roll: 0.2, pitch: -0.4, yaw: 1))
        end.multiply(byInverseOf: start)
        #expect(abs(end.quaternion.w) > 1 - 1e-15)
        let turned = CMAttitude(roll: 0, pitch: 0, yaw: 1.5)
        turned.multiply(byInverseOf: CMAttitude(roll: 0, pitch: 0, yaw: 0.4))
        #expect(abs(turned.yaw - 1.1) < 1e-14)
        let attitude = CMAttitude(roll: 0.3, pitch: 0.1, yaw: -2),
            reference = CMAttitude(roll: -1, pitch: 0.6, yaw: 0.7)
        let (a, r) = (rows(attitude.rotationMatrix), rows(reference.rotationMatrix))
        attitude.multiply(byInverseOf: reference)
        let found = rows(attitude.rotationMatrix)
        for i in 0..<3 {
            for j in 0..<3 { #expect(abs(found[i][j] - (0..<3).reduce(0) { $0 + a[i][$1] * r[j][$1] }) < 1e-14) }
        }
    }

    @Test("A copy keeps its orientation when the original changes")
    func copying() {
        let attitude = CMAttitude(roll: 0, pitch: 0, yaw: 1)
        let copy = attitude.copy() as? CMAttitude
        attitude.multiply(byInverseOf: attitude)
        #expect(abs((copy?.yaw ?? 0) - 1) < 1e-15)
        #expect(abs(attitude.yaw) < 1e-15)
    }

    @Test("What is no rotation becomes the identity", arguments: [0.0, .nan, .infinity])
    func degenerate(part: Double) {
        #expect(CMAttitude(quaternion: CMQuaternion(x: part, y: 0, z: 0, w: part)).quaternion.w == 1)
    }

    @Test("Gravity points down in the frame of the device")
    func gravity() {
        let flat = CMDeviceMotion(timestamp: 1, attitude: CMAttitude(roll: 0, pitch: 0, yaw: 2)).gravity
        #expect(abs(flat.z + 1) < 1e-15)
        let upright = CMDeviceMotion(timestamp: 1, attitude: CMAttitude(roll: 0, pitch: .pi / 2, yaw: 0)).gravity
        #expect(abs(upright.y + 1) < 1e-15)
        let onItsRightSide = CMDeviceMotion(timestamp: 1, attitude: CMAttitude(roll: .pi / 2, pitch: 0, yaw: 0)).gravity
        #expect(abs(onItsRightSide.x - 1) < 1e-15)
    }
}
