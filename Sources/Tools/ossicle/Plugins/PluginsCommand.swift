import ArgumentParser
import Foundation
import OssicleMessages
import OssiclePlugins

struct PluginsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugins",
        abstract: "List LV2 plug-ins, describe one, or check how it keeps to what a host expects.",
        discussion: """
            Plug-ins are looked for in the folders of LV2_PATH. Each runs in a process of its own, so that one that crashes or hangs is an error and \
            silence. OSSICLE_PLUGIN_LOG=1 shows what plug-ins write.
            """)

    @Argument(help: "A plug-in to describe: its URI, its name, or a part of either that no other has.")
    var plugin: String?

    @Option(
        help: ArgumentHelp(
            "Check one: sample rates, block lengths, parameters, state, reset, silence, latency. Exit status 1 where it fails.",
            valueName: "plug-in"))
    var check: String?

    @Flag(name: .customLong("in-process"), help: "Check it in this process. A crash ends this program then.")
    var inProcess = false

    @Flag(help: "Write for programs: a JSON array with one object for each plug-in.")
    var json = false

    func validate() throws {
        if plugin != nil, check != nil {
            throw ValidationError("--check names the plug-in itself: leave the first argument out.")
        }
        if inProcess, check == nil { throw ValidationError("--in-process says where --check loads: give that too.") }
        if json, check != nil { throw ValidationError("--json lists plug-ins: leave --check out.") }
    }

    func run() throws {
        let content = PluginCatalogue.content
        if content.errors.contains(.noLibrary) { throw ToolError("\(PluginError.noLibrary)") }
        for error in content.errors { StandardError.write("\(Text.oneLine("\(error)"))\n") }
        if let check {
            let report = PluginReport(try PluginChoice.one(check, of: content.plugins), isInProcess: inProcess)
            guard report.run() else { throw ExitCode(1) }
            return
        }
        let chosen = try plugin.map { [try PluginChoice.one($0, of: content.plugins)] }
        if json { return print(try PluginRow.document((chosen ?? content.plugins).map(PluginRow.init))) }
        if let only = chosen?.first { return print(try PluginFacts(only).text) }
        print(PluginTable(content.plugins).text)
    }
}

/// Which plug-in is meant.
enum PluginChoice {
    static func one(_ word: String, of plugins: [PluginDescription]) throws -> PluginDescription {
        if let exact = plugins.first(where: { $0.uri == word }) { return exact }
        let named = plugins.filter { $0.name.caseInsensitiveCompare(word) == .orderedSame }
        if named.count == 1 { return named[0] }
        let near = plugins.filter {
            $0.name.localizedCaseInsensitiveContains(word) || $0.uri.localizedCaseInsensitiveContains(word)
        }
        if near.count == 1 { return near[0] }
        let shown = Text.oneLine(word)
        if near.isEmpty {
            throw ToolError("No LV2 plug-in is called “\(shown)”: `ossicle plugins` lists those there are.")
        }
        let some = near.prefix(5).map { Text.oneLine($0.uri) }.joined(separator: ", ")
        throw ToolError(
            "“\(shown)” may be \(near.count) plug-ins (\(some)\(near.count > 5 ? ", …" : "")): give the URI of one.")
    }
}

extension PluginDescription.Kind {
    var word: String {
        switch self {
        case .effect: "effect"
        case .musicEffect: "effect with MIDI"
        case .instrument: "instrument"
        case .generator: "generator"
        case .midiProcessor: "MIDI processor"
        }
    }
}

/// What `ossicle plugins --json` says about one plug-in; `Documentation/CommandLine.md` explains each key.
struct PluginRow: Encodable, Equatable {
    struct Parameter: Encodable, Equatable {
        let symbol, name: String
        let minimum, maximum, initial: Float
        let unit: String?
    }

    let uri, name, author, kind, bundle: String
    let audioInputs, audioOutputs, presets: Int
    let midiInput, midiOutput: Bool
    let parameters: [Parameter]
    /// Why it cannot be hosted.
    let obstacle: String?

    enum CodingKeys: String, CodingKey {
        case uri, name, author, kind, bundle, audioInputs, audioOutputs, presets, midiInput, midiOutput, parameters,
            obstacle
    }

    init(_ plugin: PluginDescription) {
        (uri, name, author, kind, bundle) = (plugin.uri, plugin.name, plugin.author, plugin.kind.word, plugin.bundle)
        (audioInputs, audioOutputs, presets) = (plugin.audioInputs, plugin.audioOutputs, plugin.presetCount)
        (midiInput, midiOutput) = (plugin.midiInput != nil, plugin.midiOutput != nil)
        parameters = plugin.ports.filter { $0.isInput && $0.flags.contains(.control) }.map {
            Parameter(
                symbol: $0.symbol, name: $0.name, minimum: $0.minimum, maximum: $0.maximum, initial: $0.initial,
                unit: $0.unit.isEmpty ? nil : $0.unit)
        }
        obstacle = plugin.obstacle
    }

    /// One array, sorted keys, ending in a line break.
    static func document(_ rows: [PluginRow]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(rows), as: UTF8.self)
    }
}
