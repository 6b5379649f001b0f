import CPluginHost
import OssicleReaders

/// What an LV2 plug-in is, by its bundle, without running it.
package struct PluginDescription: Hashable, Sendable {
    /// What a plug-in does for a host.
    package enum Kind: Hashable, Sendable {
        case effect, musicEffect, instrument, generator, midiProcessor
    }

    package var uri: String
    package var name: String
    /// Empty where the bundle names none.
    package var author: String
    /// Path of the bundle's folder.
    package var bundle: String
    /// URIs of its classes, sorted.
    package var classes: [String]
    /// A feature that it requires and that is not offered; `nil` where all are.
    package var missingFeature: String?
    package var minorVersion: Int
    package var microVersion: Int
    /// Whether the bundle names a library.
    package var hasLibrary: Bool
    /// Whether its state may have files (`state:makePath`).
    package var makesFiles: Bool
    /// Presets with a URI, in any bundle.
    package var presetCount: Int
    /// Paths of the bundles that say something of it, its own first, which end with a stroke each.
    package var bundles: [String]
    /// In order of their indices.
    package var ports: [PluginPort]
    /// What messages set; numbered in this order.
    package var properties: [PluginProperty] = []

    package func count(_ flags: PluginPort.Flags, isInput: Bool) -> Int {
        ports.count { $0.flags.isSuperset(of: flags) && $0.isInput == isInput }
    }

    package var audioInputs: Int { count(.audio, isInput: true) }
    package var audioOutputs: Int { count(.audio, isInput: false) }
    /// Which of the audio inputs, in their order, are side chains; none where all of them are.
    package var sidechains: [Int] {
        let inputs = ports.filter { $0.flags.contains(.audio) && $0.isInput }
        let found = inputs.indices.filter { inputs[$0].flags.contains(.sidechain) }
        return found.count == inputs.count ? [] : found
    }
    /// Audio inputs that are no side chains.
    package var mainInputs: Int { audioInputs - sidechains.count }
    /// Index of the port that MIDI goes to, and comes from.
    package var midiInput: Int? { ports.firstIndex { $0.flags.contains(.midi) && $0.isInput } }
    package var midiOutput: Int? { ports.firstIndex { $0.flags.contains(.midi) && !$0.isInput } }

    package var kind: Kind {
        if audioOutputs == 0, audioInputs == 0, midiInput != nil || midiOutput != nil { return .midiProcessor }
        let isInstrument = classes.contains(Self.core + "InstrumentPlugin")
        if midiInput != nil, isInstrument || audioInputs == 0 { return .instrument }
        if audioInputs == 0 { return .generator }
        return midiInput == nil ? .effect : .musicEffect
    }

    /// Why it cannot be hosted; `nil` where it can.
    package var obstacle: String? {
        if let missingFeature { return "it requires \(missingFeature), which is not offered" }
        if !hasLibrary { return "its bundle names no library" }
        if ports.isEmpty { return "its bundle describes no ports" }
        if ports.count > Self.mostPorts { return "it has \(ports.count) ports, more than \(Self.mostPorts)" }
        if let port = ports.first(where: { $0.flags.isDisjoint(with: .known) && !$0.flags.contains(.optional) }) {
            return "its port \"\(port.symbol)\" is of an unknown kind"
        }
        if max(audioInputs, audioOutputs) > Self.mostChannels {
            return "it has more than \(Self.mostChannels) channels"
        }
        return nil
    }

    package static let core = "http://lv2plug.in/ns/lv2core#"
    static let mostPorts = 4096
    static let mostChannels = 64
}

/// One port of a plug-in.
package struct PluginPort: Hashable, Sendable {
    /// Kind and properties; the numbers are CPluginHost's.
    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }
        package static let input = Flags(OSSICLE_PORT_INPUT), audio = Flags(OSSICLE_PORT_AUDIO)
        package static let control = Flags(OSSICLE_PORT_CONTROL), voltage = Flags(OSSICLE_PORT_CV)
        package static let atom = Flags(OSSICLE_PORT_ATOM), midi = Flags(OSSICLE_PORT_MIDI)
        package static let optional = Flags(OSSICLE_PORT_OPTIONAL), integer = Flags(OSSICLE_PORT_INTEGER)
        package static let toggled = Flags(OSSICLE_PORT_TOGGLED), enumeration = Flags(OSSICLE_PORT_ENUMERATION)
        package static let logarithmic = Flags(OSSICLE_PORT_LOGARITHMIC), latency = Flags(OSSICLE_PORT_LATENCY)
        package static let enabled = Flags(OSSICLE_PORT_ENABLED), sidechain = Flags(OSSICLE_PORT_SIDECHAIN)
        package static let hidden = Flags(OSSICLE_PORT_HIDDEN), rate = Flags(OSSICLE_PORT_RATE)
        package static let time = Flags(OSSICLE_PORT_TIME), trigger = Flags(OSSICLE_PORT_TRIGGER)
        static let known: Flags = [.audio, .control, .voltage, .atom]

        private init(_ flag: some BinaryInteger) { rawValue = Int(flag) }
    }

    /// A value with a name.
    package struct Point: Hashable, Sendable {
        package let value: Float
        package let label: String
    }

    package var flags: Flags
    package var symbol: String
    package var name: String
    /// Range and default; of what the bundle leaves out, 0 … 1 and the least value. Always finite and in order.
    package var minimum: Float
    package var maximum: Float
    package var initial: Float
    /// URI of a unit of LV2's, or the symbol of one of the maker's own; empty for none.
    package var unit: String
    /// In order of their values.
    package var points: [Point]

    package var isInput: Bool { flags.contains(.input) }
}

