// Ports of control as parameters.

import OssicleAudioToolbox
import OssiclePlugins

extension PluginDescription {
    /// Where parameters begin that are properties set by messages, behind all ports.
    static let firstPropertyAddress = 1 << 16

    /// A parameter for each port of control, at the port's index: inputs to set, outputs to read. Properties that are
    /// numbers follow at addresses from `firstPropertyAddress` on.
    func makeParameterTree(reading meter: @escaping @Sendable (Int) -> Float) -> AUParameterTree {
        AUParameterTree.createTree(
            withChildren: ports.enumerated().compactMap { index, port in
                guard port.flags.contains(.control), !port.flags.contains(.latency) || port.isInput else { return nil }
                let parameter = port.makeParameter(at: index)
                if !port.isInput { parameter.implementorValueProvider = { _ in meter(index) } }
                return parameter
            }
                + properties.enumerated().compactMap { index, property in
                    property.makeParameter(at: Self.firstPropertyAddress + index)
                })
    }
}

extension PluginProperty {
    /// `nil` for a path and a text.
    fileprivate func makeParameter(at address: Int) -> AUParameter? {
        let unit: AudioUnitParameterUnit
        switch kind {
        case .real: unit = .generic
        case .integer: unit = .indexed
        case .toggled: unit = .boolean
        case .path, .text, .uri: return nil
        }
        let parameter = AUParameterTree.createParameter(
            withIdentifier: uri, name: name, address: AUParameterAddress(address), min: minimum, max: maximum,
            unit: unit,
            unitName: nil,
            flags: kind == .real
                ? [.flag_IsReadable, .flag_IsWritable, .flag_CanRamp] : [.flag_IsReadable, .flag_IsWritable],
            valueStrings: nil, dependentParameters: nil)
        parameter.value = initial
        return parameter
    }
}

extension PluginPort {
    fileprivate func makeParameter(at index: Int) -> AUParameter {
        let parameter = AUParameterTree.createParameter(
            withIdentifier: symbol, name: name, address: AUParameterAddress(index), min: minimum, max: maximum,
            unit: measure.unit, unitName: measure.name, flags: parameterFlags, valueStrings: names,
            dependentParameters: nil)
        parameter.value = initial
        if names == nil, !points.isEmpty { nameValues(of: parameter) }
        return parameter
    }

    /// Names of all whole numbers of the range, where the bundle names each.
    private var names: [String]? {
        let count = Int(exactly: (maximum - minimum).rounded()).map { $0 + 1 } ?? 0
        let isWhole = points.enumerated().allSatisfy { $1.value == minimum + Float($0) }
        return count > 0 && points.count == count && isWhole ? points.map(\.label) : nil
    }

    /// Names of some values; others are numbers.
    private func nameValues(of parameter: AUParameter) {
        let points = points
        parameter.implementorStringFromValueCallback = { parameter, value in
            let value = value?.pointee ?? parameter.value
            return points.first { $0.value == value }?.label ?? "\(value)"
        }
        parameter.implementorValueFromStringCallback = { _, text in
            points.first { $0.label.caseInsensitiveCompare(text) == .orderedSame }?.value ?? Float(text) ?? .nan
        }
    }

    private var parameterFlags: AudioUnitParameterOptions {
        var flags: AudioUnitParameterOptions = .flag_IsReadable
        let steps: Flags = [.toggled, .integer, .enumeration, .trigger]
        flags.formUnion(isInput ? .flag_IsWritable : .flag_MeterReadOnly)
        if isInput, self.flags.isDisjoint(with: steps) { flags.formUnion(.flag_CanRamp) }
        if self.flags.contains(.logarithmic) { flags.formUnion(.flag_DisplayLogarithmic) }
        if self.flags.contains(.hidden) { flags.formUnion(.flag_ExpertMode) }
        if self.flags.contains(.trigger) { flags.formUnion(.flag_OmitFromPresets) }
        if !points.isEmpty { flags.formUnion(.flag_ValuesHaveStrings) }
        return flags
    }

    /// Units of LV2's that have a counterpart; others keep their own symbol.
    private var measure: (unit: AudioUnitParameterUnit, name: String?) {
        if flags.contains(.toggled) { return (.boolean, nil) }
        if flags.contains(.enumeration) { return (.indexed, nil) }
        let prefix = "http://lv2plug.in/ns/extensions/units#"
        guard unit.hasPrefix(prefix) else {
            return unit.isEmpty ? (flags.contains(.integer) ? .indexed : .generic, nil) : (.customUnit, unit)
        }
        let name = String(unit.dropFirst(prefix.count))
        return Self.units[name].map { ($0, nil) } ?? (.customUnit, Self.symbols[name] ?? name)
    }

    private static let units: [String: AudioUnitParameterUnit] = [
        "db": .decibels, "hz": .hertz, "ms": .milliseconds, "s": .seconds, "pc": .percent, "coef": .linearGain,
        "bpm": .BPM, "cent": .cents, "semitone12TET": .relativeSemiTones, "degree": .degrees, "oct": .octaves,
        "midiNote": .midiNoteNumber, "frame": .sampleFrames, "beat": .beats, "m": .meters,
    ]
    private static let symbols = [
        "khz": "kHz", "mhz": "MHz", "min": "min", "cm": "cm", "mm": "mm", "km": "km", "bar": "bars", "inch": "in",
    ]
}
