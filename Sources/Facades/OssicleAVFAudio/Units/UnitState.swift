import OssicleAudioToolbox
import OssicleCoreAudioTypes

/// A version 3 unit's state as a property list, in the shape of an `.aupreset` file; see `PresetState`.
enum UnitState {
    static func state(of unit: AUAudioUnit) -> [String: Any] {
        let description = unit.componentDescription
        var state: [String: Any] = [
            "version": 0, "type": Int(description.componentType), "subtype": Int(description.componentSubType),
            "manufacturer": Int(description.componentManufacturer), "name": unit.currentPreset?.name ?? "Untitled",
        ]
        if let tree = unit.parameterTree { state["data"] = PresetState.data(of: tree) }
        if let preset = unit.currentPreset, preset.number >= 0 { state["preset-number"] = preset.number }
        if let own = unit.body?.state { state.merge(own) { _, own in own } }
        return state
    }

    /// Throws for another unit's state, and for damaged data; then nothing has changed.
    static func restore(_ state: [String: Any], to unit: AUAudioUnit) throws {
        let own = unit.componentDescription
        for (key, code) in [
            ("type", own.componentType), ("subtype", own.componentSubType), ("manufacturer", own.componentManufacturer),
        ] {
            guard let value = number(state[key]) else { continue }
            if value != Int(code) {
                throw UnitFault.wrongPreset(
                    unit.audioUnitName ?? "AUAudioUnit", "\(key) \(value)",
                    "A state belongs to the unit it was taken from.")
            }
        }
        var values: [(AUParameterAddress, Float)] = []
        if let data = state["data"] as? Data {
            guard let read = PresetState.values(in: data) else {
                throw UnitFault.wrongPreset(
                    unit.audioUnitName ?? "AUAudioUnit", "\(data.count) bytes of parameters",
                    "They have to be complete.")
            }
            values = read
        }
        if let number = number(state["preset-number"]),
            let preset = unit.factoryPresets?.first(where: { $0.number == number })
        {
            unit.currentPreset = preset
        }
        try unit.body?.restore(state)
        guard let tree = unit.parameterTree else { return }
        for (address, value) in values { tree.parameter(withAddress: address)?.value = value }
    }

    /// Foundation reads numbers from a property list as several types.
    private static func number(_ value: Any?) -> Int? { (value as? NSNumber)?.intValue ?? value as? Int }
}

/// The state that a unit is given and keeps.
struct UnitSettings {
    var maximumFrames: AUAudioFrameCount = 512
    var preset: AUAudioUnitPreset?
    var isBypassed = false
    var quality = 127
    var isOffline = false
    var channelMap: [NSNumber]?
    /// The device's channel of each channel of bus 1, -1 for silence.
    var inputChannelMap: [Int]?
    var contextName: String?
    var musicalContext: AUHostMusicalContextBlock?
    var transportState: AUHostTransportStateBlock?
    var midiOutput: AUMIDIOutputEventBlock?
    var midiOutputList: AUMIDIEventListBlock?
    var midiOutputBufferSize = 0
    var hostProtocol = MIDIProtocolID._1_0
    var outputProvider: AURenderPullInputBlock?
    var inputHandler: AUInputHandler?
    var isInputEnabled = false
    var isOutputEnabled = true
    /// Host time at which the output begins, 0 for at once.
    var startTime: UInt64 = 0
}

/// Called by a unit to ask its host; takes and gives property lists.
public typealias CallHostBlock = ([AnyHashable: Any]) -> [AnyHashable: Any]

/// A way for host and unit to talk about what has no name in the interface.
public protocol AUMessageChannel: AnyObject {
    /// Asks the unit.
    func callAudioUnit(_ message: [AnyHashable: Any]) -> [AnyHashable: Any]
    /// Asks the host.
    var callHostBlock: CallHostBlock? { get set }
}

/// Answers nothing.
final class SilentChannel: AUMessageChannel {
    var callHostBlock: CallHostBlock?
    func callAudioUnit(_ message: [AnyHashable: Any]) -> [AnyHashable: Any] { [:] }
}

/// Makes units for a host.
public protocol AUAudioUnitFactory: AnyObject {
    /// A unit of a description.
    func createAudioUnit(with desc: AudioComponentDescription) throws -> AUAudioUnit
}

/// A unit that is the version 3 side of one the C interface knows as well: that of a built-in node.
open class AUAudioUnitV2Bridge: AUAudioUnit {
    /// The unit in the C interface's spelling.
    open var audioUnit: AudioUnit { AudioUnit(Unmanaged.passUnretained(self).toOpaque()) }
}

extension AUAudioUnitPreset {
    /// Presets numbered from 0.
    static func numbered(_ names: [String]) -> [AUAudioUnitPreset] {
        names.enumerated().map { number, name in
            let preset = AUAudioUnitPreset()
            (preset.number, preset.name) = (number, name)
            return preset
        }
    }
}
