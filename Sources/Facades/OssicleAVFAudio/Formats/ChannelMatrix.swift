import OssicleCore
import OssicleCoreAudioTypes
import OssicleDSP

/// How the channels of one layout go into another's, as a channel mixer does it.
///
/// 1. A channel whose label the output has goes there unchanged; an LFE to any LFE, or nowhere.
/// 2. A channel that does not say where it belongs (discrete, unknown), or whose output says nothing, goes by number.
/// 3. A mono sound goes to left and right unchanged, as a mixer's pan at centre would have it.
/// 4. Any other loudspeaker's goes to the loudspeaker nearest to it in direction; several equally near share its power: a centre goes into
///    left and right at −3 dB each. If even the nearest is more than 45° away, 3 dB are taken off, as ITU-R BS.775 does where it folds a
///    surround into its side's front.
/// 5. One output channel gets what a stereo output would get, both sides at −3 dB (BS.775 again); see also `MonoFold`.
///
/// The power of a channel is therefore 0 dB where it has a neighbour, −3 dB where it has not.
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
        let folding = inputs == outputs ? nil : ChannelFolding(inputs, outputs, fold)
        for input in inputs.indices {
            for (output, gain) in folding?.targets(input) ?? [(input, Float(1))] { matrix[output * inputs.count + input] += gain }
        }
        gains = matrix
    }

    package enum Side { case mono, middle, left, right, none }

    /// On which side of the listener a channel plays.
    package static func side(of label: UInt32) -> Side {
        if label == kAudioChannelLabel_Mono { return .mono }
        if label == kAudioChannelLabel_LFEScreen { return .none }
        guard let position = speakerPositions(for: [label])?.first, !position.isLFE else { return .none }
        if position.azimuth > 0 && position.azimuth < 180 { return .left }
        if position.azimuth < 0 && position.azimuth > -180 { return .right }
        return .middle
    }
}

/// One layout on its way into another.
private struct ChannelFolding {
    typealias Target = (output: Int, gain: Float)

    private let inputs: [UInt32]
    private let outputs: [UInt32]
    private let fold: ChannelMatrix.MonoFold
    private let sources: [SpeakerLayout.Speaker?]
    private let speakers: [SpeakerLayout.Speaker?]

    private static let minus3: Float = 0.70710678
    private static let lowFrequencies = [kAudioChannelLabel_LFEScreen, kAudioChannelLabel_LFE2, kAudioChannelLabel_LFE3].map { UInt32($0) }
    private static let stereo = [UInt32(kAudioChannelLabel_Left), UInt32(kAudioChannelLabel_Right)]

    init(_ inputs: [UInt32], _ outputs: [UInt32], _ fold: ChannelMatrix.MonoFold) {
        self.inputs = inputs.map(ChannelLayouts.loudspeaker)
        self.outputs = outputs.map(ChannelLayouts.loudspeaker)
        self.fold = fold
        sources = ChannelLayouts.places(self.inputs)
        speakers = ChannelLayouts.places(self.outputs)
    }

    func targets(_ input: Int) -> [Target] {
        let label = inputs[input]
        if label != kAudioChannelLabel_Unknown, let same = outputs.firstIndex(of: label) { return [(same, 1)] }
        if Self.lowFrequencies.contains(label) {
            return Self.lowFrequencies.lazy.compactMap { outputs.firstIndex(of: $0) }.first.map { [($0, Float(1))] } ?? []
        }
        if outputs.count == 1 { return mono(input, label) }
        if let number = number(input, label) { return outputs.indices.contains(number) ? [(number, Float(1))] : [] }
        let (left, right) = (outputs.firstIndex(of: Self.stereo[0]), outputs.firstIndex(of: Self.stereo[1]))
        switch label {
        case UInt32(kAudioChannelLabel_Mono), UInt32(kAudioChannelLabel_MS_Mid): if let left, let right { return [(left, 1), (right, 1)] }
        case UInt32(kAudioChannelLabel_MS_Side): if let left, let right { return [(left, 1), (right, -1)] }
        default: break
        }
        return sources[input].map { nearest(to: $0.direction) } ?? []
    }

    /// The number of a channel that goes by number; nil for one that does not.
    private func number(_ input: Int, _ label: UInt32) -> Int? {
        if label & 0xFFFF_0000 == UInt32(kAudioChannelLabel_Discrete_0) { return Int(label & 0xFFFF) }
        return label == kAudioChannelLabel_Unknown || speakers.allSatisfy({ $0 == nil }) ? input : nil
    }

    /// A share of the only output; half of those that stand to one side cancel if it is to be a side signal.
    private func mono(_ input: Int, _ label: UInt32) -> [Target] {
        if inputs.count == 1 || (fold == .folded && label == kAudioChannelLabel_Mono) { return [(0, 1)] }
        if fold == .mean { return [(0, 1 / Float(inputs.count))] }
        guard sources[input] != nil || label == kAudioChannelLabel_MS_Mid || label == kAudioChannelLabel_MS_Side else {
            return [(0, 1 / Float(inputs.count).squareRoot())]
        }
        let both = ChannelFolding(inputs, Self.stereo, fold).targets(input).reduce(Float(0)) { $0 + $1.gain }
        return both == 0 ? [] : [(0, both * Self.minus3)]
    }

    private func nearest(to direction: Vector) -> [Target] {
        let places = speakers.enumerated().compactMap { index, speaker in speaker.flatMap { $0.isLFE ? nil : (output: index, cosine: $0.direction.dot(direction)) } }
        guard let best = places.map(\.cosine).max() else { return [] }
        let near = places.filter { $0.cosine > best - 1e-9 }
        let power: Float = best < 0.5.squareRoot() - 1e-9 ? 0.5 : 1
        return near.map { ($0.output, (power / Float(near.count)).squareRoot()) }
    }
}
