// Channels that are mixed when the output lacks some.

/// What goes into each output channel when nothing may be lost: what matches stays, the rest is folded (`ChannelFold`).
///
/// Where the gains of a channel would sum to more than 1 the whole mix is turned down until the largest sum is 1, so that no sound can
/// clip and the channels keep their balance.
enum ChannelMixing {
    static func rows(from inputs: [UInt32]?, _ inputCount: Int, to outputs: [UInt32]?, _ outputCount: Int) -> [ChannelRow] {
        guard let inputs = inputs ?? ChannelLabel.usual(inputCount), let outputs = outputs ?? ChannelLabel.usual(outputCount),
              inputs != outputs else {
            if outputCount == 1 { return [ChannelRow((0..<inputCount).map { ChannelRow.Share(channel: $0, gain: 1 / Double(inputCount)) })] }
            return ChannelMapping.rows(from: inputs, inputCount, to: outputs, outputCount)
        }
        var gains = [[Double]](repeating: [Double](repeating: 0, count: inputs.count), count: outputs.count)
        for (input, match) in ChannelMapping.matches(of: inputs, in: outputs).enumerated() {
            for (output, gain) in match.map({ [($0, 1.0)] }) ?? fold(inputs[input], into: outputs) { gains[output][input] += gain }
        }
        if gains.allSatisfy({ $0.allSatisfy { $0 == 0 } }) { return ChannelMapping.rows(from: inputs, inputCount, to: outputs, outputCount) }
        let loudest = gains.map { $0.reduce(0, +) }.max() ?? 1
        return gains.map { row in
            ChannelRow(row.indices.filter { row[$0] != 0 }.map { ChannelRow.Share(channel: $0, gain: row[$0] / max(loudest, 1)) })
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
