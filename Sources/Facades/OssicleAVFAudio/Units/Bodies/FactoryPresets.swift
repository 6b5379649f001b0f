import OssicleAudioToolbox
import OssicleDSP

/// The maker's presets of a unit, by their numbers.
struct FactoryPresets {
    let names: [String]
    private let tree: AUParameterTree
    private let reverb: ReverbDriver?

    init(_ unit: UnitDescription, _ tree: AUParameterTree, _ driver: any UnitDriver) {
        self.tree = tree
        reverb = driver as? ReverbDriver
        switch unit.component.componentSubType {
        case kAudioUnitSubType_Reverb2: names = ReverbPreset.factory.map { Self.words($0.rawValue) }
        case kAudioUnitSubType_Distortion: names = DistortionPreset.allCases.map { Self.words("\($0)") }
        default: names = []
        }
    }

    /// What is no parameter. Under the lock of the driver.
    func choose(_ number: Int) {
        if names.indices.contains(number) { reverb?.preset = ReverbPreset(factoryNumber: number) }
    }

    func setParameters(_ number: Int) {
        guard names.indices.contains(number) else { return }
        let values = reverb == nil ? Self.distortion(number) : Self.room(number)
        for (id, value) in values { tree.parameter(withAddress: AUParameterAddress(id))?.value = value }
    }

    private static func room(_ number: Int) -> [(AudioUnitParameterID, Float)] {
        let numbers = ReverbEffect.Parameters(preset: ReverbPreset(factoryNumber: number))
        return [(kReverb2Param_MinDelayTime, numbers.minDelayTime), (kReverb2Param_MaxDelayTime, numbers.maxDelayTime),
                (kReverb2Param_DecayTimeAt0Hz, numbers.decayTimeAt0Hz), (kReverb2Param_DecayTimeAtNyquist, numbers.decayTimeAtNyquist)]
    }

    private static func distortion(_ number: Int) -> [(AudioUnitParameterID, Float)] {
        let settings = (DistortionPreset(rawValue: UInt8(clamping: number)) ?? .drumsBitBrush).settings
        return UnitDrivers.distortionFields.map { ($0.0, settings[keyPath: $0.1]) }
    }

    /// `largeHall2` as `Large Hall 2`.
    static func words(_ name: String) -> String {
        var text = ""
        for character in name {
            if character.isUppercase || character.isNumber && text.last?.isNumber == false { text += " " }
            text += text.isEmpty ? character.uppercased() : String(character)
        }
        return text
    }
}
