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
        return state
    }

    /// Throws for another unit's state, and for damaged data; then nothing has changed.
    static func restore(_ state: [String: Any], to unit: AUAudioUnit) throws {
        let own = unit.componentDescription
        for (key, code) in [("type", own.componentType), ("subtype", own.componentSubType), ("manufacturer", own.componentManufacturer)] {
            guard let value = number(state[key]) else { continue }
            if value != Int(code) { throw UnitFault.wrongPreset(unit.audioUnitName ?? "AUAudioUnit", "\(key) \(value)", "A state belongs to the unit it was taken from.") }
        }
        var values: [(AUParameterAddress, Float)] = []
        if let data = state["data"] as? Data {
            guard let read = PresetState.values(in: data) else {
                throw UnitFault.wrongPreset(unit.audioUnitName ?? "AUAudioUnit", "\(data.count) bytes of parameters", "They have to be complete.")
            }
            values = read
        }
        if let number = number(state["preset-number"]), let preset = unit.factoryPresets?.first(where: { $0.number == number }) { unit.currentPreset = preset }
        guard let tree = unit.parameterTree else { return }
        for (address, value) in values { tree.parameter(withAddress: address)?.value = value }
    }

    /// Foundation reads numbers from a property list as several types.
    private static func number(_ value: Any?) -> Int? { (value as? NSNumber)?.intValue ?? value as? Int }
}