// MARK: Reading

extension PluginDescription {
    /// All descriptions of a reply about bundles; `nil` where something is not there or makes no sense.
    static func all(in bytes: [UInt8], of bundles: [String]) -> [PluginDescription]? {
        var reply = Reply(bytes), list: [PluginDescription] = []
        while !reply.isAtEnd {
            guard let description = PluginDescription(&reply, known: bundles) else { return nil }
            list.append(description)
        }
        return list
    }

    private init?(_ reply: inout Reply, known: [String]) {
        guard let uri = reply.text(), let name = reply.text(), let author = reply.text(), let bundle = reply.text(),
            let classes = reply.texts()
        else { return nil }
        (self.uri, self.name, self.author, self.bundle) = (uri, name, author, bundle)
        self.classes = classes.sorted()
        guard let missing = reply.text(), let minor = reply.word(), let micro = reply.word(),
            let library = reply.word(), let files = reply.word(),
            let presetFiles = reply.texts(), let portCount = reply.word(), portCount <= 100_000
        else { return nil }
        missingFeature = missing.isEmpty ? nil : missing
        (minorVersion, microVersion) = (Int(Int32(bitPattern: minor)), Int(Int32(bitPattern: micro)))
        (hasLibrary, makesFiles, presetCount) = (library != 0, files != 0, presetFiles.count)
        let own = bundle
        // A preset that names no file may be in any of them.
        bundles =
            [own]
            + known.filter { folder in folder != own && presetFiles.contains { $0.isEmpty || $0.hasPrefix(folder) } }
        ports = []
        for _ in 0..<portCount {
            guard let port = PluginPort(&reply) else { return nil }
            ports.append(port)
        }
        guard let propertyCount = reply.word(), propertyCount <= 10_000 else { return nil }
        for _ in 0..<propertyCount {
            guard let property = PluginProperty(&reply) else { return nil }
            properties.append(property)
        }
        if self.name.isEmpty { self.name = uri }
    }
}

extension Reply {
    /// As many texts as the word before them says.
    fileprivate mutating func texts() -> [String]? {
        guard let count = word() else { return nil }
        var list: [String] = []
        for _ in 0..<count {
            guard let text = text() else { return nil }
            list.append(text)
        }
        return list
    }
}

extension PluginPort {
    fileprivate init?(_ reply: inout Reply) {
        guard let flags = reply.word(), let symbol = reply.text(), let name = reply.text(), let least = reply.word(),
            let greatest = reply.word(), let initial = reply.word(), let unit = reply.text(),
            let pointCount = reply.word(),
            pointCount <= 100_000
        else { return nil }
        self.flags = Flags(rawValue: Int(flags))
        (self.symbol, self.name, self.unit) = (symbol, name.isEmpty ? symbol : name, unit)
        points = []
        for _ in 0..<pointCount {
            guard let value = reply.word(), let label = reply.text() else { return nil }
            let number = Float(bitPattern: value)
            if number.isFinite { points.append(Point(value: number, label: label)) }
        }
        points.sort { ($0.value, $0.label) < ($1.value, $1.label) }
        let range = Self.range(
            Float(bitPattern: least), Float(bitPattern: greatest), Float(bitPattern: initial), points)
        (minimum, maximum, self.initial) = range
    }

    /// The limits of what a bundle says, of which anything may be missing.
    static func range(
        _ least: Float, _ greatest: Float, _ initial: Float, _ points: [Point]
    ) -> (Float, Float, Float) {
        let given = points.map(\.value) + [initial].filter(\.isFinite)
        let minimum = least.isFinite ? least : min(0, given.min() ?? 0)
        var maximum = greatest.isFinite ? greatest : max(minimum + 1, given.max() ?? 1)
        if maximum < minimum { maximum = minimum }
        return (minimum, maximum, initial.isFinite ? min(max(initial, minimum), maximum) : minimum)
    }
}
