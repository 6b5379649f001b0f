import Foundation
import Testing
@testable import ossicle

@Suite("The plan of a conversion")
struct ConversionPlanTests {
    private let folder: SoundFolder
    private let sound = [[0.0, 0.5]]

    init() throws { folder = try SoundFolder() }

    private func plan(
        _ inputs: [String], to output: String, _ format: OutputFormat? = nil, overwrites: Bool = false,
        skipsExisting: Bool = false
    ) throws -> ConversionPlan {
        try ConversionPlan(
            inputs.map(folder.path), to: folder.path(output), format: format, overwrites: overwrites,
            skipsExisting: skipsExisting)
    }

    private func names(_ plan: ConversionPlan) -> [String] {
        let root = folder.path("")
        return plan.jobs.map { $0.output.replacing(root.hasSuffix("/") ? root : root + "/", with: "") }
    }

    @Test(
        "one file becomes the file that is named, of the format its ending tells",
        arguments: [
            ("b.flac", OutputFormat.flac), ("b.AIFC", .aiff), ("b.m4a", .m4a), ("b.opus", .opus), ("b.wave", .wav),
        ])
    func one(output: String, format: OutputFormat) throws {
        try folder.write(sound, to: "a.wav")
        let plan = try plan(["a.wav"], to: output)
        #expect(plan.jobs == [.init(input: folder.path("a.wav"), output: folder.path(output), format: format)])
    }

    @Test("folders keep their shape; hidden files and files that are no sounds stay out")
    func folders() throws {
        for name in ["in/b.wav", "in/deep/a.wav", "in/.hidden.wav"] { try folder.write(sound, to: name) }
        _ = try folder.write([1], to: "in/notes.txt")
        #expect(names(try plan(["in"], to: "out", .flac)) == ["out/b.flac", "out/deep/a.flac"])
    }

    @Test("without a format each file keeps its own")
    func keepsFormat() throws {
        try folder.write(sound, to: "a.wav")
        try folder.write(sound, to: "b.flac", .flac, .flac16)
        #expect(names(try plan(["a.wav", "b.flac"], to: "out")) == ["out/a.wav", "out/b.flac"])
    }

    @Test("what an earlier run made in the output folder is not an input")
    func earlierRun() throws {
        try folder.write(sound, to: "in/a.wav")
        try folder.write(sound, to: "in/out/old.wav")
        #expect(names(try plan(["in"], to: "in/out", .flac)) == ["in/out/a.flac"])
    }

    @Test("two inputs that would become the same file are refused, both named")
    func collision() throws {
        try folder.write(sound, to: "a/take.wav")
        try folder.write(sound, to: "b/take.wav")
        #expect { try plan(["a/take.wav", "b/take.wav"], to: "out", .flac) } throws: { error in
            "\(error)".contains("a/take.wav and ") && "\(error)".contains("b/take.wav would both become")
        }
    }

    @Test(
        "an input is never overwritten, by whatever name and whatever is asked",
        arguments: ["a.wav", "./a.wav", "link.wav", "hard.wav"])
    func input(output: String) throws {
        try folder.write(sound, to: "a.wav")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.wav"), withDestinationPath: folder.path("a.wav"))
        try FileManager.default.linkItem(atPath: folder.path("a.wav"), toPath: folder.path("hard.wav"))
        #expect { try plan(["a.wav"], to: output, overwrites: true) } throws: {
            "\($0)".contains("would overwrite the input")
        }
    }

    @Test("an existing file is refused, replaced or left, as asked")
    func existing() throws {
        for name in ["a.wav", "b.wav"] { try folder.write(sound, to: name) }
        try folder.write(sound, to: "out/a.flac", .flac, .flac16)
        #expect { try plan(["a.wav", "b.wav"], to: "out", .flac) } throws: {
            "\($0)".contains("out/a.flac exists already: give --overwrite")
        }
        #expect(try plan(["a.wav", "b.wav"], to: "out", .flac, overwrites: true).jobs.count == 2)
        let rest = try plan(["a.wav", "b.wav"], to: "out", .flac, skipsExisting: true)
        #expect(names(rest) == ["out/b.flac"])
        #expect(rest.skipped == 1)
    }

    @Test("an ending that says nothing is refused with the formats there are")
    func unknown() throws {
        try folder.write(sound, to: "a.wav")
        #expect { try plan(["a.wav"], to: "b.xyz") } throws: { "\($0)".contains("give --format, one of wav, aiff") }
    }

    @Test("a file cannot take several, and nothing is no input")
    func nowhere() throws {
        for name in ["a.wav", "b.wav", "c.wav"] { try folder.write(sound, to: name) }
        #expect { try plan(["a.wav", "b.wav"], to: "c.wav") } throws: {
            "\($0)".contains("is a file and cannot take several")
        }
        try FileManager.default.createDirectory(atPath: folder.path("empty"), withIntermediateDirectories: true)
        #expect { try plan(["empty"], to: "out") } throws: { "\($0)".contains("holds no sound file") }
    }
}
