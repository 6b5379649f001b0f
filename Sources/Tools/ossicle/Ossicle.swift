import ArgumentParser

/// The command line of the engine.
@main
struct Ossicle: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ossicle",
        abstract: "Spatial audio from the command line: render the demo scene, compute room impulse responses, convert sound files, look at one.",
        discussion: "ossicle --generate-completion-script bash (or zsh, or fish) prints what a shell needs to complete commands, options and files.",
        version: version,
        subcommands: [DemoCommand.self, RirCommand.self, ConvertCommand.self, InfoCommand.self])

    /// Of this release. What else states a version takes it from here; the first heading of the changelog is held against it by a test.
    static let version = "0.5.2"

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let error = UnknownCommand(arguments, known: configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]) {
            exit(withError: ValidationError(error.description))
        }
        main(arguments)
    }
}
