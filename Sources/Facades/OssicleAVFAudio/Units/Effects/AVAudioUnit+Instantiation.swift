// From a description to the class that hosts it.

import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleNodes

extension AVAudioUnit {
    /// Makes the unit that `audioComponentDescription` finds and hands it to `completionHandler` on another thread: an
    /// `AVAudioUnitEffect`, `AVAudioUnitTimeEffect`, `AVAudioUnitGenerator` or `AVAudioUnitMIDIInstrument`, as its type
    /// asks for, or an error. LV2 plug-ins get a process of their own, unless the options have `.loadInProcess`; every
    /// other unit lives in this process.
    public class func instantiate(
        with audioComponentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = [],
        completionHandler: @escaping @Sendable (AVAudioUnit?, (any Error)?) -> Void
    ) {
        DispatchQueue.global().async {
            do { completionHandler(try make(audioComponentDescription, options), nil) } catch {
                completionHandler(nil, error)
            }
        }
    }

    /// As `instantiate(with:options:completionHandler:)`.
    public class func instantiate(
        with audioComponentDescription: AudioComponentDescription,
        options: AudioComponentInstantiationOptions = []
    ) async throws -> sending AVAudioUnit {
        try make(audioComponentDescription, options)
    }

    /// The unit of the first component that fits; zeros fit any.
    static func make(
        _ wanted: AudioComponentDescription, _ options: AudioComponentInstantiationOptions = []
    ) throws -> sending AVAudioUnit {
        let registry = ComponentRegistry.shared
        guard let found = registry.handles(matching: wanted).first.flatMap({ registry.component(of: $0) })?.description
        else { throw UnitFault.unknown(wanted) }
        // What refuses to be made is an error here, and a node without a unit where a class is made directly.
        if PluginComponents.plugin(for: found) != nil {
            return node(hosting: try AUAudioUnit(componentDescription: found, options: options))
        }
        if AVAudioUnitEffect.types.contains(found.componentType) {
            return AVAudioUnitEffect(audioComponentDescription: found)
        }
        if AVAudioUnitGenerator.types.contains(found.componentType) {
            return AVAudioUnitGenerator(audioComponentDescription: found)
        }
        if AVAudioUnitMIDIInstrument.types.contains(found.componentType) {
            return AVAudioUnitMIDIInstrument(audioComponentDescription: found)
        }
        if found.componentType == kAudioUnitType_FormatConverter {
            return AVAudioUnitTimeEffect(audioComponentDescription: found)
        }
        let mixers = [MixerUnits.multiChannelMixer, MixerUnits.matrixMixer, MixerUnits.spatialMixer]
        if mixers.contains(where: { found.isSameUnit(as: $0.component) }) { return MixerUnit(unit: found) }
        return AVAudioUnit(unit: found)
    }

    /// The node for a plug-in that is loaded.
    private static func node(hosting unit: sending AUAudioUnit) -> sending AVAudioUnit {
        switch unit.componentDescription.componentType {
        case kAudioUnitType_Generator: AVAudioUnitGenerator(hosting: unit)
        case kAudioUnitType_MusicDevice: AVAudioUnitMIDIInstrument(hosting: unit)
        case kAudioUnitType_MIDIProcessor: AVAudioUnit(unit: unit.componentDescription, hosting: unit)
        default: AVAudioUnitEffect(hosting: unit)
        }
    }
}

extension AVAudioUnit {
    /// Units that make sound of nothing.
    static let typesWithoutInput = AVAudioUnitGenerator.types + AVAudioUnitMIDIInstrument.types
}

/// What can be wrong with a unit.
enum UnitFault {
    static func notANumber(_ object: String) -> OssicleError {
        .avfaudio(
            kAudioUnitErr_InvalidParameterValue, object, value: "a value that is not a number",
            rule: "Parameters are numbers.",
            cure: "Check the computation it comes from; the old value stays.")
    }

    static func unknown(_ description: AudioComponentDescription) -> OssicleError {
        .avfaudio(
            kAudioComponentErr_UnsupportedType, "AVAudioUnit", value: "no component \(text(description))",
            rule: "A unit is made from a component that is built in or registered.",
            cure: "Look for components with AVAudioUnitComponentManager." + PluginComponents.cure(for: description))
    }

    static func wrongType(_ object: String, _ description: AudioComponentDescription) -> OssicleError {
        .avfaudio(
            kAudioComponentErr_UnsupportedType, object, value: "component \(text(description))",
            rule: "This class does not host components of that type.",
            cure: "Use AVAudioUnit.instantiate, which chooses the class.")
    }

    static func wrongPreset(_ object: String, _ value: String, _ rule: String) -> OssicleError {
        .avfaudio(
            kAudioUnitErr_InvalidFile, object, value: value, rule: rule,
            cure: "Use a preset that was saved from this unit.")
    }

    /// `'aufx' 'dely' 'appl'`.
    static func text(_ description: AudioComponentDescription) -> String {
        [description.componentType, description.componentSubType, description.componentManufacturer].map { code in
            let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
            return bytes.allSatisfy { (0x20...0x7E).contains($0) }
                ? "'" + String(decoding: bytes, as: UTF8.self) + "'" : "\(code)"
        }.joined(separator: " ")
    }
}
