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
                    try device($0); return try isOutputSide($0) || $0.unit.canPerformInput
                }),
            kAudioOutputUnitProperty_SetInputCallback: .order(UnitProperty.global, write: setInputCallback),
            kAudioOutputUnitProperty_StartTime: .order(UnitProperty.global, write: setStartTime),
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

    /// Sound goes out through element 0 and comes in through element 1.
    private static func isOutputSide(_ place: UnitPlace) throws -> Bool {
        switch (place.scope, place.element) {
        case (kAudioUnitScope_Output, 0): return true
        case (kAudioUnitScope_Input, 1) where place.unit.hardware?.input != nil: return false
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
        if isOutput { place.unit.isOutputEnabled = isOn } else { place.unit.isInputEnabled = isOn }
    }

    private static func setInputCallback(_ place: UnitPlace, _ callback: AURenderCallbackStruct) throws {
        try device(place)
        guard let function = callback.inputProc else { return place.unit.inputHandler = nil }
        nonisolated(unsafe) let reference = callback.inputProcRefCon
        place.unit.inputHandler = { flags, time, frames, bus in
            _ = function(CReference.pass(reference), flags, time, UInt32(bus), frames, nil)
        }
    }

    /// For the next start; the host time alone counts.
    private static func setStartTime(_ place: UnitPlace, _ start: AudioOutputUnitStartAtTimeParams) throws {
        try device(place)
        guard start.mTimestamp.mFlags.contains(.hostTimeValid) else {
            throw StatusError(kAudioUnitErr_InvalidPropertyValue)
        }
        place.unit.set(\.startTime, start.mTimestamp.mHostTime)
    }

    /// Element 0: the client's channel of each of the device's; element 1 the reverse. Without a map, each channel is
    /// that of its number.
    private static func channelMap(_ place: UnitPlace) throws -> [Int32] {
        try output(place)
        let unit = place.unit, bus = Int(place.element)
        guard bus < unit.outputBusses.count else { throw StatusError(kAudioUnitErr_InvalidElement) }
        if let map = bus == 0 ? unit.channelMap?.map(\.int32Value) : unit.setting(\.inputChannelMap)?.map(Int32.init) {
            return map
        }
        let heard = Int32(unit.inputBusses[bus].format.channelCount)
        return (0..<Int32(unit.outputBusses[bus].format.channelCount)).map { $0 < heard ? $0 : -1 }
    }

    private static func setChannelMap(_ place: UnitPlace, _ map: [Int32]) throws {
        try output(place)
        guard Int(place.element) < place.unit.outputBusses.count else {
            throw StatusError(kAudioUnitErr_InvalidElement)
        }
        try place.requireUninitialized()
        if place.element == 0 {
            place.unit.channelMap = map.isEmpty ? nil : map.map { NSNumber(value: $0) }
        } else {
            place.unit.set(\.inputChannelMap, map.isEmpty ? nil : map.map(Int.init))
        }
    }
}
