import ArgumentParser

/// The command line of the engine.
@main
struct Ossicle: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ossicle",
        abstract: "Spatial audio from the command line: render the demo scene, look at a sound file.",
        subcommands: [DemoCommand.self, InfoCommand.self])
}
