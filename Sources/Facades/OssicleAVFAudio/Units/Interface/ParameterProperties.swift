import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleNodes
import OssicleProperties

/// Properties of parameters.
enum ParameterProperties {
    static var table: [AudioUnitPropertyID: UnitProperty] {
        let anywhere = UnitProperty.anywhere
        return [
            kAudioUnitProperty_ParameterList: .list(anywhere, .any, read: numbers),
            kAudioUnitProperty_ParameterInfo: .value(
                anywhere, .parameters, isPure: false, read: { Self.info(try $0.parameter($0.element), $0) }),
            kAudioUnitProperty_ParameterValueStrings: .object(NSArray.self, anywhere, .parameters, read: valueStrings),
            kAudioUnitProperty_DependentParameters: .list(anywhere, .parameters, read: dependents),
            kAudioUnitProperty_ParametersForOverview: .list(read: overview),
            kAudioUnitProperty_ParameterIDName: .question(idName),
            kAudioUnitProperty_ParameterStringFromValue: .question {
                (place: UnitPlace, question: AudioUnitParameterStringFromValue) in
                var answer = question
                answer.outString = Unmanaged.passRetained(
                    NSString(string: try place.parameter(question.inParamID).string(fromValue: question.inValue)))
                return answer
            },
            kAudioUnitProperty_ParameterValueFromString: .question {
                (place: UnitPlace, question: AudioUnitParameterValueFromString) in
                var answer = question
                answer.outValue = try place.parameter(question.inParamID).value(
                    from: "\(question.inString.takeUnretainedValue())")
                return answer
            },
        ]
    }

    private static func numbers(_ place: UnitPlace) -> [AudioUnitParameterID] {
        (place.interface.parameterTree?.allParameters ?? []).map(\.address).filter {
            ParameterPlace($0) == ParameterPlace(place.scope, place.element)
        }
        .map { AudioUnitParameterID(truncatingIfNeeded: $0) }
    }

    /// Names are lent: in the text with a 0 behind it, and as a string that the reader releases.
    private static func info(_ parameter: AUParameter, _ place: UnitPlace) -> AudioUnitParameterInfo {
        var info = AudioUnitParameterInfo()
        let short = Array(parameter.displayName.utf8.prefix(51))
        withUnsafeMutableBytes(of: &info.name) { $0.copyBytes(from: short) }
        info.cfNameString = Unmanaged.passRetained(NSString(string: parameter.displayName))
        info.unitName = parameter.unitName.map { Unmanaged.passRetained(NSString(string: $0)) }
        (info.unit, info.minValue, info.maxValue) = (parameter.unit, parameter.minValue, parameter.maxValue)
        info.defaultValue =
            UnitCatalogue.unit(for: place.unit.componentDescription)?.specification(of: parameter)?.defaultValue
            ?? parameter.minValue
        info.flags = parameter.flags.union([.flag_HasCFNameString, .flag_CFNameRelease])
        return info
    }

    private static func valueStrings(_ place: UnitPlace) throws -> NSArray {
        guard let strings = try place.parameter(place.element).valueStrings else {
            throw StatusError(kAudioUnitErr_InvalidProperty)
        }
        return NSArray(array: strings.map { NSString(string: $0) })
    }

    private static func dependents(_ place: UnitPlace) throws -> [AUDependentParameter] {
        guard let addresses = try place.parameter(place.element).dependentParameters?.map(\.uint64Value),
            !addresses.isEmpty
        else { throw StatusError(kAudioUnitErr_InvalidProperty) }
        return addresses.map {
            AUDependentParameter(
                mScope: ParameterPlace($0).scope, mParameterID: AudioUnitParameterID(truncatingIfNeeded: $0))
        }
    }

    private static func overview(_ place: UnitPlace) throws -> [AudioUnitParameter] {
        let addresses = place.unit.parametersForOverview(withCount: 16).map(\.uint64Value)
        guard !addresses.isEmpty else { throw StatusError(kAudioUnitErr_InvalidProperty) }
        return addresses.map {
            let own = ParameterPlace($0)
            return AudioUnitParameter(
                mAudioUnit: place.handle, mParameterID: AudioUnitParameterID(truncatingIfNeeded: $0), mScope: own.scope,
                mElement: own.element)
        }
    }

    private static func idName(
        _ place: UnitPlace, _ question: AudioUnitParameterIDName
    ) throws -> AudioUnitParameterIDName {
        let parameter = try place.parameter(question.inID)
        let name =
            question.inDesiredLength < 0
            ? parameter.displayName : parameter.displayName(withLength: Int(question.inDesiredLength))
        var answer = question
        answer.outName = Unmanaged.passRetained(NSString(string: name))
        return answer
    }
}

/// Scope and element in a parameter's address; see `AUParameterAddress(parameterID:scope:element:)`.
struct ParameterPlace: Equatable {
    let scope: AudioUnitScope
    let element: AudioUnitElement

    init(_ address: AUParameterAddress) {
        self.init(AudioUnitScope(address >> 56), AudioUnitElement(address >> 32 & 0xFF_FFFF))
    }

    init(_ scope: AudioUnitScope, _ element: AudioUnitElement) {
        (self.scope, self.element) = (scope, element == .max ? 0xFF_FFFF : element)
    }
}
