import ArgumentParser
import Foundation

struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Print format, length, loudness and peak of sound files.",
        discussion: "Loudness is integrated loudness after ITU-R BS.1770, gated; a file shorter than 0.4 s has none.")

    @Argument(help: ArgumentHelp("Sound files to look at.", valueName: "file"))
    var files: [String]

    func run() throws {
        var failed = false
        for file in files {
            do {
                print(try SoundFacts(of: file).text)
            } catch {
                failed = true
                FileHandle.standardError.write(Data("Error: \(error)\n".utf8))
            }
        }
        if failed { throw ExitCode.failure }
    }
}
