import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleNodes
import OssicleProperties

/// Properties of the spatial mixer.
enum SpatialProperties {
    static var table: [AudioUnitPropertyID: UnitProperty] {
        [
            kAudioUnitProperty_ReverbRoomType: choice(\.room),
            kAudioUnitProperty_UsesInternalReverb: .flag(read: hasReverb, write: setReverb),
            kAudioUnitProperty_SpatializationAlgorithm: choice(ofInput: \.algorithm),
            kAudioUnitProperty_SpatialMixerRenderingFlags: .value(
                input, .busses, read: { try read($0, \.inputs[Int($0.element)].flags).rawValue },
                write: { place, bits in
                    try edit(place) {
                        $0.inputs[Int(place.element)].flags = AUSpatialMixerRenderingFlags(rawValue: bits)
                    }
                }),
            kAudioUnitProperty_SpatialMixerSourceMode: choice(ofInput: \.mode),
            kAudioUnitProperty_SpatialMixerDistanceParams: .value(
                input, .busses, read: distances, write: setDistances),
            kAudioUnitProperty_SpatialMixerAttenuationCurve: choice(ofInput: \.curve),
            kAudioUnitProperty_SpatialMixerOutputType: choice(\.outputType),
            kAudioUnitProperty_SpatialMixerPointSourceInHeadMode: choice(ofInput: \.inHead),
            kAudioUnitProperty_SpatialMixerEnableHeadTracking: flag(\.tracksHead),
            kAudioUnitProperty_SpatialMixerPersonalizedHRTFMode: choice(\.hrtfMode),
            kAudioUnitProperty_SpatialMixerAnyInputIsUsingPersonalizedHRTF: .flag(read: {
                try edit($0) { _ in false }
            }),
        ]
    }

    private static let input = [kAudioUnitScope_Input]
    private typealias Settings = SpatialDesk.Settings

    /// Calls `body` with the settings of the mixer; the renderers follow them.
    private static func edit<Result>(
        _ place: UnitPlace, _ body: (inout Settings) throws -> Result
    ) throws -> Result {
        func edit(_ desk: any MixerDesk) throws -> Result {
            guard let desk = desk as? SpatialDesk else { throw StatusError(kAudioUnitErr_InvalidProperty) }
            return try body(&desk.settings)
        }
        let result = try (place.unit.body as? MixerBody)?.edit(edit) ?? (place.unit as? NodeUnit)?.mixer?.edit(edit)
        guard let result else { throw StatusError(kAudioUnitErr_InvalidProperty) }
        return result
    }

    private static func read<Value>(_ place: UnitPlace, _ path: WritableKeyPath<Settings, Value>) throws -> Value {
        try edit(place) { $0[keyPath: path] }
    }

    private static func choice<Choice: RawRepresentable<UInt32>>(
        _ path: WritableKeyPath<Settings, Choice>
    ) -> UnitProperty {
        .choice(read: { try read($0, path) }, write: { place, value in try edit(place) { $0[keyPath: path] = value } })
    }

    private static func choice<Choice: RawRepresentable<UInt32>>(
        ofInput path: WritableKeyPath<SpatialDesk.InputSettings, Choice>
    ) -> UnitProperty {
        .choice(
            input, .busses,
            read: { place in try edit(place) { $0.inputs[Int(place.element)][keyPath: path] } },
            write: { place, value in try edit(place) { $0.inputs[Int(place.element)][keyPath: path] = value } })
    }

    private static func flag(_ path: WritableKeyPath<Settings, Bool>) -> UnitProperty {
        .flag(read: { try read($0, path) }, write: { place, value in try edit(place) { $0[keyPath: path] = value } })
    }

    // Instruments have the property under the same number.

    private static func hasReverb(_ place: UnitPlace) throws -> Bool {
        try (place.unit.body as? InstrumentBody)?.hasEffects ?? read(place, \.hasReverb)
    }

    private static func setReverb(_ place: UnitPlace, _ isOn: Bool) throws {
        if let instrument = place.unit.body as? InstrumentBody { return instrument.hasEffects = isOn }
        try edit(place) { $0.hasReverb = isOn }
    }

    private static func distances(_ place: UnitPlace) throws -> MixerDistanceParams {
        let distances = try read(place, \.inputs[Int(place.element)].distances)
        return MixerDistanceParams(
            mReferenceDistance: distances.reference, mMaxDistance: distances.maximum,
            mMaxAttenuation: distances.attenuation)
    }

    private static func setDistances(_ place: UnitPlace, _ value: MixerDistanceParams) throws {
        let numbers = [value.mReferenceDistance, value.mMaxDistance, value.mMaxAttenuation]
        guard numbers.allSatisfy({ $0.isFinite && $0 >= 0 }), value.mReferenceDistance > 0 else {
            throw StatusError(kAudioUnitErr_InvalidPropertyValue)
        }
        var distances = SpatialInput.Distances()
        (distances.reference, distances.maximum) = (value.mReferenceDistance, value.mMaxDistance)
        distances.attenuation = value.mMaxAttenuation
        try edit(place) { $0.inputs[Int(place.element)].distances = distances }
    }
}
