@_exported import OssicleTestKit
import Testing

/// Records an issue of the current Swift Testing test for each expectation that a sound does not meet.
///
///     expect(sound, .level(-20, in: 500...2000), .noClicks(), .golden("pier"))
///
/// - Returns: whether all are met.
@discardableResult
public func expect(
    _ sound: Sound, _ expectations: SoundExpectation..., sourceLocation: SourceLocation = #_sourceLocation
) -> Bool {
    expectations.reduce(true) { expect(sound.finding($1), sourceLocation: sourceLocation) && $0 }
}

/// Records an issue of the current Swift Testing test where a scene's rendering differs from its baseline.
@discardableResult
public func expect(
    _ take: SceneTake, _ golden: Golden, sourceLocation: SourceLocation = #_sourceLocation
) -> Bool {
    expect(golden.finding(for: take), sourceLocation: sourceLocation)
}

/// Records an issue of the current Swift Testing test where a finding does not hold. Of a baseline that was recorded
/// nothing is said.
@discardableResult
public func expect(_ finding: Finding, sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
    if !finding.holds { Issue.record(Comment(rawValue: finding.description), sourceLocation: sourceLocation) }
    return finding.holds
}
