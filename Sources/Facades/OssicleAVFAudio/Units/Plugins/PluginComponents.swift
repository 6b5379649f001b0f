// LV2 plug-ins as components.

import OssicleAudioToolbox
import OssiclePlugins
import Synchronization

/// The installed LV2 plug-ins as components. Any thread; the first question reads all bundles.
enum PluginComponents {
    /// A plug-in and what the registry says of it.
    struct Entry: Sendable {
        let plugin: PluginDescription
        let component: RegisteredComponent
    }

    private static let made = Mutex<[Entry]?>(nil)
    private static let searches = Atomic(1)

    /// Number of the newest search, from 1.
    static var search: Int { searches.load(ordering: .sequentiallyConsistent) }

    /// In order of URIs. Of two with one description, the first.
    static var all: [Entry] {
        made.withLock { made in
            if let made { return made }
            var entries: [Entry] = [], taken = Set<AudioComponentDescription>()
            for plugin in PluginCatalogue.content.plugins where plugin.obstacle == nil {
                let entry = Entry(plugin: plugin, component: component(of: plugin))
                if taken.insert(entry.component.description).inserted { entries.append(entry) }
            }
            made = entries
            return entries
        }
    }

    /// The plug-in behind a component; `nil` for a component of another kind. Reads nothing where the component was
    /// never found.
    static func plugin(for description: AudioComponentDescription) -> PluginDescription? {
        made.withLock { $0 }?.first { $0.component.description.isSameUnit(as: description) }?.plugin
    }

    /// Has the bundles read anew by the next search; components that were found stay.
    static func lookAgain() {
        PluginCatalogue.forget()
        made.withLock { $0 = nil }
        searches.add(1, ordering: .sequentiallyConsistent)
        _ = all
    }

    /// A sentence on what is missing for plug-ins to be found; empty where nothing is, and for a component of Apple's.
    static func cure(for description: AudioComponentDescription) -> String {
        let isMissing =
            description.componentManufacturer != kAudioUnitManufacturer_Apple
            && PluginCatalogue.content.errors.contains(.noLibrary)
        return isMissing ? " For LV2 plug-ins, install Debian's package liblilv-0-0." : ""
    }

    // MARK: From a plug-in to a component

    private static func component(of plugin: PluginDescription) -> RegisteredComponent {
        RegisteredComponent(
            description: description(of: plugin),
            name: plugin.author.isEmpty ? plugin.name : "\(plugin.author): \(plugin.name)",
            version: UInt32(clamping: plugin.minorVersion) << 8 & 0xFF_FF00 | UInt32(clamping: plugin.microVersion)
                & 0xFF)
    }

    /// The maker's code is a hash of the URI up to its last part, which the plug-ins of one project share; the subtype
    /// one of the whole URI. Both are the same on every machine and in every version.
    static func description(of plugin: PluginDescription) -> AudioComponentDescription {
        let project = plugin.uri.lastIndex { $0 == "/" || $0 == "#" || $0 == ":" }.map { plugin.uri[..<$0] }
        return AudioComponentDescription(
            componentType: type(of: plugin), componentSubType: code(plugin.uri),
            componentManufacturer: code(String(project ?? plugin.uri[...])), componentFlags: 0, componentFlagsMask: 0)
    }

    private static func type(of plugin: PluginDescription) -> OSType {
        switch plugin.kind {
        case .effect: kAudioUnitType_Effect
        case .musicEffect: kAudioUnitType_MusicEffect
        case .instrument: kAudioUnitType_MusicDevice
        case .generator: kAudioUnitType_Generator
        case .midiProcessor: kAudioUnitType_MIDIProcessor
        }
    }

    /// Four characters of 62 from a hash (FNV-1a, 64 bits). The first is a capital or a digit: Apple's codes of makers
    /// begin with a small letter.
    static func code(_ text: String) -> OSType {
        var hash = text.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefghijklmnopqrstuvwxyz".utf8)
        return (0..<4).reduce(OSType(0)) { code, place in
            let count = UInt64(place == 0 ? 36 : 62)
            defer { hash /= count }
            return code << 8 | OSType(letters[Int(hash % count)])
        }
    }

    /// Words for what a plug-in does, by its classes: "Reverb", "Compressor".
    static func tags(of plugin: PluginDescription) -> [String] {
        plugin.classes.compactMap { uri -> String? in
            guard uri.hasPrefix(PluginDescription.core), uri.hasSuffix("Plugin") else { return nil }
            let name = uri.dropFirst(PluginDescription.core.count).dropLast("Plugin".count)
            return name.isEmpty ? nil : String(name)
        }
    }
}

extension PluginError {
    /// As AVFAudio reports it.
    var asOssicleError: OssicleError {
        let parts = parts
        return .avfaudio(status, parts.object, value: parts.value, rule: parts.rule, cure: parts.cure)
    }

    private var status: OSStatus {
        switch self {
        case .noLibrary, .unknown, .unsupported, .bundle: kAudioComponentErr_UnsupportedType
        case .noProcess: kAudioComponentErr_NotPermitted
        case .refused: kAudioUnitErr_FailedInitialization
        case .foreignState: kAudioUnitErr_InvalidFile
        case .crashed: kAudioComponentErr_InstanceInvalidated
        case .hung: kAudioComponentErr_InstanceTimedOut
        case .late: kAudioUnitErr_RenderTimeout
        case .notFinite: kAudioUnitErr_InvalidParameterValue
        }
    }
}
