// Which channels go where: mapped, or mixed when the output lacks some.

import OssicleChannels

/// Which input channel goes to which output channel when nothing is mixed: each as it is or nowhere.
enum ChannelMapping {
    /// The client's own map, which beats all layouts.
    static func rows(map: [Int], inputs: Int, outputs: Int) throws(ConversionError) -> [ChannelRow] {
        guard map.count == outputs else {
            throw ConversionError(
                .invalidSetting, found: "a channel map of \(map.count) entries for \(outputs) output channels",
                rule: "Each output channel has one entry.", cure: "Give \(outputs) entries; a negative one is silence.")
        }
        if let wrong = map.first(where: { $0 >= inputs }) {
            throw ConversionError(
                .invalidSetting, found: "a channel map with channel \(wrong) of \(inputs)",
                rule: "Input channels are numbered from 0.",
                cure: "Name those below \(inputs), or a negative one for silence.")
        }
        return map.map { $0 < 0 ? .silence : .channel($0) }
    }

    /// By label where both sides have labels in common, else by position. What the output lacks is dropped, what the
    /// input lacks is silent; but one channel goes to both fronts, and into one channel goes the left or first one, as
    /// Apple's converter has it.
    static func rows(
        from inputs: [UInt32]?, _ inputCount: Int, to outputs: [UInt32]?, outputCount: Int
    ) -> [ChannelRow] {
        let known = (inputs ?? ChannelLabel.usual(inputCount), outputs ?? ChannelLabel.usual(outputCount))
        guard let inputs = known.0, let outputs = known.1, inputs != outputs else {
            return byPosition(inputCount, outputCount)
        }
        let matches = matches(of: inputs, in: outputs)
        if matches.allSatisfy({ $0 == nil }) {
            if inputCount == 1, let left = outputs.firstIndex(of: ChannelLabel.left),
                let right = outputs.firstIndex(of: ChannelLabel.right)
            {
                return outputs.indices.map { $0 == left || $0 == right ? .channel(0) : .silence }
            }
            if outputCount == 1 { return [.channel(inputs.firstIndex(of: ChannelLabel.left) ?? 0)] }
            return byPosition(inputCount, outputCount)
        }
        return outputs.indices.map { output in matches.firstIndex(of: output).map { .channel($0) } ?? .silence }
    }

    private static func byPosition(_ inputs: Int, _ outputs: Int) -> [ChannelRow] {
        (0..<outputs).map { $0 < inputs ? .channel($0) : .silence }
    }

    /// For each input channel the output channel of the same label, or of a namesake neither side has both of. The
    /// second of two equal labels goes to the second.
    static func matches(of inputs: [UInt32], in outputs: [UInt32]) -> [Int?] {
        var free = Array(outputs.indices)
        var matches = [Int?](repeating: nil, count: inputs.count)
        func take(_ input: Int, _ label: UInt32) {
            guard label != ChannelLabel.unused, let place = free.firstIndex(where: { outputs[$0] == label }) else {
                return
            }
            matches[input] = free.remove(at: place)
        }
        for input in inputs.indices { take(input, inputs[input]) }
        for input in inputs.indices {
            for namesake in ChannelLabel.namesakes(inputs[input])
            where matches[input] == nil && !inputs.contains(namesake) { take(input, namesake) }
        }
        return matches
    }
}

/// What goes into each output channel when nothing may be lost: what matches stays, the rest is folded (`ChannelFold`).
///
/// Where the gains of a channel would sum to more than 1 the whole mix is turned down until the largest sum is 1, so
/// that no sound can clip and the channels keep their balance.
enum ChannelMixing {
    static func rows(
        from inputs: [UInt32]?, _ inputCount: Int, to outputs: [UInt32]?, outputCount: Int
    ) -> [ChannelRow] {
        guard let inputs = inputs ?? ChannelLabel.usual(inputCount),
            let outputs = outputs ?? ChannelLabel.usual(outputCount),
            inputs != outputs
        else {
            if outputCount == 1 {
                return [
                    ChannelRow((0..<inputCount).map { ChannelRow.Share(channel: $0, gain: 1 / Double(inputCount)) })
                ]
            }
            return ChannelMapping.rows(from: inputs, inputCount, to: outputs, outputCount: outputCount)
        }
        var gains = [[Double]](repeating: [Double](repeating: 0, count: inputs.count), count: outputs.count)
        for (input, match) in ChannelMapping.matches(of: inputs, in: outputs).enumerated() {
            for (output, gain) in match.map({ [($0, 1.0)] }) ?? fold(inputs[input], into: outputs) {
                gains[output][input] += gain
            }
        }
        if gains.allSatisfy({ $0.allSatisfy { $0 == 0 } }) {
            return ChannelMapping.rows(from: inputs, inputCount, to: outputs, outputCount: outputCount)
        }
        let loudest = gains.map { $0.reduce(0, +) }.max() ?? 1
        return gains.map { row in
            ChannelRow(
                row.indices.filter { row[$0] != 0 }.map {
                    ChannelRow.Share(channel: $0, gain: row[$0] / max(loudest, 1))
                })
        }
    }

    private static func fold(_ label: UInt32, into outputs: [UInt32]) -> [(output: Int, gain: Double)] {
        func place(_ label: UInt32) -> Int? {
            if label == ChannelLabel.mono, outputs.count == 1 { return 0 }
            return ([label] + ChannelLabel.namesakes(label)).lazy.compactMap { outputs.firstIndex(of: $0) }.first
        }
        for way in ChannelFold.ways(label) {
            let places = way.compactMap { place($0.label) }
            if places.count == way.count { return zip(places, way).map { ($0, $1.gain) } }
        }
        return []
    }
}
