// A component that units are made of, and what is known of it without making one.

import OssicleAudioToolbox
import OssicleNodes

/// Type name of outputs.
public let AVAudioUnitTypeOutput = "Output"
/// Type name of instruments.
public let AVAudioUnitTypeMusicDevice = "MusicDevice"
/// Type name of effects with MIDI.
public let AVAudioUnitTypeMusicEffect = "MusicEffect"
/// Type name of converters.
public let AVAudioUnitTypeFormatConverter = "FormatConverter"
/// Type name of effects.
public let AVAudioUnitTypeEffect = "Effect"
/// Type name of mixers.
public let AVAudioUnitTypeMixer = "Mixer"
/// Type name of panners.
public let AVAudioUnitTypePanner = "Panner"
/// Type name of generators.
public let AVAudioUnitTypeGenerator = "Generator"
/// Type name of effects that do not work in real time.
public let AVAudioUnitTypeOfflineEffect = "OfflineEffect"
/// Type name of MIDI processors.
public let AVAudioUnitTypeMIDIProcessor = "MIDIProcessor"
/// Apple's name as a maker; the built-in units bear it, because clients look for it.
public let AVAudioUnitManufacturerNameApple = "Apple"

/// A component. Any thread.
open class AVAudioUnitComponent: NSObject, @unchecked Sendable {
    /// The component in the C interface's spelling.
    public let audioComponent: AudioComponent
    /// Type, subtype and maker.
    public let audioComponentDescription: AudioComponentDescription
    private let title: ComponentName
    private let registeredVersion: UInt32
    private let component: RegisteredComponent

    init(_ handle: AudioComponent, _ component: RegisteredComponent) {
        (audioComponent, audioComponentDescription, registeredVersion) = (
            handle, component.description, component.version
        )
        title = ComponentName(component.name)
        self.component = component
    }

    /// Name without the maker.
    open var name: String { title.name }
    /// The maker.
    open var manufacturerName: String { title.maker }
    /// What it does: one of the `AVAudioUnitType…` names; "Unknown" for a type without one.
    open var typeName: String { Self.typeNames[audioComponentDescription.componentType] ?? "Unknown" }
    /// The same; there are no translations.
    open var localizedTypeName: String { typeName }
    /// 0xMMMMmmDD: major, minor, patch.
    open var version: Int { Int(registeredVersion) }
    /// The version as "major.minor.patch".
    open var versionString: String {
        "\(registeredVersion >> 16).\(registeredVersion >> 8 & 0xFF).\(registeredVersion & 0xFF)"
    }
    /// The bundle of an LV2 plug-in; `nil` for other components, which are not files.
    open var componentURL: URL? {
        PluginComponents.plugin(for: audioComponentDescription).map {
            URL(fileURLWithPath: $0.bundle, isDirectory: true)
        }
    }
    /// Always `nil`.
    open var iconURL: URL? { nil }
    /// Always empty.
    open var availableArchitectures: [NSNumber] { [] }
    /// Always true.
    open var isSandboxSafe: Bool { true }
    /// Whether MIDI goes in.
    open var hasMIDIInput: Bool {
        [
            kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect, kAudioUnitType_MIDIProcessor,
            kAudioUnitType_RemoteInstrument, kAudioUnitType_RemoteMusicEffect,
        ]
        .contains(audioComponentDescription.componentType)
    }
    /// Whether MIDI comes out.
    open var hasMIDIOutput: Bool {
        PluginComponents.plugin(for: audioComponentDescription).map { $0.midiOutput != nil }
            ?? (audioComponentDescription.componentType == kAudioUnitType_MIDIProcessor)
    }
    /// Whether it passes `AudioComponentValidate`, which is run when this is first asked; built-in units do.
    open var passesAUVal: Bool {
        UnitCatalogue.unit(for: audioComponentDescription) != nil
            || ComponentValidation.result(of: component) == .passed
    }
    /// Always false.
    open var hasCustomView: Bool { false }
    /// Of an LV2 plug-in its URI, under "LV2URI"; empty for other components.
    open var configurationDictionary: [String: Any] {
        PluginComponents.plugin(for: audioComponentDescription).map { ["LV2URI": $0.uri] } ?? [:]
    }

    /// Words the user has attached. They are kept on disk, for all programs of the user.
    open var userTagNames: [String] {
        get { ComponentTags.user(audioComponentDescription) }
        set {
            ComponentTags.set(newValue, for: audioComponentDescription)
            NotificationCenter.default.post(name: .AVAudioUnitComponentTagsDidChange, object: self)
        }
    }

