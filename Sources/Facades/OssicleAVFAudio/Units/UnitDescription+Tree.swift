// From a description to a unit: its component, its parameter tree, its drivers.

import OssicleAudioToolbox
import OssicleCore
import OssicleNodes
import OssicleProperties

extension UnitDescription {
    /// The maker's code is `appl`, because clients search for that.
    var component: AudioComponentDescription { AudioComponentDescription(builtIn: type, subtype) }

    /// The effect's driver, which reads the values of a tree of this unit.
    func driver(of tree: AUParameterTree) -> (any UnitDriver)? {
        let driver = makeDriver?(UnitValues(of: tree))
        for meter in driver?.meters ?? [] {
            tree.parameter(withAddress: AUParameterAddress(meter.id))?.implementorValueProvider = { _ in meter.read() }
        }
        return driver
    }

    /// The time effect's driver, which reads the values of a tree of this unit.
    func exitDriver(of tree: AUParameterTree) -> (any ExitDriver)? { makeExitDriver?(UnitValues(of: tree)) }

    /// A fresh tree: every parameter at its default, at the address of its number, scope and element. Those of the unit
    /// stand at the top, those of bands and buses in groups `band0`, `input0`, `output0` and so on; a matrix mixer's
    /// elements are channels.
    ///
    /// Limits that follow the sample rate are set for `sampleRate`; see `adapt(_:to:)`. Numbers below 0 count as 0,
    /// above 1000 as 1000.
    func makeParameterTree(
        sampleRate: Double = 44_100, bandCount: Int = 16, inputCount: Int = 8
    ) -> AUParameterTree {
        func parameter(
            _ specification: UnitParameter, scope: AudioUnitScope = kAudioUnitScope_Global, element: Int = 0,
            band: Int = 0
        ) -> AUParameter {
            specification.makeParameter(sampleRate: sampleRate, scope: scope, element: element, band: band)
        }
        func groups(
            _ identifier: String, _ name: String, count: Int, of places: Set<UnitParameter.Place>,
            _ make: (UnitParameter, Int) -> AUParameter
        ) -> [AUParameterNode] {
            let members = parameters.filter { places.contains($0.place) }
            guard !members.isEmpty else { return [] }
            return (0..<min(max(count, 0), 1000)).map { index in
                AUParameterTree.createGroup(
                    withIdentifier: "\(identifier)\(index)", name: "\(name) \(index + 1)",
                    children: members.map { make($0, index) })
            }
        }
        let own: [AUParameterNode] = parameters.filter { $0.place == .unit }.map { parameter($0) }
        let bands = groups("band", "Band", count: bandCount, of: [.band]) { parameter($0, band: $1) }
        let isMatrix = subtype == MixerUnits.matrixMixer.subtype
        let inputs = groups(
            "input", "Input", count: isMatrix ? Self.matrixSize : inputCount, of: [.input, .inputAndOutput]
        ) { parameter($0, scope: kAudioUnitScope_Input, element: $1) }
        let outputs = groups("output", "Output", count: isMatrix ? Self.matrixSize : 1, of: [.output, .inputAndOutput])
        { parameter($0, scope: kAudioUnitScope_Output, element: $1) }
        return AUParameterTree.createTree(
            withChildren: own + bands + inputs + outputs + (isMatrix ? Self.makeMatrixNodes() : []))
    }

    /// Sets the limits that follow the sample rate, in Hz, of a tree of this unit. Values above a new limit come down
    /// to it.
    func adapt(_ tree: AUParameterTree, to sampleRate: Double) {
        for parameter in tree.allParameters {
            guard let specification = specification(of: parameter), specification.maximum != .value(parameter.maxValue)
            else { continue }
            tree.stored.limit(parameter.address, to: specification.maximum.value(at: sampleRate))
        }
    }

    /// What a parameter of a tree of this unit was made from.
    func specification(of parameter: AUParameter) -> UnitParameter? {
        parameters.first { $0.identifier == parameter.identifier }
    }
}

