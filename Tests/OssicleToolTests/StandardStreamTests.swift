import ArgumentParser
import Foundation
import OssicleFiles
import Testing
@testable import ossicle

@Suite("Standard input and output")
struct StandardStreamTests {
    private let folder: SoundFolder
    /// Longer than a pipe holds, every byte value in it.
    private let sound = Tones.integers(70_000)

    init() throws { folder = try SoundFolder() }

    private func data(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: folder.path(name))) }

    @Test("what goes through two pipes is what goes through files, byte for byte")
    func through() throws {
        try folder.write([sound, sound], to: "a.wav")
        try ConvertCommand.parse([folder.path("a.wav"), folder.path("b.aiff"), "--rate", "44100"]).run()
        let tool = try ToolProcess(
            ["convert", "-", "-", "--format", "aiff", "--rate", "44100"], input: try data("a.wav"))
        #expect(tool.status == 0)
        let expected = try data("b.aiff")
        #expect(tool.output == expected)
        #expect(tool.errors.contains("standard output: AIFF, 16-bit PCM, 2 channels, 44100 Hz"))
    }

    @Test("one end may be a file")
    func oneEnd() throws {
        try folder.write([sound], to: "a.wav")
        let into = try ToolProcess(["convert", "-", folder.path("b.flac")], input: try data("a.wav"))
        #expect(into.status == 0 && String(decoding: into.output, as: UTF8.self).contains("b.flac: FLAC, 16 bits"))
        let outOf = try ToolProcess(["convert", folder.path("b.flac"), "-", "--format", "wav"])
        #expect(outOf.status == 0)
        try outOf.output.write(to: URL(fileURLWithPath: folder.path("c.wav")))
        let same = try folder.read("c.wav").channels == folder.read("a.wav").channels
        #expect(same)
    }

    @Test(
        "a failure sends nothing, says why of standard input, and leaves no file behind",
        arguments: [
            ([UInt8](), "it is empty"), (Array("RIFF, but then nothing of the kind".utf8), "Readable are"),
        ])
    func failure(bytes: [UInt8], words: String) throws {
        let tool = try ToolProcess(["convert", "-", "-", "--format", "flac"], input: Data(bytes))
        #expect(tool.status == 1 && tool.output.isEmpty)
        #expect(tool.errors.contains("standard input") && !tool.errors.contains(".ossicle-"), "\(tool.errors)")
    }

    @Test("what exists is not replaced unasked")
    func existing() throws {
        try folder.write([sound], to: "a.wav")
        try folder.write([sound], to: "b.flac", .flac, .flac16)
        let before = try data("b.flac")
        let tool = try ToolProcess(["convert", "-", folder.path("b.flac"), "--bits", "24"], input: try data("a.wav"))
        #expect(tool.status == 1 && tool.errors.contains("give --overwrite"))
        #expect(try data("b.flac") == before)
    }

    @Test(
        "arguments that make no sense are refused in words",
        arguments: [
            (["-", "-"], "give --format"), (["-", "a.wav", "out"], "not 2"), (["a.wav", "-"], "give --format"),
            (["-", "-", "-", "--format", "wav"], "not 2"),
        ])
    func refusals(arguments: [String], words: String) {
        #expect { try ConvertCommand.parse(arguments) } throws: { ConvertCommand.message(for: $0).contains(words) }
    }

    @Test("a folder does not go with a stream")
    func folders() throws {
        try folder.write([sound], to: "in/a.wav")
        #expect { try ConvertCommand.parse([folder.path("in"), "-", "--format", "wav"]).run() } throws: {
            "\($0)".contains("name a file, not the folder")
        }
    }

    @Test("info describes standard input")
    func info() throws {
        try folder.write([sound], to: "a.wav")
        let tool = try ToolProcess(["info", "-", "--json"], input: try data("a.wav"))
        #expect(tool.status == 0)
        let facts = try #require(try JSONSerialization.jsonObject(with: tool.output) as? [[String: Any]])
        #expect(
            facts.count == 1 && facts[0]["file"] as? String == "standard input" && facts[0]["frames"] as? Int == 70_000)
        #expect { try InfoCommand.parse(["-", "-"]) } throws: { InfoCommand.message(for: $0).contains("give - once") }
    }

    @Test("a misspelt command ends with the status of arguments that make no sense, and --version with 0")
    func status() throws {
        let misspelt = try ToolProcess(["inof", "a.wav"])
        #expect(misspelt.status == 64 && misspelt.output.isEmpty && misspelt.errors.contains("Did you mean info?"))
        let version = try ToolProcess(["--version"])
        #expect(version.status == 0 && String(decoding: version.output, as: UTF8.self) == Ossicle.version + "\n")
    }
}
