import ArgumentParser
import Foundation
import OssicleRendering
import OssicleScenes

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say why the sounds of a scene are heard at a moment, how loud and by which paths, or why not.",
        discussion: """
            The scene is rendered up to the moment, with its timeline, as ossicle render would, and nothing is written. For each instance and each sound \
            that its tree chose come all factors of its gain in the order of the signal, what stands in the way, paths off surfaces and around edges, the \
            decay around the listener, and whether it has an HRTF of its own, is in the ambisonic bus or beyond the limit of voices. Levels are those at 1 kHz.
            """)

    @Argument(help: ArgumentHelp("A scene file.", valueName: "scene"))
    var scene: String

    @Option(
        name: .customLong("at"), parsing: .unconditional,
        help: ArgumentHelp("The moment, 0 to 3600.", valueName: "seconds"))
    var time: Double

    @Option(help: ArgumentHelp("What happens in the scene, and when.", valueName: "json"))
    var timeline: String?

    @Option(help: ArgumentHelp("The only instance to explain; all otherwise.", valueName: "name"))
    var instance: String?

    @Option(help: "For ears or loudspeakers, as in render.")
    var layout: RenderLayout?

    @Option(parsing: .unconditional, help: "The seed of every random choice; without it the scene's.")
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "Read Khronos' drafts KHR_audio_emitter and KHR_audio_environment as of then.", valueName: "2024|2026-08"))
    var khronos: KhronosDraft?

    @Flag(help: "Write for programs: a JSON object.")
    var json = false

    func validate() throws {
        guard (0...3600).contains(time) else {
            throw ValidationError("--at \(time) is outside 0 to 3600: give a moment in that range.")
        }
    }

    func run() throws {
        var rendering = try SceneRendering.opened(
            RenderRequest(
                scene: scene, timeline: timeline, layout: layout, seconds: max(time, 1e-4), seed: seed,
                hearsAll: true, draft: khronos))
        let progress = Progress("rendering")
        defer { progress.clear() }
        var explanations = try rendering.explanations { progress.show($0) }
        if let instance {
            let known = explanations.map(\.instance)
            explanations.removeAll { $0.instance != instance }
            guard !explanations.isEmpty else {
                throw ToolError(
                    "The scene has no instance “\(Text.oneLine(instance))”: \(known.isEmpty ? "it has none." : "give one of \(known.joined(separator: ", ")).")"
                )
            }
        }
        progress.clear()
        for warning in rendering.warnings { StandardError.write("Warning: \(warning)\n") }
        let report = ExplanationReport(scene: scene, timeline: timeline, time: time, explanations)
        print(json ? try report.json : report.text)
    }
}
