/// How the channels of one layout go into another's, as a channel mixer does it.
///
/// A channel whose label the output has goes there unchanged. A mono sound goes to both fronts unchanged, as a mixer's pan at centre
/// would have it. What is left is folded as ITU-R BS.775 folds: a centre into left and right at −3 dB, a surround into its side's
/// front at −3 dB, everything into a mono output as `MonoFold` says; an LFE without an LFE is dropped.
package struct ChannelMatrix {
    /// How several channels become one.
    package enum MonoFold {
        /// As loud as all of them together when they have nothing in common.
        case equalPower
        /// Their mean: what they have in common stays as it is.
        case mean

        func gain(of channels: Int) -> Float { self == .mean ? 1 / Float(channels) : 1 / Float(channels).squareRoot() }
    }

    /// Output by output: gain of each input.
    package let gains: [Float]

    private static let minus3: Float = 0.70710678

    package init(from inputs: [UInt32], to outputs: [UInt32], intoMono fold: MonoFold = .equalPower) {
        var matrix = [Float](repeating: 0, count: inputs.count * outputs.count)
        for (input, label) in inputs.enumerated() {
            for (output, gain) in Self.targets(label, input, inputs, outputs, fold) { matrix[output * inputs.count + input] += gain }
        }
        gains = matrix
    }

    private static func targets(_ label: UInt32, _ index: Int, _ inputs: [UInt32], _ outputs: [UInt32], _ fold: MonoFold) -> [(Int, Float)] {
        if inputs == outputs { return [(index, 1)] }
        if let same = outputs.firstIndex(of: label), label != kAudioChannelLabel_Unknown { return [(same, 1)] }
        let (left, right) = (outputs.firstIndex(of: kAudioChannelLabel_Left), outputs.firstIndex(of: kAudioChannelLabel_Right))
        if outputs.count == 1 {
            if label == kAudioChannelLabel_LFEScreen { return [] }
            return [(0, inputs.count == 1 ? 1 : fold.gain(of: inputs.count))]
        }
        switch side(of: label) {
        case .mono: return [left, right].compactMap { $0 }.map { ($0, Float(1)) }
        case .middle: return [left, right].compactMap { $0 }.map { ($0, minus3) }
        case .left: return left.map { [($0, isFront(label) ? Float(1) : minus3)] } ?? []
        case .right: return right.map { [($0, isFront(label) ? Float(1) : minus3)] } ?? []
        case .none: return index < outputs.count && label == kAudioChannelLabel_Unknown ? [(index, Float(1))] : []
        }
    }

    package enum Side { case mono, middle, left, right, none }

    private static func isFront(_ label: UInt32) -> Bool {
        label == kAudioChannelLabel_Left || label == kAudioChannelLabel_Right
    }

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
