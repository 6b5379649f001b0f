import ArgumentParser
import Foundation

struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Tell what sound files are: format, length, tags, loudness, peak; and draw one.",
        discussion: "Loudness is that of ITU-R BS.1770 and EBU R 128, gated; a file shorter than 0.4 s has none.")

    @Argument(help: ArgumentHelp("Sound files to look at.", valueName: "file"))
    var files: [String]

    @Option(help: ArgumentHelp("Draw the waveform, the loudness and the spectrum of the one file into this SVG file.", valueName: "svg"))
    var picture: String?

    func validate() throws {
        if picture != nil, files.count != 1 { throw ValidationError("--picture draws one sound: name one file, not \(files.count).") }
    }

    func run() throws {
        let drawing = try picture.map(OutputFile.init)
        var failed = false
        for file in files {
            do {
                try tell(file, drawing)
            } catch {
                failed = true
                StandardError.tell("\(error)")
            }
        }
        if failed { throw ExitCode.failure }
    }

    private func tell(_ file: String, _ drawing: OutputFile?) throws {
        let facts = try SoundFacts(of: file, draws: drawing != nil, ShareProgress("listening").show)
        print(facts.text)
        guard let drawing, let svg = facts.svg else { return }
        try drawing.write(Data(svg.utf8))
        print("  " + Text.left("picture", width: 10) + drawing.path)
    }
}
