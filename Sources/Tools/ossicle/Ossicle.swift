import ArgumentParser

/// The command line of the engine.
@main
struct Ossicle: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ossicle",
        abstract: "Spatial audio from the command line: render the demo scene, compute room impulse responses, convert sound files, look at one.",
        subcommands: [DemoCommand.self, RirCommand.self, ConvertCommand.self, InfoCommand.self])
}
