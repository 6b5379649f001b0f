import Foundation
import OssicleDSP
import Testing

@testable import OssicleVoice

@Suite("Twenty rooms")
struct TwentyRoomTests {
    private static func scores(
        _ rooms: Range<Int>, rate: Double = 16_000, _ run: (EchoScene) -> [Float]?
    ) -> [EchoScore] {
        rooms.compactMap { index in
            let scene = EchoScene(.room(index, sampleRate: rate))
            return run(scene).map { EchoScore(scene, output: $0) }
        }
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// Tolerances are the goals of the project.
    @Test("echo falls by 25 dB (median) and 18 dB (worst), near speech stays, double talk keeps nine tenths of words")
    func goals() {
        let scores = Self.scores(0..<20) { cancel($0).output }
        #expect(Self.median(scores.map(\.enhancement)) >= 25)
        #expect(scores.allSatisfy { $0.enhancement >= 18 })
        #expect(scores.allSatisfy { abs($0.nearChange) <= 1 && $0.delay <= 0.010 })
        #expect(scores.allSatisfy { $0.wordsKept >= 0.9 })
    }

    @Test("two rooms at 48 kHz reach the same")
    func wide() {
        let scores = Self.scores(0..<2, rate: 48_000) { cancel($0).output }
        #expect(scores.allSatisfy { $0.enhancement >= 18 && abs($0.nearChange) <= 1 && $0.wordsKept >= 0.9 })
    }

    /// What Scripts/voice-table prints.
    @Test("the table", .enabled(if: ProcessInfo.processInfo.environment["OSSICLE_VOICE_TABLE"] != nil))
    func table() {
        var linear = EchoCanceller.Settings()
        (linear.suppressesEcho, linear.suppressesNoise) = (false, false)
        Self.write(
            "| rooms | canceller | ERLE median | worst | near level | later | words kept, median | worst | converged | median |"
        )
        Self.write("|---|---|---|---|---|---|---|---|---|---|")
        let (judge, webRTC) = (SpeexJudge(), WebRTCJudge())
        for (rooms, rate) in [(0..<20, 16_000.0), (20..<40, 16_000), (100..<120, 16_000), (0..<6, 48_000)] {
            let name = "\(rooms.lowerBound)–\(rooms.upperBound - 1), \(Int(rate / 1000)) kHz"
            Self.printRow("\(name) | Ossicle", Self.scores(rooms, rate: rate) { cancel($0).output })
            Self.printRow(
                "\(name) | Ossicle, linear part", Self.scores(rooms, rate: rate) { cancel($0, linear).output })
            if let judge { Self.printRow("\(name) | libspeexdsp", Self.scores(rooms, rate: rate, judge.run)) }
            if let webRTC { Self.printRow("\(name) | WebRTC AEC3", Self.scores(rooms, rate: rate, webRTC.run)) }
        }
        if webRTC == nil { Self.write("pywebrtc-audio is not installed: its rows are left out.") }
        if judge == nil { Self.write("libspeexdsp.so.1 is not installed: apt-get install libspeexdsp1 for its rows.") }
    }

    /// Responses of rooms that were traced, which `Scripts/voice-table` has `ossicle batch` write.
    @Test("the table of traced rooms", .enabled(if: TracedRooms.folder != nil))
    func tracedRooms() throws {
        let responses = try TracedRooms.responses()
        try #require(responses.count == 20)
        func scores(_ run: (EchoScene) -> [Float]?) -> [EchoScore] {
            responses.enumerated().compactMap { index, response in
                let scene = EchoScene(.room(index), response: response)
                return run(scene).map { EchoScore(scene, output: $0) }
            }
        }
        Self.printRow("traced, 16 kHz | Ossicle", scores { cancel($0).output })
        if let judge = SpeexJudge() { Self.printRow("traced, 16 kHz | libspeexdsp", scores(judge.run)) }
        if let judge = WebRTCJudge() { Self.printRow("traced, 16 kHz | WebRTC AEC3", scores(judge.run)) }
    }

    private static func printRow(_ name: String, _ scores: [EchoScore]) {
        let (enhancement, kept) = (scores.map(\.enhancement), scores.map(\.wordsKept))
        let times = scores.compactMap(\.convergence)
        let change = scores.map(\.nearChange).max { abs($0) < abs($1) } ?? 0
        let cells = [
            String(format: "%.1f dB", median(enhancement)), String(format: "%.1f dB", enhancement.min() ?? 0),
            String(format: "%+.2f dB", change), String(format: "%.1f ms", (scores.map(\.delay).max() ?? 0) * 1000),
            String(format: "%.1f %%", median(kept) * 100), String(format: "%.1f %%", (kept.min() ?? 0) * 100),
            "\(times.count) of \(scores.count)", times.isEmpty ? "–" : String(format: "%.2f s", median(times)),
        ]
        write("| \(name) | \(cells.joined(separator: " | ")) |")
    }

    /// At once, also into a pipe.
    private static func write(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
