import Foundation
import OssicleSIMD
import Testing

private func close(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ tolerance: Float = 1e-6) -> Bool {
    distance(a, b) < tolerance
}

/// Rotations with every sign and every largest part.
private let rotations: [simd_quatf] = [-1, 0, 1].flatMap { x in
    [-1, 0, 1].flatMap { y in
        [-1, 0.5].flatMap { z in
            [0.1, 1.5, 3.1].map { angle in
                simd_quatf(angle: angle, axis: normalize(SIMD3(x, y, z)))
            }
        }
    }
}

@Suite("Quaternions")
struct QuaternionTests {
    @Test("A quarter turn about +Z takes +X to +Y")
    func quarterTurn() {
        let turn = simd_quaternion(.pi / 2, simd_make_float3(0, 0, 1))
        #expect(close(turn.act(SIMD3(1, 0, 0)), SIMD3(0, 1, 0)))
        #expect(abs(turn.angle - .pi / 2) < 1e-6)
        #expect(close(turn.axis, SIMD3(0, 0, 1)))
        #expect(turn.real == turn.vector.w)
    }

    @Test("The matrix of a quaternion does the same, and gives the quaternion back")
    func matrices() {
        for q in rotations {
            let matrix = simd_float3x3(q)
            #expect(close(matrix * SIMD3(1, 2, 3), q.act(SIMD3(1, 2, 3)), 2e-6))
            #expect(abs(matrix.determinant - 1) < 2e-6)
            let back = simd_quatf(simd_float4x4(q))
            #expect(min(simd_length(back - q), simd_length(back + q)) < 2e-6)
        }
    }

    @Test("The product does the right factor first; the quotient undoes it")
    func product() {
        for p in rotations {
            for q in rotations.prefix(6) {
                #expect(close((p * q).act(SIMD3(3, -1, 2)), p.act(q.act(SIMD3(3, -1, 2))), 5e-6))
                #expect(simd_length((p * q) / q - p) < 2e-6)
            }
        }
    }

    @Test("The shortest rotation reaches its goal, also near and at opposite directions")
    func fromTo() {
        let start = normalize(SIMD3<Float>(1, -2, 0.5))
        let goals = [
            start, -start, normalize(-start + SIMD3(1e-4, 0, 0)), normalize(-start + SIMD3(0, 3e-7, 0)), SIMD3(0, 1, 0),
            SIMD3(0, 0, -1),
        ]
        for goal in goals {
            let turn = simd_quatf(from: start, to: goal)
            #expect(close(turn.act(start), goal, 1e-6))
            #expect(abs(turn.length - 1) < 1e-6)
        }
        for axis in [SIMD3<Float>(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)] {
            #expect(close(simd_quatf(from: axis, to: -axis).act(axis), -axis))
        }
    }

    @Test("Inverse times self is one; zero normalises to the identity and its inverse is NaN")
    func inverse() {
        let q = simd_quatf(ix: 1, iy: -2, iz: 3, r: 0.5)
        #expect(simd_length(q * q.inverse - simd_quatf(real: 1, imag: .zero)) < 1e-6)
        #expect(simd_quatf().normalized == simd_quaternion(0, 0, 0, 1))
        #expect(simd_quatf().inverse.real.isNaN)
        #expect(simd_quatf(real: 1, imag: .zero).axis.x.isNaN)
    }

    @Test("Interpolation turns at constant speed, the short way and the long way")
    func slerp() {
        let (start, end) = (simd_quatf(real: 1, imag: .zero), simd_quatf(angle: 1.2, axis: SIMD3(0, 1, 0)))
        for t in stride(from: Float(0), through: 1, by: 0.125) {
            let expected = simd_quatf(angle: 1.2 * t, axis: SIMD3(0, 1, 0))
            #expect(simd_length(simd_slerp(start, end, t) - expected) < 1e-6)
            #expect(simd_length(simd_slerp(start, -end, t) - expected) < 1e-6)
            let around = simd_quatf(angle: (1.2 - 2 * .pi) * t, axis: SIMD3(0, 1, 0))
            #expect(simd_length(simd_slerp_longest(start, end, t) - around) < 1e-6)
        }
    }

    @Test("Interpolation between equal rotations stays finite and of unit length")
    func slerpDegenerate() {
        let q = rotations[3]
        for t in [Float(0), 0.3, 1] {
            #expect(simd_length(simd_slerp(q, q, t) - q) < 1e-6)
            #expect(abs(simd_slerp_longest(q, q, t).length - 1) < 1e-6)
        }
        #expect(simd_length(simd_slerp_longest(q, q, 1) + q) < 1e-6)
    }

    @Test("Doubles follow the same equations to 1e-15")
    func doubles() {
        let q = simd_quatd(angle: 2, axis: normalize(SIMD3(1, 2, 3)))
        #expect(simd_length(simd_quatd(simd_double3x3(q)) - q) < 1e-15)
        #expect(abs(q.angle - 2) < 1e-15)
    }

    @Test("Coding keeps the four parts")
    func coding() throws {
        let q = rotations[5]
        #expect(try JSONDecoder().decode(simd_quatf.self, from: JSONEncoder().encode(q)) == q)
    }

    @Test func `plain literals make a Float quaternion`() {
        let identity = simd_quaternion(0, 0, 0, 1)
        #expect(identity == simd_quatf(ix: 0, iy: 0, iz: 0, r: 1))
    }
}
