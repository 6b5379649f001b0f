import OssicleDSP
import Testing
@testable import OssicleNodes

@Suite struct RateExitTests {
    /// 0.5 to 2, but not 1: at that a source goes on in the environment's own clock.
    private static let speeds = (0..<3000).map { Float(0.5) + Float($0) / 2000 }.filter { $0 != 1 }

    @Test(arguments: [(48_000.0, 48_000.0), (44_100, 48_000), (96_000, 48_000), (192_000, 44_100)])
    func `three thousand speeds share a few filters`(inner: Double, outer: Double) {
        let parameters = Self.speeds.map { RateExit.parameters(from: inner, to: outer, speed: Double($0)) }
        #expect(Set(parameters.map(\.table)).count <= 65)
        for (speed, given) in zip(Self.speeds, parameters) {
            // The filter keeps back what the step would fold, and is not longer than an eighth more than it has to be.
            let ratio = inner / outer * Double(speed)
            #expect(abs(given.ratio / ratio - 1) < 1e-9)
            #expect(
                given.table.pointee.ratio >= max(ratio, 1) * 0.9999 && given.table.pointee.ratio <= max(ratio, 1) * 1.25
            )
        }
    }
}
