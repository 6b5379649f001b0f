import Foundation
import Testing
@testable import ossicle

@Suite("ossicle rir --waves")
struct LowFrequencyTests {
    private static let room = [
        "--box", "4x2.5x3", "--material", "wood", "--source", "1,1,1", "--listener", "3,1.5,2.2", "--quality", "low",
        "--length", "0.2", "--rate", "16000", "--overwrite",
    ]

    @Test(
        "options that make no sense are refused in words",
        arguments: [
            (["--crossover", "100"], "give --waves as well"), (["--wall-impedance", "20"], "give --waves as well"),
            (["--waves", "--crossover", "2"], "40 to 1000"),
            (["--waves", "--wall-impedance", "0"], "the first above 0"),
            (["--waves", "--wall-impedance", "20,a"], "the first above 0"),
            (["--waves", "--wall-impedance", "20,1,2,3"], "the first above 0"),
        ])
    func refusals(arguments: [String], words: String) {
        let output = ["--output", NSTemporaryDirectory() + "ossicle-waves-\(UUID().uuidString).wav"]
        #expect {
            try RirCommand.parse(Self.room + output + arguments).run()
        } throws: {
            "\($0)".contains(words) || RirCommand.message(for: $0).contains(words)
        }
    }

    @Test("the low end is another, and the same bytes on 1, 2 and 7 threads")
    func bytes() throws {
        let path = NSTemporaryDirectory() + "ossicle-waves-\(UUID().uuidString).wav"
        defer { try? FileManager.default.removeItem(atPath: path) }
        func bytes(_ arguments: [String]) throws -> Data {
            try RirCommand.parse(Self.room + ["--output", path] + arguments).run()
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }
        let waves = try ["1", "2", "7"].map { try bytes(["--waves", "--threads", $0]) }
        #expect(waves[0] == waves[1] && waves[0] == waves[2])
        #expect(try bytes([]) != waves[0])
        #expect(try bytes(["--waves", "--wall-impedance", "15,2,40000"]) != waves[0])
    }
}
