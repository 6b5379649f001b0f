import OssicleXCTest
import PHASE
import Pier
import XCTest

/// The same with XCTest.
final class PierXCTests: XCTestCase {
    func testPierIsAsItWas() throws {
        let pier = try Pier()
        XCTAssertSound(try SceneTake(of: pier.engine, seconds: 3, each: pier.advance) { pier.events }, Golden("pier"))
    }
}