    /// The maker's words, then the user's, each once.
    open var allTagNames: [String] {
        let own = ComponentTags.maker(audioComponentDescription)
        return own + userTagNames.filter { !own.contains($0) }
    }

    /// Whether it works with so many channels. Built-in units say, LV2 plug-ins take any that have a side; of others
    /// nothing is known, which counts as no.
    @discardableResult
    open func supportsNumberInputChannels(_ numInputChannels: Int, outputChannels numOutputChannels: Int) -> Bool {
        guard numInputChannels >= 0, numOutputChannels > 0 else { return false }
        if let plugin = PluginComponents.plugin(for: audioComponentDescription) {
            return (plugin.audioInputs > 0) == (numInputChannels > 0)
        }
        return UnitCatalogue.unit(for: audioComponentDescription)?.channels.allows(
            numInputChannels, numOutputChannels) ?? false
    }

    private static let typeNames: [OSType: String] = [
        kAudioUnitType_Output: AVAudioUnitTypeOutput, kAudioUnitType_MusicDevice: AVAudioUnitTypeMusicDevice,
        kAudioUnitType_MusicEffect: AVAudioUnitTypeMusicEffect,
        kAudioUnitType_FormatConverter: AVAudioUnitTypeFormatConverter,
        kAudioUnitType_Effect: AVAudioUnitTypeEffect, kAudioUnitType_Mixer: AVAudioUnitTypeMixer,
        kAudioUnitType_Panner: AVAudioUnitTypePanner,
        kAudioUnitType_Generator: AVAudioUnitTypeGenerator, kAudioUnitType_OfflineEffect: AVAudioUnitTypeOfflineEffect,
        kAudioUnitType_MIDIProcessor: AVAudioUnitTypeMIDIProcessor,
    ]
}

extension UnitDescription.Channels {
    /// Whether numbers of channels go together.
    func allows(_ inputs: Int, _ outputs: Int) -> Bool {
        guard self.inputs < 0 || self.inputs == inputs else { return false }
        switch (self.inputs, self.outputs) {
        case (-1, -1): return inputs == outputs
        case (_, ..<0): return true
        default: return self.outputs == outputs
        }
    }
}

extension NSNotification.Name {
    /// A component's `userTagNames` were set; the object is the component.
    public static let AVAudioUnitComponentTagsDidChange = NSNotification.Name(
        "AVAudioUnitComponentTagsDidChangeNotification")
}

/// All components that are units: the built-in ones, then those that were registered. Any thread.
open class AVAudioUnitComponentManager: NSObject, @unchecked Sendable {
    private static let manager = AVAudioUnitComponentManager()

    /// The one there is.
    @discardableResult
    public class func shared() -> AVAudioUnitComponentManager { manager }

    /// All words attached to components, by makers and the user, in alphabetical order.
    open var tagNames: [String] { Set(standardLocalizedTagNames + ComponentTags.all).sorted() }
    /// The words that built-in units bear; there are no translations.
    open var standardLocalizedTagNames: [String] { ComponentTags.standard }

    /// The components `predicate` says yes to; on Linux, a predicate is made of a block.
    @discardableResult
    open func components(matching predicate: NSPredicate) -> [AVAudioUnitComponent] {
        all.filter { predicate.evaluate(with: $0) }
    }

    /// The components `testHandler` says yes to, until it sets its second argument.
    @discardableResult
    open func components(
        passingTest testHandler: (AVAudioUnitComponent, UnsafeMutablePointer<ObjCBool>) -> Bool
    ) -> [AVAudioUnitComponent] {
        var found: [AVAudioUnitComponent] = []
        var stops = ObjCBool(false)
        for component in all where !stops.boolValue {
            if testHandler(component, &stops) { found.append(component) }
        }
        return found
    }

    /// The components of a type, subtype and maker; 0 is any.
    @discardableResult
    open func components(matching desc: AudioComponentDescription) -> [AVAudioUnitComponent] {
        let registry = ComponentRegistry.shared
        return registry.handles(matching: desc).compactMap { handle in
            registry.component(of: handle).flatMap { $0.isUnit ? AVAudioUnitComponent(handle, $0) : nil }
        }
    }

    private var all: [AVAudioUnitComponent] { components(matching: AudioComponentDescription()) }

    /// Posted when a component was registered.
    public static let registrationsChangedNotification = NSNotification.Name(
        "AVAudioUnitComponentManagerRegistrationsChangedNotification")
}
