// One layout mixed into another by the directions of its loudspeakers.

import OssicleCore

/// How the channels of one layout go into another's, as a channel mixer does it.
///
/// 1. A channel whose label the output has goes there unchanged; an LFE to any LFE, or nowhere.
/// 2. A channel without a place (discrete, unknown), or into an output without places, goes by number.
/// 3. A mono sound goes to left and right unchanged, as with a mixer's pan at centre.
/// 4. Any other loudspeaker's goes to the loudspeaker nearest to it in direction; several equally near share its power:
///    a centre goes into left and right at −3 dB each. If even the nearest is more than 45° away, 3 dB are taken off,
///    as in the folds of ITU-R BS.775 (`ChannelFold`).
/// 5. One output channel gets what a stereo output would get, both sides at −3 dB (BS.775 again); see also `MonoFold`.
///
/// The power of a channel is therefore 0 dB where it has a neighbour, −3 dB where it has none.
package struct ChannelMatrix {
    /// How several channels become one.
    package enum MonoFold {
        /// By way of stereo.
        case folded
        /// Their mean: what they have in common stays as it is.
        case mean
    }

    /// Output by output: gain of each input.
    package let gains: [Float]

    package init(from inputs: [UInt32], to outputs: [UInt32], intoMono fold: MonoFold = .folded) {
        var matrix = [Float](repeating: 0, count: inputs.count * outputs.count)
        let folding = inputs == outputs ? nil : ChannelFolding(inputs, outputs, fold: fold)
        for input in inputs.indices {
            for (output, gain) in folding?.targets(input) ?? [(input, Float(1))] {
                matrix[output * inputs.count + input] += gain
            }
        }
        gains = matrix
    }

    package enum Side { case mono, middle, left, right, none }

    /// On which side of the listener a channel plays.
    package static func side(of label: UInt32) -> Side {
        if label == ChannelLabel.mono { return .mono }
        guard let speaker = SpeakerLayout.speakers(labels: [label])?.first, !speaker.isLFE else { return .none }
        if speaker.azimuth > 0 && speaker.azimuth < 180 { return .left }
        if speaker.azimuth < 0 && speaker.azimuth > -180 { return .right }
        return .middle
    }
}

/// The gains of one layout's channels in another.
private struct ChannelFolding {
    typealias Target = (output: Int, gain: Float)

    private let inputs: [UInt32]
    private let outputs: [UInt32]
    private let fold: ChannelMatrix.MonoFold
    private let sources: [SpeakerLayout.Speaker?]
    private let speakers: [SpeakerLayout.Speaker?]

    private static let minus3: Float = 0.70710678

    init(_ inputs: [UInt32], _ outputs: [UInt32], fold: ChannelMatrix.MonoFold) {
        self.inputs = inputs.map(ChannelLabel.loudspeaker)
        self.outputs = outputs.map(ChannelLabel.loudspeaker)
        self.fold = fold
        sources = SpeakerLayout.speakers(ofEach: self.inputs)
        speakers = SpeakerLayout.speakers(ofEach: self.outputs)
    }

    func targets(_ input: Int) -> [Target] {
        let label = inputs[input]
        if label != ChannelLabel.unknown, let same = outputs.firstIndex(of: label) { return [(same, 1)] }
        if ChannelLabel.isLFE(label) {
            return ChannelLabel.lfes.lazy.compactMap { outputs.firstIndex(of: $0) }.first.map { [($0, 1)] } ?? []
        }
        if outputs.count == 1 { return mono(input, label) }
        if let number = number(input, label) { return outputs.indices.contains(number) ? [(number, Float(1))] : [] }
        if let left = outputs.firstIndex(of: ChannelLabel.left), let right = outputs.firstIndex(of: ChannelLabel.right)
        {
            switch label {
            case ChannelLabel.mono, ChannelLabel.mid: return [(left, 1), (right, 1)]
            case ChannelLabel.side: return [(left, 1), (right, -1)]
            default: break
            }
        }
        return sources[input].map { nearest(to: $0.direction) } ?? []
    }

    /// The number of a channel that goes by number; nil for one that does not.
    private func number(_ input: Int, _ label: UInt32) -> Int? {
        if label & 0xFFFF_0000 == ChannelLabel.discrete { return Int(label & 0xFFFF) }
        return label == ChannelLabel.unknown || speakers.allSatisfy({ $0 == nil }) ? input : nil
    }

    /// A share of the only output; the two halves of a side signal cancel.
    private func mono(_ input: Int, _ label: UInt32) -> [Target] {
        if inputs.count == 1 || (fold == .folded && label == ChannelLabel.mono) { return [(0, 1)] }
        if fold == .mean { return [(0, 1 / Float(inputs.count))] }
        guard sources[input] != nil || label == ChannelLabel.mid || label == ChannelLabel.side else {
            return [(0, 1 / Float(inputs.count).squareRoot())]
        }
        let stereo = ChannelFolding(inputs, [ChannelLabel.left, ChannelLabel.right], fold: fold)
        let both = stereo.targets(input).reduce(Float(0)) { $0 + $1.gain }
        return both == 0 ? [] : [(0, both * Self.minus3)]
    }

    private func nearest(to direction: Vector) -> [Target] {
        let candidates = speakers.enumerated().compactMap { index, speaker in
            speaker.flatMap { $0.isLFE ? nil : (output: index, cosine: $0.direction.dot(direction)) }
        }
        guard let best = candidates.map(\.cosine).max() else { return [] }
        let near = candidates.filter { $0.cosine > best - 1e-9 }
        let power: Float = best < 0.5.squareRoot() - 1e-9 ? 0.5 : 1
        return near.map { ($0.output, (power / Float(near.count)).squareRoot()) }
    }
}
