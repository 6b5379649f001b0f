// The state of a unit as a preset file holds it.

import OssicleAudioToolbox
import OssicleFiles

/// A unit's parameters as the property list of an `.aupreset` file: type, subtype, maker, version, name, and under
/// `data`, big endian, for each element: scope, element, number of parameters, and of each number and value.
enum PresetState {
    /// The state of a unit.
    static func dictionary(of unit: AVAudioUnit, name: String) -> [String: Any] {
        let description = unit.audioComponentDescription
        return [
            "type": Int(description.componentType), "subtype": Int(description.componentSubType),
            "manufacturer": Int(description.componentManufacturer),
            "version": 0, "name": name, "data": data(of: unit.parameterTree),
        ]
    }

    /// Takes on a state. Parameters the unit does not have are passed over; a state of another unit throws.
    static func apply(_ state: [String: Any], to unit: AVAudioUnit) throws {
        func code(_ key: String) -> OSType? {
            (state[key] as? NSNumber).map { OSType(truncatingIfNeeded: $0.int64Value) }
        }
        let description = unit.audioComponentDescription
        guard code("type") == description.componentType, code("subtype") == description.componentSubType,
            code("manufacturer") == description.componentManufacturer
        else {
            throw UnitFault.wrongPreset(
                unit.name, "a preset of another unit", "Type, subtype and maker have to be the unit's own.")
        }
        // A built-in instrument is more than its parameters.
        if let own = (unit.driver as? HostedDriver)?.unit, own.body != nil {
            return try UnitState.restore(state, to: own)
        }
        guard let data = state["data"] as? Data, let values = values(in: data) else {
            throw UnitFault.wrongPreset(
                unit.name, "a preset without readable parameters", "Its key \"data\" holds the parameters.")
        }
        unit.setTogether(values)
    }

    private struct Place: Hashable {
        let scope: UInt32
        let element: UInt32
    }

    static func data(of tree: AUParameterTree) -> Data {
        let kept = tree.allParameters.filter {
            $0.flags.contains(.flag_IsWritable) && !$0.flags.contains(.flag_OmitFromPresets)
        }
        let places = Dictionary(grouping: kept) {
            Place(scope: UInt32($0.address >> 56), element: UInt32($0.address >> 32 & 0xFF_FFFF))
        }
        var words: [UInt32] = []
        for (place, parameters) in places.sorted(by: { ($0.key.scope, $0.key.element) < ($1.key.scope, $1.key.element) }
        ) {
            words += [place.scope, place.element, UInt32(parameters.count)]
            for parameter in parameters {
                words += [
                    UInt32(truncatingIfNeeded: parameter.address),
                    parameter.value.bitPattern,
                ]
            }
        }
        return words.reduce(into: Data()) { data, word in
            withUnsafeBytes(of: word.bigEndian) { data.append(contentsOf: $0) }
        }
    }

    /// `nil` where the data end in the middle.
    static func values(in data: Data) -> [(AUParameterAddress, Float)]? {
        guard data.count % 4 == 0 else { return nil }
        let words = stride(from: 0, to: data.count, by: 4).map { offset in
            (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(data[data.startIndex + offset + $1]) }
        }
        var values: [(AUParameterAddress, Float)] = []
        var at = 0
        while at + 3 <= words.count {
            let (scope, element, count) = (words[at], words[at + 1], Int(words[at + 2]))
            at += 3
            guard count <= (words.count - at) / 2 else { return nil }
            for index in 0..<count {
                let (id, value) = (words[at + 2 * index], Float(bitPattern: words[at + 2 * index + 1]))
                if let address = AUParameterAddress(parameterID: id, scope: scope, element: element), value.isFinite {
                    values.append((address, value))
                }
            }
            at += 2 * count
        }
        return at == words.count ? values : nil
    }
}

extension AVAudioUnit {
    /// Takes on the state in an `.aupreset` file. Throws where the file cannot be read or is another unit's; then
    /// nothing changes.
    public func loadPreset(at url: URL) throws {
        let data = try Data(contentsOf: url.localPath.map { URL(fileURLWithPath: $0) } ?? url)
        guard let state = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any] else {
            throw UnitFault.wrongPreset(name, url.lastPathComponent, "A preset is a property list with a dictionary.")
        }
        try PresetState.apply(state, to: self)
        // What the sampler's presets hold beside their parameters, with samples that lie beside the file.
        if state["Instrument"] != nil, let path = url.localPath, let body = auAudioUnit.body as? InstrumentBody {
            try body.load(.instrument(path: path))
        }
    }
}
