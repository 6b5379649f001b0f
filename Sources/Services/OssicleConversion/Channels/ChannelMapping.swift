// Channels that are mapped, not mixed.

/// Which input channel goes to which output channel when nothing is mixed: each as it is or nowhere.
enum ChannelMapping {
    /// The client's own map, which beats all layouts.
    static func rows(map: [Int], inputs: Int, outputs: Int) throws(ConversionError) -> [ChannelRow] {
        guard map.count == outputs else {
            throw ConversionError(.invalidSetting, found: "a channel map of \(map.count) entries for \(outputs) output channels",
                                  rule: "Each output channel has one entry.", cure: "Give \(outputs) entries; a negative one is silence.")
        }
        if let wrong = map.first(where: { $0 >= inputs }) {
            throw ConversionError(.invalidSetting, found: "a channel map with channel \(wrong) of \(inputs)",
                                  rule: "Input channels are numbered from 0.", cure: "Name those below \(inputs), or a negative one for silence.")
        }
        return map.map { $0 < 0 ? .silence : .channel($0) }
    }

    /// By label where both sides have labels in common, else by position. What the output lacks is dropped, what the input lacks is
    /// silent; but one channel goes to both fronts, and into one channel goes the left or first one, as Apple's converter has it.
    static func rows(from inputs: [UInt32]?, _ inputCount: Int, to outputs: [UInt32]?, _ outputCount: Int) -> [ChannelRow] {
        let known = (inputs ?? ChannelLabel.usual(inputCount), outputs ?? ChannelLabel.usual(outputCount))
        guard let inputs = known.0, let outputs = known.1, inputs != outputs else { return byPosition(inputCount, outputCount) }
        let matches = matches(of: inputs, in: outputs)
        if matches.allSatisfy({ $0 == nil }) {
            if inputCount == 1, let left = outputs.firstIndex(of: ChannelLabel.left), let right = outputs.firstIndex(of: ChannelLabel.right) {
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

    /// For each input channel the output channel of the same label, or of a namesake neither side has both of. The second of two equal
    /// labels goes to the second.
    static func matches(of inputs: [UInt32], in outputs: [UInt32]) -> [Int?] {
        var free = Array(outputs.indices)
        var matches = [Int?](repeating: nil, count: inputs.count)
        func take(_ input: Int, _ label: UInt32) {
            guard label != ChannelLabel.unused, let place = free.firstIndex(where: { outputs[$0] == label }) else { return }
            matches[input] = free.remove(at: place)
        }
        for input in inputs.indices { take(input, inputs[input]) }
        for input in inputs.indices {
            for namesake in ChannelLabel.namesakes(inputs[input]) where matches[input] == nil && !inputs.contains(namesake) { take(input, namesake) }
        }
        return matches
    }
}
