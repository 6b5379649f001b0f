import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleProperties

/// Properties of output units.
enum OutputProperties {
    static var table: [AudioUnitPropertyID: UnitProperty] {
        let sides = UnitProperty.sides
        return [
            kAudioOutputUnitProperty_IsRunning: .flag(read: {
                try output($0); return $0.interface.isRunning
            }),
            kAudioOutputUnitProperty_CurrentDevice: .value(
                read: {
                    try device($0); return defaultDevice
                }, write: setDevice),
            kAudioOutputUnitProperty_ChannelMap: .list(
                sides + UnitProperty.global, .any, read: channelMap, write: setChannelMap),
            kAudioOutputUnitProperty_EnableIO: .flag(sides, .any, read: isEnabled, write: setEnabled),
            kAudioOutputUnitProperty_HasIO: .flag(
                sides, .any,
                read: {
                    try device($0); return try isOutputSide($0)
                }),
            kAudioOutputUnitProperty_SetInputCallback: .order(UnitProperty.global) {
                (place: UnitPlace, callback: AURenderCallbackStruct) in
                try device(place)
                place.interface.keep { $0.inputCallback = callback }
            },
        ]
    }

    /// The number of the one device there is.
    private static let defaultDevice: AudioObjectID = 1

    private static func output(_ place: UnitPlace) throws {
        guard place.unit.componentDescription.componentType == kAudioUnitType_Output else {
            throw StatusError(kAudioUnitErr_InvalidProperty)
        }
    }

    private static func device(_ place: UnitPlace) throws {
        guard place.unit.hardware != nil else { throw StatusError(kAudioUnitErr_InvalidProperty) }
    }

    private static func setDevice(_ place: UnitPlace, _ device: AudioObjectID) throws {
        try self.device(place)
        guard device == defaultDevice || device == kAudioObjectUnknown else {
            throw StatusError(kAudioUnitErr_InvalidPropertyValue)
        }
    }

    /// Sound goes out through element 0 and would come in through element 1.
    private static func isOutputSide(_ place: UnitPlace) throws -> Bool {
        switch (place.scope, place.element) {
        case (kAudioUnitScope_Output, 0): return true
        case (kAudioUnitScope_Input, 1): return false
        default: throw StatusError(kAudioUnitErr_InvalidElement)
        }
    }

    private static func isEnabled(_ place: UnitPlace) throws -> Bool {
        try device(place)
        return try isOutputSide(place) ? place.unit.isOutputEnabled : place.unit.isInputEnabled
    }

    private static func setEnabled(_ place: UnitPlace, _ isOn: Bool) throws {
        try device(place)
        let isOutput = try isOutputSide(place)
        try place.requireUninitialized()
        if isOutput { return place.unit.isOutputEnabled = isOn }
        if isOn { throw StatusError(kAudioUnitErr_InvalidPropertyValue) }
    }

    /// Without a map, each channel goes to the one of its number.
    private static func channelMap(_ place: UnitPlace) throws -> [Int32] {
        try output(place)
        let count = Int32(place.unit.outputBusses[0].format.channelCount),
            heard = Int32(place.unit.inputBusses[0].format.channelCount)
        return place.unit.channelMap?.map(\.int32Value) ?? (0..<count).map { $0 < heard ? $0 : -1 }
    }

    private static func setChannelMap(_ place: UnitPlace, _ map: [Int32]) throws {
        try output(place)
        try place.requireUninitialized()
        place.unit.channelMap = map.isEmpty ? nil : map.map { NSNumber(value: $0) }
    }
}