extension UnitParameter {
    fileprivate func makeParameter(sampleRate: Double, scope: AudioUnitScope, element: Int, band: Int) -> AUParameter {
        let number = id + AudioUnitParameterID(band)
        let address =
            AUParameterAddress(parameterID: number, scope: scope, element: AudioUnitElement(element))
            ?? AUParameterAddress(number)
        let parameter = AUParameterTree.createParameter(
            withIdentifier: identifier, name: name, address: address, min: minimum,
            max: max(minimum, maximum.value(at: sampleRate)),
            unit: AudioUnitParameterUnit(rawValue: unit.rawValue) ?? .generic,
            unitName: nil, flags: flags, valueStrings: valueStrings, dependentParameters: nil)
        parameter.value = defaultValue
        return parameter
    }

    private var flags: AudioUnitParameterOptions {
        let access: AudioUnitParameterOptions =
            switch kind {
            case .gliding: .settable
            case .stepping: [.flag_IsReadable, .flag_IsWritable]
            case .meter: [.flag_IsReadable, .flag_MeterReadOnly]
            }
        return valueStrings == nil ? access : access.union(.flag_ValuesHaveStrings)
    }
}

extension AudioUnitParameterOptions {
    /// Clients set and read it, and it can be ramped.
    static let settable: Self = [.flag_IsReadable, .flag_IsWritable, .flag_CanRamp]
}

extension UnitCatalogue {
    /// The unit with this type, subtype and maker.
    static func unit(for description: AudioComponentDescription) -> UnitDescription? {
        units.first { $0.component.isSameUnit(as: description) }
    }
}

extension AUParameterTree {
    /// The tree as its unit sees it.
    var stored: any StoredParameters { self }
}

extension UnitValues {
    init(of tree: AUParameterTree) {
        let bandCount = tree.allParameters.count {
            (AUParameterAddress(kAUNBandEQParam_Frequency)..<AUParameterAddress(kAUNBandEQParam_Gain)).contains(
                $0.address)
        }
        self.init(bandCount: bandCount) { tree.stored.values[UInt64($0)]?.current ?? 0 }
    }
}

// MARK: The matrix mixer

extension UnitDescription {
    /// Channels on either side of a matrix mixer that have parameters.
    fileprivate static let matrixSize = 32

    /// The master volume, at the greatest element, and the volumes of the cross-points, at `input << 16 | output`.
    fileprivate static func makeMatrixNodes() -> [AUParameterNode] {
        let master = [
            (kMatrixMixerParam_Volume, "masterVolume", AudioUnitParameterUnit.linearGain),
            (kMatrixMixerParam_Enable, "masterEnable", .boolean),
        ]
        let points = (0..<matrixSize).flatMap { input in (0..<matrixSize).map { (input, $0) } }
        let group = AUParameterTree.createGroup(
            withIdentifier: "crossPoints", name: "Cross-Points",
            children: points.map { input, output in
                makeGain(
                    kMatrixMixerParam_Volume, "volume_\(input)_\(output)", .linearGain,
                    element: AudioUnitElement(input << 16 | output), value: 0)
            })
        return master.map { makeGain($0.0, $0.1, $0.2, element: .max, value: 1) } + [group]
    }

    private static func makeGain(
        _ id: AudioUnitParameterID, _ identifier: String, _ unit: AudioUnitParameterUnit, element: AudioUnitElement,
        value: AUValue
    ) -> AUParameter {
        let address =
            AUParameterAddress(parameterID: id, scope: kAudioUnitScope_Global, element: element)
            ?? AUParameterAddress(id)
        let parameter = AUParameterTree.createParameter(
            withIdentifier: identifier, name: identifier, address: address, min: 0, max: 1, unit: unit,
            unitName: nil, flags: .settable, valueStrings: nil, dependentParameters: nil)
        parameter.value = value
        return parameter
    }
}
