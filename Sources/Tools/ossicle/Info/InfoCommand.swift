import ArgumentParser
import Foundation
import OssicleFiles

struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Tell what sound files are: format, length, tags, loudness, peak; and draw one.",
        discussion: """
            Loudness is that of ITU-R BS.1770 and EBU R 128, gated; a file shorter than 0.4 s has none. \(SoundFormats.sentence)

            With --json all files come as one array; Documentation/CommandLine.md explains the keys. A file that cannot be read is named on standard \
            error, is not in the array, and makes the exit status 1.
            """)

    @Argument(help: ArgumentHelp("Sound files to look at; - is standard input.", valueName: "file"))
    var files: [String]

    @Option(help: ArgumentHelp("Draw the waveform, the loudness and the spectrum of the one file into this SVG file.", valueName: "svg"))
    var picture: String?

    @Flag(help: "Write for programs: a JSON array with one object for each file.")
    var json = false

    func validate() throws {
        if picture != nil, files.count != 1 { throw ValidationError("--picture draws one sound: name one file, not \(files.count).") }
        if files.count(where: { $0 == StandardStream.argument }) > 1 { throw ValidationError("Standard input can be read once: give - once.") }
    }

    func run() throws {
        let drawing = try picture.map(OutputFile.init)
        var failed = false
        var found: [SoundFactsJSON] = []
        for file in files {
            do {
                let facts = try facts(of: file, draws: drawing != nil)
                if json { found.append(SoundFactsJSON(facts)) } else { print(facts.text) }
                guard let drawing, let svg = facts.svg else { continue }
                try drawing.write(Data(svg.utf8))
                if !json { print("  " + Text.left("picture", width: 10) + drawing.path) }
            } catch {
                failed = true
                StandardError.tell("\(error)")
            }
        }
        if json { print(try SoundFactsJSON.document(found)) }
        if failed { throw ExitCode.failure }
    }

    private func facts(of file: String, draws: Bool) throws -> SoundFacts {
        let progress = Progress("listening")
        defer { progress.clear() }
        guard file == StandardStream.argument else { return try SoundFacts(of: file, draws: draws) { progress.show($0) } }
        let input = try StandardStream.receivedInput()
        defer { input.discard() }
        do {
            return try SoundFacts(of: input.path, named: StandardStream.inputName, draws: draws) { progress.show($0) }
        } catch {
            throw StandardStream.renamed(error, [input.path: StandardStream.inputName])
        }
    }
}
