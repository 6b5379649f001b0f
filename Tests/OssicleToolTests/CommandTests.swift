import Foundation
import OssicleFiles
import Testing
@testable import ossicle

@Suite("The command line as a whole")
struct CommandTests {
    private static func text(_ name: String) throws -> String {
        let house = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
            .standardized
        return try String(contentsOf: house.appendingPathComponent(name), encoding: .utf8)
    }

    @Test("the version is that of the changelog's newest entry")
    func version() throws {
        let newest = try #require(try Self.text("CHANGELOG.md").split(separator: "\n").first { $0.hasPrefix("## ") })
        #expect(newest == "## \(Ossicle.version)")
        #expect { try Ossicle.parseAsRoot(["--version"]) } throws: { Ossicle.message(for: $0) == Ossicle.version }
    }

    @Test(
        "a misspelt command is answered with the ones that may have been meant",
        arguments: [
            ("inof", ["info"]), ("covnert", ["convert"]), ("CONVERT", ["convert"]), ("dem", ["demo"]),
            ("riir", ["rir"]), ("ifno", ["info"]), ("xylophone", []), ("q", []),
            ("hlep", ["help"]), ("", []),
        ])
    func suggestions(name: String, meant: [String]) throws {
        let known = ["demo", "rir", "convert", "info", "help"]
        for arguments in [[name], [name, "a.wav"], ["help", name]] {
            let unknown = try #require(UnknownCommand(arguments, known: known))
            #expect(unknown.suggestions == meant)
            #expect(
                unknown.description.contains(
                    meant.first.map { "Did you mean \($0)?" } ?? "The commands are demo, rir, convert, info, help."))
        }
    }

    @Test(
        "commands, options and nothing at all are left to the parser",
        arguments: [["info", "a.wav"], ["--help"], ["-h"], [], ["help"], ["help", "rir"]])
    func known(arguments: [String]) {
        #expect(UnknownCommand(arguments, known: ["demo", "rir", "convert", "info", "help"]) == nil)
    }

    @Test(
        "slips are letters left out, added or changed, and neighbours swapped",
        arguments: [
            ("", "abc", 3), ("abc", "abc", 0), ("acb", "abc", 1), ("ab", "abc", 1), ("abcd", "abc", 1),
            ("axc", "abc", 1), ("cab", "abc", 2),
        ])
    func slips(one: String, other: String, count: Int) {
        #expect(UnknownCommand.slips(from: one, to: other) == count)
        #expect(UnknownCommand.slips(from: other, to: one) == count)
    }

    @Test("help, errors and README list the same readable formats")
    func formats() throws {
        #expect(InfoCommand.helpMessage(columns: 10_000).contains(SoundFormats.sentence))
        #expect(ConvertCommand.helpMessage(columns: 10_000).contains(SoundFormats.sentence))
        let folder = try SoundFolder()
        let path = try folder.write(Array("no sound at all, only words".utf8), to: "a.wav")
        #expect { try AudioFileReader(path: path) } throws: { "\($0)".contains(SoundFormats.sentence) }
        let words = try Self.text("README.md").replacingOccurrences(of: "\n", with: " ")
        #expect(words.contains(SoundFormats.readable.joined(separator: ", ")))
    }

    @Test("the README names the completions")
    func completions() throws {
        #expect(try Self.text("README.md").contains("--generate-completion-script"))
        #expect(Ossicle.completionScript(for: .bash).contains("convert"))
    }
    @Test("every command can write for programs")
    func json() {
        for command in Ossicle.configuration.subcommands {
            #expect(command.helpMessage(columns: 200).contains("--json"), "\(command)")
        }
    }
}
