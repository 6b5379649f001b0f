// From a description to the parameters of a unit.

extension UnitDescription {
    /// A fresh tree: every parameter at its default, at the address of its number, scope and element. Those of the unit stand at the
    /// top, those of bands and buses in groups `band0`, `input0`, `output0` and so on; a matrix mixer's elements
    /// are channels.
    ///
    /// Limits that follow the sample rate are set for `sampleRate`; see `adapt(_:to:)`. Numbers below 0 count as 0, above 1000 as 1000.
    package func makeParameterTree(sampleRate: Double = 44_100, bandCount: Int = 16, inputCount: Int = 8) -> AUParameterTree {
        func parameter(_ specification: ParameterSpecification, scope: AudioUnitScope = kAudioUnitScope_Global, element: Int = 0, band: Int = 0) -> AUParameter {
            specification.makeParameter(sampleRate: sampleRate, scope: scope, element: element, band: band)
        }
        func groups(_ identifier: String, _ name: String, count: Int, of places: Set<ParameterSpecification.Place>,
                    _ make: (ParameterSpecification, Int) -> AUParameter) -> [AUParameterNode] {
            let members = parameters.filter { places.contains($0.place) }
            guard !members.isEmpty else { return [] }
            return (0..<min(max(count, 0), 1000)).map { index in
                AUParameterTree.createGroup(withIdentifier: "\(identifier)\(index)", name: "\(name) \(index + 1)", children: members.map { make($0, index) })
            }
        }
        let own: [AUParameterNode] = parameters.filter { $0.place == .unit }.map { parameter($0) }
        let bands = groups("band", "Band", count: bandCount, of: [.band]) { parameter($0, band: $1) }
        let isMatrix = component.isSameUnit(as: Self.matrixMixer.component)
        let inputs = groups("input", "Input", count: isMatrix ? Self.matrixSize : inputCount, of: [.input, .inputAndOutput]) { parameter($0, scope: kAudioUnitScope_Input, element: $1) }
        let outputs = groups("output", "Output", count: isMatrix ? Self.matrixSize : 1, of: [.output, .inputAndOutput]) { parameter($0, scope: kAudioUnitScope_Output, element: $1) }
        return AUParameterTree.createTree(withChildren: own + bands + inputs + outputs + (isMatrix ? Self.makeMatrixNodes() : []))
    }

    /// Sets the limits that follow the sample rate, in Hz, of a tree of this unit. Values above a new limit come down to it.
    package func adapt(_ tree: AUParameterTree, to sampleRate: Double) {
        for parameter in tree.allParameters {
            guard let specification = specification(of: parameter), specification.maximum != .value(parameter.maxValue) else { continue }
            parameter.limit(to: specification.maximum.value(at: sampleRate))
        }
    }

    /// What a parameter of a tree of this unit was made from.
    package func specification(of parameter: AUParameter) -> ParameterSpecification? {
        parameters.first { $0.identifier == parameter.identifier }
    }
}

extension ParameterSpecification {
    fileprivate func makeParameter(sampleRate: Double, scope: AudioUnitScope, element: Int, band: Int) -> AUParameter {
        let number = id + AudioUnitParameterID(band)
        let address = AUParameterAddress(parameterID: number, scope: scope, element: AudioUnitElement(element)) ?? AUParameterAddress(number)
        let parameter = AUParameterTree.createParameter(
            withIdentifier: identifier, name: name, address: address, min: minimum, max: max(minimum, maximum.value(at: sampleRate)), unit: unit,
            unitName: nil, flags: flags, valueStrings: valueStrings, dependentParameters: nil)
        parameter.value = defaultValue
        return parameter
    }
}
