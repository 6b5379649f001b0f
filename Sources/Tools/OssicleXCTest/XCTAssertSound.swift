@_exported import OssicleTestKit
import XCTest

/// Fails the current XCTest test for each expectation that a sound does not meet.
///
///     XCTAssertSound(sound, .level(-20, in: 500...2000), .noClicks(), .golden("pier"))
///
/// - Returns: whether all are met.
@discardableResult
public func XCTAssertSound(
    _ sound: Sound, _ expectations: SoundExpectation..., file: StaticString = #filePath, line: UInt = #line
) -> Bool {
    expectations.reduce(true) { XCTAssertFinding(sound.finding($1), file: file, line: line) && $0 }
}

/// Fails the current XCTest test where a scene's rendering differs from its baseline.
@discardableResult
public func XCTAssertSound(
    _ take: SceneTake, _ golden: Golden, file: StaticString = #filePath, line: UInt = #line
) -> Bool {
    XCTAssertFinding(golden.finding(for: take), file: file, line: line)
}

/// Fails the current XCTest test where a finding does not hold.
@discardableResult
public func XCTAssertFinding(_ finding: Finding, file: StaticString = #filePath, line: UInt = #line) -> Bool {
    if !finding.holds { XCTFail(finding.description, file: file, line: line) }
    return finding.holds
}
