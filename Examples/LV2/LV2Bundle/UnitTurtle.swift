import AVFoundation

/// The Turtle files of a bundle, made from what a unit says of itself.
public struct UnitTurtle {
    public let uri: String
    public let library: String
    private let unit: AUAudioUnit
    private let ports: UnitPorts

    /// - Parameter library: the file name of the shared library.
    public init(_ unit: AUAudioUnit, uri: String, library: String) {
        (self.unit, self.uri, self.library, ports) = (unit, uri, library, UnitPorts(of: unit))
    }

    private static let prefixes = """
        @prefix atom: <http://lv2plug.in/ns/ext/atom#> .
        @prefix doap: <http://usefulinc.com/ns/doap#> .
        @prefix foaf: <http://xmlns.com/foaf/0.1/> .
        @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
        @prefix midi: <http://lv2plug.in/ns/ext/midi#> .
        @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        @prefix units: <http://lv2plug.in/ns/extensions/units#> .
        @prefix urid: <http://lv2plug.in/ns/ext/urid#> .

        """

    public var manifest: String {
        Self.prefixes + "<\(uri)> a lv2:Plugin ; lv2:binary <\(library)> ; rdfs:seeAlso <plugin.ttl> .\n"
    }

    public var plugin: String {
        let kind = ports.inputs == 0 && ports.takesMIDI ? "lv2:InstrumentPlugin , lv2:Plugin" : "lv2:Plugin"
        let version = unit.componentVersion
        return Self.prefixes + """
            <\(uri)> a \(kind) ;
                doap:name \(Self.quoted(unit.audioUnitName ?? uri)) ;
                doap:maintainer [ foaf:name \(Self.quoted(unit.manufacturerName ?? "")) ] ;
                lv2:minorVersion \(version >> 8 & 0xFF) ; lv2:microVersion \(version & 0xFF) ;
                \(ports.takesMIDI ? "lv2:requiredFeature urid:map ; " : "")lv2:optionalFeature lv2:hardRTCapable ;
                lv2:port \(allPorts.enumerated().map { "[ lv2:index \($0) ; \($1) ]" }.joined(separator: " ,\n        ")) .

            """
    }

    private var allPorts: [String] {
        let sound =
            (0..<ports.inputs).map { Self.sound($0, "Input") } + (0..<ports.outputs).map { Self.sound($0, "Output") }
        let midi =
            ports.takesMIDI
            ? [
                "a lv2:InputPort , atom:AtomPort ; atom:bufferType atom:Sequence ; atom:supports midi:MidiEvent ; lv2:symbol \"midi\" ; lv2:name \"MIDI\""
            ]
            : []
        let latency =
            "a lv2:OutputPort , lv2:ControlPort ; lv2:symbol \"latency\" ; lv2:name \"Latency\" ; lv2:designation lv2:latency ; "
            + "lv2:portProperty lv2:reportsLatency , lv2:integer ; lv2:minimum 0 ; lv2:maximum 1000000"
        return sound + midi + ports.parameters.map(Self.control) + [latency]
    }

    private static func sound(_ channel: Int, _ direction: String) -> String {
        "a lv2:\(direction)Port , lv2:AudioPort ; lv2:symbol \"\(direction.lowercased())\(channel + 1)\" ; lv2:name \"\(direction) \(channel + 1)\""
    }

    private static func control(_ parameter: AUParameter) -> String {
        var text =
            "a lv2:InputPort , lv2:ControlPort ; lv2:symbol \"\(symbol(parameter.identifier))\" ; lv2:name \(quoted(parameter.displayName)) ; "
        text += "lv2:minimum \(parameter.minValue) ; lv2:maximum \(parameter.maxValue) ; lv2:default \(parameter.value)"
        if let unit = units[parameter.unit] { text += " ; units:unit units:\(unit)" }
        if parameter.unit == .boolean { text += " ; lv2:portProperty lv2:toggled" }
        if let names = parameter.valueStrings {
            let points = names.enumerated().map {
                "[ rdfs:label \(quoted($1)) ; rdf:value \(parameter.minValue + Float($0)) ]"
            }
            text +=
                " ; lv2:portProperty lv2:enumeration , lv2:integer ; lv2:scalePoint " + points.joined(separator: " , ")
        }
        return text
    }

    private static let units: [AudioUnitParameterUnit: String] = [
        .decibels: "db", .hertz: "hz", .milliseconds: "ms", .seconds: "s", .percent: "pc", .BPM: "bpm", .cents: "cent",
        .degrees: "degree",
        .linearGain: "coef", .relativeSemiTones: "semitone12TET",
    ]

    /// A symbol of LV2's: letters, digits and underscores, no digit in front.
    private static func symbol(_ text: String) -> String {
        let plain = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return plain.first?.isNumber ?? true ? "_" + plain : plain
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"") + "\""
    }

    /// Writes a bundle with a copy of the shared library.
    public func write(to bundle: URL, library source: URL) throws {
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        try Data(manifest.utf8).write(to: bundle.appendingPathComponent("manifest.ttl"))
        try Data(plugin.utf8).write(to: bundle.appendingPathComponent("plugin.ttl"))
        let target = bundle.appendingPathComponent(library)
        try? FileManager.default.removeItem(at: target)
        try FileManager.default.copyItem(at: source, to: target)
    }
}
