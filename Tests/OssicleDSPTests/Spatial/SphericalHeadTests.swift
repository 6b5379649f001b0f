import Foundation
import OssicleCore
import OssicleDSP
import OssicleTestSupport
import Testing

@Suite("The spherical head") struct SphericalHeadTests {
    @Test("has the tabulated delays within 0.01 µs")
    func delays() throws {
        for row in try Table.load("itd-check.csv").rows {
            let direction = HeadDirection.vector(
                azimuth: row.number("azimuth_deg_left"), elevation: row.number("elevation_deg"))
            // The table leads with the left ear, engine axes with the right.
            let angle = -HeadDirection.lateralAngle(direction)
            #expect(abs(angle * 180 / .pi - row.number("lateral_deg")) < 0.001)
            #expect(abs(delay(at: angle, distance: 1e6) - row.number("woodworth_us")) < 0.01)
            #expect(abs(delay(at: angle, distance: 0.25) - row.number("woodworth_r025m_us")) < 0.01)
        }
    }

    /// Between the two ears, in µs.
    private func delay(at angle: Double, distance: Double) -> Double {
        let near = SphericalHead.pathToEar(distance: distance, angle: .pi / 2 - angle)
        return (SphericalHead.pathToEar(distance: distance, angle: .pi / 2 + angle) - near) / 343 * 1e6
    }

    @Test("a source inside counts as on the surface")
    func inside() {
        #expect(
            SphericalHead.pathToEar(distance: 0, angle: 1)
                == SphericalHead.pathToEar(distance: SphericalHead.radius, angle: 1))
        #expect(abs(SphericalHead.pathToEar(distance: 0, angle: .pi) - SphericalHead.radius * .pi) < 1e-12)
    }

    @Test("azimuths are to the left, multiples of 90° exact")
    func directions() {
        #expect(HeadDirection.vector(azimuth: 0, elevation: 0) == Vector(0, 0, -1))
        #expect(HeadDirection.vector(azimuth: 90, elevation: 0) == Vector(-1, 0, 0))
        #expect(HeadDirection.vector(azimuth: -90, elevation: 0) == Vector(1, 0, 0))
        #expect(HeadDirection.vector(azimuth: 540, elevation: 0) == Vector(0, 0, 1))
        #expect(HeadDirection.vector(azimuth: 33, elevation: 90) == Vector(0, 1, 0))
        #expect(HeadDirection.vector(azimuth: .nan, elevation: 0) == HeadDirection.front)
    }
}
