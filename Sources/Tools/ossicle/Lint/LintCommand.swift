import ArgumentParser
import Foundation
import OssicleScenes

struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Check scene files: what would fail, and what would not sound as it is meant.",
        discussion: """
            Errors keep a scene from playing: a fault in the file, a sound that is missing or does not fit its mixer. Warnings are about what plays, \
            but hardly as meant: holes in rooms, sources inside walls, names that several nodes have, stretched or mirrored nodes, sizes that look like \
            other units, stereo in a spatial mixer, parts that nothing uses, sounds that clip together.

            The exit status is 0 without errors, 1 with errors (with --strict, also with warnings).
            """)

    @Argument(help: ArgumentHelp("Scene files.", valueName: "scene"))
    var scenes: [String]

    @Option(help: ArgumentHelp("A timeline to hold against the one scene.", valueName: "json"))
    var timeline: String?

    @Option(
        help: ArgumentHelp(
            "Read Khronos' drafts KHR_audio_emitter and KHR_audio_environment as of then.", valueName: "2024|2026-08"))
    var khronos: KhronosDraft?

    @Flag(help: "Let warnings count as errors.")
    var strict = false

    @Flag(help: "Write for programs: a JSON array with one object for each scene.")
    var json = false

    func validate() throws {
        if timeline != nil, scenes.count != 1 {
            throw ValidationError("--timeline belongs to one scene: name one, not \(scenes.count).")
        }
    }

    func run() throws {
        let results = scenes.map { SceneLint.result(of: $0, timeline: timeline, khronos) }
        if json {
            print(try JSONText.document(results))
        } else {
            for result in results { print(result.text) }
        }
        let fails = results.contains { strict ? !$0.findings.isEmpty : $0.findings.contains { $0.severity == .error } }
        if fails { throw ExitCode.failure }
    }
}

/// What was found in one scene.
struct LintResult: Encodable, Equatable {
    let scene: String
    let findings: [LintFinding]

    var text: String {
        guard !findings.isEmpty else { return "\(scene): nothing found" }
        let lines = findings.map { "\(scene): \($0.severity.rawValue): \($0.message) [\($0.rule.rawValue)]" }
        let errors = findings.count { $0.severity == .error }
        return (lines + ["\(scene): \(errors) errors, \(findings.count - errors) warnings"]).joined(separator: "\n")
    }
}

/// One thing that is wrong, or looks so.
struct LintFinding: Encodable, Equatable {
    enum Severity: String, Encodable { case error, warning }

    /// What it is about; part of the format of `--json`.
    enum Rule: String, Encodable, CaseIterable {
        case file, timeline, missingAsset, layout, notice, duplicateName, unreachable, unused, transform, units,
            material
        case leak, position, clipping, listener
    }

    let severity: Severity
    let rule: Rule
    let message: String

    static func error(_ rule: Rule, _ message: String) -> LintFinding {
        LintFinding(severity: .error, rule: rule, message: Text.oneLine(message))
    }

    static func warning(_ rule: Rule, _ message: String) -> LintFinding {
        LintFinding(severity: .warning, rule: rule, message: Text.oneLine(message))
    }
}
