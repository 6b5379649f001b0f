import OssiclePlugins

/// Plug-ins as `ossicle plugins` lists them.
struct PluginTable {
    private let plugins: [PluginDescription]

    init(_ plugins: [PluginDescription]) { self.plugins = plugins }

    var text: String {
        if plugins.isEmpty {
            return
                "No LV2 plug-ins are installed. Debian's packages are called mda-lv2, calf-plugins, x42-plugins and so on."
        }
        let head = ["name", "kind", "audio", "MIDI", "parameters", "presets", "URI"]
        return TextTable.text([head] + plugins.map(Self.cells)) + Self.obstacles(plugins)
    }

    private static func cells(_ plugin: PluginDescription) -> [String] {
        let midi = [plugin.midiInput != nil ? "in" : nil, plugin.midiOutput != nil ? "out" : nil].compactMap(\.self)
        return [
            Text.oneLine(plugin.name), plugin.kind.word, "\(plugin.audioInputs) → \(plugin.audioOutputs)",
            midi.isEmpty ? "–" : midi.joined(separator: ", "), "\(plugin.count(.control, isInput: true))",
            plugin.presetCount > 0 ? "\(plugin.presetCount)" : "–", Text.oneLine(plugin.uri),
        ]
    }

    /// Why some of them cannot be used.
    private static func obstacles(_ plugins: [PluginDescription]) -> String {
        let lines = plugins.compactMap { plugin in
            plugin.obstacle.map { "  \(Text.oneLine(plugin.uri)): \(Text.oneLine($0))" }
        }
        return lines.isEmpty ? "" : "\n\nNot to be hosted:\n" + lines.joined(separator: "\n")
    }
}

/// One plug-in as `ossicle plugins NAME` describes it.
struct PluginFacts {
    private let plugin: PluginDescription
    private let presets: [String]

    /// Loads it for the names of its presets.
    init(_ plugin: PluginDescription) throws {
        self.plugin = plugin
        guard plugin.presetCount > 0, plugin.obstacle == nil else {
            presets = []
            return
        }
        let instance = PluginInstance(plugin, isInProcess: false, report: { _ in })
        let routing = PluginRouting(
            inputPorts: plugin.audioInputs, outputPorts: plugin.audioOutputs, inputChannels: plugin.mainInputs,
            outputChannels: plugin.audioOutputs, mayCopy: false, sidechains: plugin.sidechains)
        do {
            try instance.prepare(PluginInstance.Shape(rate: 48_000, capacity: 512, routing: routing))
            presets = try instance.presets().map(\.name)
        } catch { throw ToolError("\(error)") }
    }

    var text: String {
        let author = plugin.author.isEmpty ? "" : " by \(Text.oneLine(plugin.author))"
        var lines = [
            "\(Text.oneLine(plugin.name))\(author), \(plugin.kind.word), version \(plugin.minorVersion).\(plugin.microVersion)",
            Text.oneLine(plugin.uri), Text.oneLine(plugin.bundle),
        ]
        if let obstacle = plugin.obstacle { lines.append("Not to be hosted: \(Text.oneLine(obstacle))") }
        let rows = plugin.ports.enumerated().map { Self.cells($0, $1) }
        lines += ["", TextTable.text([["port", "symbol", "name", "kind", "range", "default", "unit"]] + rows)]
        if !presets.isEmpty { lines += ["", "Presets: " + presets.map(Text.oneLine).joined(separator: ", ")] }
        return lines.joined(separator: "\n")
    }

    private static func cells(_ index: Int, _ port: PluginPort) -> [String] {
        let isControl = port.flags.contains(.control)
        let unit = port.unit.split(separator: "#").last.map(String.init) ?? ""
        return [
            "\(index)", Text.oneLine(port.symbol), Text.oneLine(port.name), kind(port),
            isControl ? "\(number(port.minimum)) … \(number(port.maximum))" : "",
            isControl && port.isInput ? number(port.initial) : "",
            Text.oneLine(unit),
        ]
    }

    private static func kind(_ port: PluginPort) -> String {
        let names: [(PluginPort.Flags, String)] = [
            (.audio, "audio"), (.control, "control"), (.voltage, "CV"), (.midi, "MIDI"), (.atom, "atom"),
        ]
        let name = names.first { port.flags.contains($0.0) }?.1 ?? "unknown"
        return name + (port.isInput ? " in" : " out")
    }

    private static func number(_ value: Float) -> String {
        value == value.rounded() && value.magnitude < 1e7 ? "\(Int(value))" : "\(value)"
    }
}

/// Rows of text as columns.
enum TextTable {
    static func text(_ rows: [[String]]) -> String {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = zip(row, widths).map { Text.left($0, width: $1) }.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }
}
