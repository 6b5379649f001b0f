import ArgumentParser
import OssicleRendering

/// The command line of the engine.
@main
struct Ossicle: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ossicle",
        abstract:
            "Spatial audio from the command line: render scenes, check them, compute room impulse responses and data sets, convert, describe, play and record sound files.",
        discussion:
            "ossicle --generate-completion-script bash (or zsh, or fish) prints what a shell needs to complete commands, options and files.",
        version: version,
        subcommands: [
            DemoCommand.self, RenderCommand.self, ReplayCommand.self, LintCommand.self, ExplainCommand.self,
            RirCommand.self, MapCommand.self, BatchCommand.self, VerifyCommand.self, ConvertCommand.self,
            EchoCommand.self,
            InfoCommand.self, AnalyzeCommand.self,
            PlayCommand.self, RecordCommand.self, MidiCommand.self, DevicesCommand.self, PluginsCommand.self,
        ])

    /// Of this release.
    static let version = OssicleVersion.text

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let error = UnknownCommand(
            arguments, known: configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"])
        {
            exit(withError: ValidationError(error.description))
        }
        main(arguments)
    }
}

/// A command that does not exist, with the ones that may have been meant.
struct UnknownCommand: Equatable {
    let name: String
    let known: [String]

    /// Nil where the arguments begin with a command, with an option, or with nothing.
    init?(_ arguments: [String], known: [String]) {
        guard let name = arguments.first(where: { $0 != "help" }), !name.hasPrefix("-"), !known.contains(name) else {
            return nil
        }
        self.name = Text.oneLine(name)
        self.known = known
    }

    /// The known commands that begin with the name or are at most two slips of the finger away, the nearest first.
    var suggestions: [String] {
        let lowered = name.lowercased()
        let near = known.map { (command: $0, slips: $0.hasPrefix(lowered) ? 0 : Self.slips(from: lowered, to: $0)) }
        return near.filter { $0.slips <= min(2, lowered.count - 1) }.sorted {
            ($0.slips, $0.command) < ($1.slips, $1.command)
        }.map(\.command)
    }

    var description: String {
        let cure =
            suggestions.isEmpty
            ? "The commands are \(known.joined(separator: ", "))."
            : "Did you mean \(suggestions.joined(separator: " or "))?"
        return "“\(name)” is no command. \(cure)"
    }

    /// Letters left out, added or changed, and neighbours swapped (optimal string alignment distance).
    static func slips(from one: String, to other: String) -> Int {
        let (a, b) = (Array(one), Array(other))
        var rows = [[Int]](repeating: Array(0...b.count), count: a.count + 1)
        for i in a.indices {
            rows[i + 1][0] = i + 1
            for j in b.indices {
                let change = rows[i][j] + (a[i] == b[j] ? 0 : 1)
                rows[i + 1][j + 1] = min(rows[i][j + 1] + 1, rows[i + 1][j] + 1, change)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    rows[i + 1][j + 1] = min(rows[i + 1][j + 1], rows[i - 1][j - 1] + 1)
                }
            }
        }
        return rows[a.count][b.count]
    }
}
