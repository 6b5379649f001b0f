import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleNodes
import OssicleProperties

/// Properties of mixers, and of the equaliser of bands.
enum MixerProperties {
    static var table: [AudioUnitPropertyID: UnitProperty] {
        [
            kAudioUnitProperty_MatrixDimensions: .list(read: {
                let size = try matrixSize($0); return [UInt32(size.inputs), UInt32(size.outputs)]
            }),
            kAudioUnitProperty_MatrixLevels: .list(read: matrixLevels, write: setMatrixLevels),
            kAudioUnitProperty_MeteringMode: .flag(UnitProperty.sides, .any, read: isMetered, write: setMetered),
            kAUNBandEQProperty_NumberOfBands: .value(read: bandCount),
            kAUNBandEQProperty_MaxNumberOfBands: .value(read: bandCount),
        ]
    }

    private static func matrixSize(_ place: UnitPlace) throws -> (inputs: Int, outputs: Int) {
        guard place.unit.componentDescription.isSameUnit(as: MixerUnits.matrixMixer.component) else {
            throw StatusError(kAudioUnitErr_InvalidProperty)
        }
        func channels(_ busses: AUAudioUnitBusArray) -> Int { busses.reduce(0) { $0 + Int($1.format.channelCount) } }
        return (channels(place.unit.inputBusses), channels(place.unit.outputBusses))
    }

    /// Calls `body` with the volume at each place of the matrix: inputs + 1 rows, outputs + 1 columns. `nil` beyond the
    /// channels that have parameters.
    private static func forEachLevel(_ place: UnitPlace, _ body: (AUParameter?) -> Void) throws {
        let size = try matrixSize(place)
        let tree = place.interface.parameterTree
        func volume(_ scope: AudioUnitScope, _ element: Int) -> AUParameter? {
            tree?.parameter(withID: kMatrixMixerParam_Volume, scope: scope, element: AudioUnitElement(element))
        }
        for input in 0..<size.inputs {
            for output in 0..<size.outputs { body(volume(kAudioUnitScope_Global, input << 16 | output)) }
            body(volume(kAudioUnitScope_Input, input))
        }
        for output in 0..<size.outputs { body(volume(kAudioUnitScope_Output, output)) }
        body(volume(kAudioUnitScope_Global, Int(AudioUnitElement.max)))
    }

    private static func matrixLevels(_ place: UnitPlace) throws -> [Float32] {
        var levels: [Float32] = []
        try forEachLevel(place) { levels.append($0?.value ?? 0) }
        return levels
    }

    private static func setMatrixLevels(_ place: UnitPlace, _ levels: [Float32]) throws {
        let size = try matrixSize(place)
        guard levels.count == (size.inputs + 1) * (size.outputs + 1), levels.allSatisfy({ !$0.isNaN }) else {
            throw StatusError(kAudioUnitErr_InvalidPropertyValue)
        }
        var next = 0
        try forEachLevel(place) {
            $0?.value = levels[next]
            next += 1
        }
    }

    /// Where a place is metered; an element is a bus, or a channel of the matrix mixer.
    private static func meter(_ place: UnitPlace) throws -> (MixerMeters, MixerMeters.Element) {
        guard let meters = place.unit.mixerMeters else { throw StatusError(kAudioUnitErr_InvalidProperty) }
        return (meters, MixerMeters.Element(scope: place.scope, number: Int(place.element)))
    }

    private static func isMetered(_ place: UnitPlace) throws -> Bool {
        let (meters, element) = try meter(place)
        return meters.isOn(element)
    }

    private static func setMetered(_ place: UnitPlace, _ isOn: Bool) throws {
        let (meters, element) = try meter(place)
        meters.set(isOn, element)
    }

    private static func bandCount(_ place: UnitPlace) throws -> UInt32 {
        guard place.unit.componentDescription.isSameUnit(as: FilterUnits.bandEQ.component) else {
            throw StatusError(kAudioUnitErr_InvalidProperty)
        }
        let numbers = (place.interface.parameterTree?.allParameters ?? []).map {
            AudioUnitParameterID(truncatingIfNeeded: $0.address)
        }
        return UInt32(numbers.count { (kAUNBandEQParam_Frequency..<kAUNBandEQParam_Gain).contains($0) })
    }
}
