import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleProperties

/// Properties of presets and states.
enum PresetProperties {
    static var table: [AudioUnitPropertyID: UnitProperty] {
        [
            kAudioUnitProperty_FactoryPresets: .object(NSArray.self, read: factoryPresets),
            kAudioUnitProperty_PresentPreset: .value(isPure: false, read: presentPreset, write: choose),
            kAudioUnitProperty_ClassInfo: .object(
                NSDictionary.self, read: { try state($0.unit.fullState) },
                write: { place, state in try UnitState.restore(dictionary(state), to: place.unit) }),
            kAudioUnitProperty_ClassInfoFromDocument: .object(
                NSDictionary.self, read: { try state($0.unit.fullStateForDocument) },
                write: { $0.unit.fullStateForDocument = dictionary($1) }),
        ]
    }

    private static func factoryPresets(_ place: UnitPlace) throws -> NSArray {
        guard let presets = place.unit.factoryPresets, !presets.isEmpty else {
            throw StatusError(kAudioUnitErr_InvalidProperty)
        }
        return NSArray(array: presets.map { LentPreset(Int32(clamping: $0.number), $0.name) })
    }

    private static func presentPreset(_ place: UnitPlace) -> AUPreset {
        let preset = place.unit.currentPreset
        return AUPreset(
            presetNumber: Int32(clamping: preset?.number ?? -1),
            presetName: Unmanaged.passRetained(NSString(string: preset?.name ?? "Untitled")))
    }

    private static func choose(_ place: UnitPlace, _ preset: AUPreset) throws {
        if preset.presetNumber < 0 {
            let own = AUAudioUnitPreset()
            (own.number, own.name) = (
                Int(preset.presetNumber), preset.presetName.map { "\($0.takeUnretainedValue())" } ?? ""
            )
            return place.unit.set(\.preset, own)
        }
        guard let found = place.unit.factoryPresets?.first(where: { $0.number == Int(preset.presetNumber) }) else {
            throw StatusError(kAudioUnitErr_InvalidPropertyValue)
        }
        place.unit.currentPreset = found
    }

    private static func state(_ state: [String: Any]?) throws -> NSDictionary {
        guard let state else { throw StatusError(kAudioUnitErr_PropertyNotInUse) }
        return NSDictionary(dictionary: state)
    }

    private static func dictionary(_ state: NSDictionary) -> [String: Any] {
        state.reduce(into: [:]) { if let key = $1.key as? String { $0[key] = $1.value } }
    }
}

/// An `AUPreset` in an array of objects: its memory lives as long as the array does.
final class LentPreset: NSObject, CArrayValue {
    let pointer: UnsafeRawPointer
    private let name: NSString

    init(_ number: Int32, _ name: String) {
        self.name = NSString(string: name)
        let memory = UnsafeMutablePointer<AUPreset>.allocate(capacity: 1)
        memory.initialize(to: AUPreset(presetNumber: number, presetName: Unmanaged.passUnretained(self.name)))
        pointer = UnsafeRawPointer(memory)
    }

    deinit { pointer.deallocate() }
}
