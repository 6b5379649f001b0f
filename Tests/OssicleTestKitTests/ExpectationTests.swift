import Foundation
import OssicleSwiftTesting
import OssicleTestSupport
import OssicleXCTest
import Testing
import XCTest

@Suite("Expectations and findings") struct ExpectationTests {
    /// Half a second of silence, then 440 Hz at −6 dB in the left channel for half a second, to the left.
    private static func sound() throws -> Sound {
        let tone = Tones.silence(0.5) + Tones.sine(440, seconds: 0.5, amplitude: 0.5)
        return try Tones.sound(tone, tone.map { $0 / 2 })
    }

    @Test("what is so holds")
    func met() throws {
        let sound = try Self.sound()
        expect(
            sound, .level(-9.03, within: 0.1, during: 0.5..<1, channel: 0), .level(atMost: -60, in: 2000...8000),
            .level(atLeast: -15), .silence(during: 0..<0.49),
            .sound(above: -20, withoutSilenceOf: 0.1, during: 0.5..<1),
            .onset(at: 0.5), .onsets(1), .noClicks(during: 0.6..<0.9), .pitch(440, during: 0.5..<1), .loudestChannel(0),
            .truePeak(atMost: -5.9), .finite, .channelOrder(of: sound),
            .direction(azimuth: 10.9, within: 0.5, as: .stereo))
        try sound.require(.finite, .onset(at: 0.5))
        let decay = try Tones.sound(Tones.decay(1))
        expect(decay, .reverberationTime(1, at: 4000))
    }

    @Test(
        "what is not so does not hold, and its sentence has what was expected and what was measured",
        arguments: [
            (SoundExpectation.level(-20, during: 0.5..<1, channel: 0), "measured: −9.0 dB"),
            (.level(atMost: -20), "measured: −14.1 dB"), (.level(atLeast: -3), "at least −3.0 dB"),
            (.silence(), "a peak of −6.0 dB"),
            (.sound(above: -20, withoutSilenceOf: 0.1), "silence from 0.000 to 0.500 s"),
            (.onset(at: 0.4), "the nearest of 1 is at 0.500 s"), (.onsets(2), "measured: 1, at 0.500 s"),
            (.noClicks(), "1, the first at 0.500"), (.pitch(466.16, during: 0.5..<1), "100.0 cents below"),
            (.loudness(-30), "LUFS"), (.truePeak(atMost: -10), "measured: −6.0 dBTP"),
            (.loudestChannel(1), "channel 1, L"),
            (.direction(azimuth: -10, as: .stereo), "11° to the left"),
            (.reverberationTime(9, at: 1000), "of reverberation at 1000 Hz"),
            (.level(0, channel: 7), "in channel 8"),
        ])
    func missed(expectation: SoundExpectation, words: String) throws {
        let finding = try Self.sound().finding(expectation)
        #expect(!finding.holds)
        #expect(finding.summary.contains(words), "\(finding.summary)")
    }

    @Test("a swapped pair says which channel has what")
    func swapped() throws {
        let (one, two) = (Tones.noise(0.1, 1), Tones.noise(0.1, 2))
        let finding = try Tones.sound(two, one).finding(.channelOrder(of: try Tones.sound(one, two)))
        #expect(!finding.holds && finding.summary.contains("L has what belongs to R, R has what belongs to L"))
    }

    @Test("Swift Testing records an issue with the sentence, at the caller's line")
    func issues() throws {
        let sound = try Self.sound()
        withKnownIssue {
            #expect(!expect(sound, .finite, .pitch(466.16, during: 0.5..<1)))
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("466.16 Hz ± 10.0 cents") }
                && issue.sourceLocation?.fileName == "ExpectationTests.swift"
        }
        #expect(throws: Finding.self) { try sound.require(.finite, .silence()) }
    }
}

/// The other framework takes the same expectations.
final class XCTestExpectationTests: XCTestCase {
    func testWhatIsSoHolds() throws {
        let sound = try Tones.sound(Tones.sine(440, amplitude: 0.5))
        XCTAssertTrue(XCTAssertSound(sound, .pitch(440), .level(-9.03, within: 0.1)))
        XCTAssertTrue(XCTAssertFinding(Finding(holds: true, summary: "")))
    }
}
