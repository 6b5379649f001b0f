/// Where a channel goes that the output lacks, after the two-channel and one-channel downward mixes of ITU-R BS.775-3, annex 4: a centre
/// into both fronts and a surround into its side's front at −3 dB, fronts into one channel at −3 dB, surrounds at −6 dB. Loudspeakers
/// the recommendation does not know go where the sound would move least; a channel for low frequencies has no place elsewhere.
enum ChannelFold {
    typealias Part = (label: UInt32, gain: Double)

    private static let minus3 = 0.5.squareRoot(), minus6 = 0.5

    /// Ways to place `label`, the best first; a way is open when the output has all of its labels. One output channel counts as mono.
    static func ways(_ label: UInt32) -> [[Part]] {
        switch label {
        case ChannelLabel.mono: [[(left, 1), (right, 1)], [(centre, 1)]]
        case ChannelLabel.left, ChannelLabel.right, ChannelLabel.leftWide, ChannelLabel.rightWide:
            [[(side(label), 1)], [(mono, minus3)], [(centre, minus3)]]
        case ChannelLabel.leftCentre, ChannelLabel.rightCentre: [[(side(label), minus3), (centre, minus3)], [(side(label), 1)], [(mono, minus3)]]
        case ChannelLabel.centre: [[(left, minus3), (right, minus3)], [(mono, 1)]]
        case ChannelLabel.centreSurround, ChannelLabel.topRearCentre:
            [[(ChannelLabel.leftSurround, minus3), (ChannelLabel.rightSurround, minus3)], [(left, minus6), (right, minus6)], [(mono, minus6)]]
        case ChannelLabel.topCentre: [[(centre, minus3)], [(left, minus6), (right, minus6)], [(mono, minus6)]]
        case ChannelLabel.leftSurround, ChannelLabel.leftSide, ChannelLabel.rearLeft, ChannelLabel.topRearLeft:
            [[(ChannelLabel.leftSurround, minus3)], [(left, minus3)], [(mono, minus6)]]
        case ChannelLabel.rightSurround, ChannelLabel.rightSide, ChannelLabel.rearRight, ChannelLabel.topRearRight:
            [[(ChannelLabel.rightSurround, minus3)], [(right, minus3)], [(mono, minus6)]]
        case ChannelLabel.topLeft, ChannelLabel.topRight: [[(side(label), minus3)], [(mono, minus6)]]
        case ChannelLabel.lfe: [[(ChannelLabel.secondLFE, 1)]]
        case ChannelLabel.secondLFE: [[(ChannelLabel.lfe, 1)]]
        default: [[(mono, minus3)]]
        }
    }

    private static let left = ChannelLabel.left, right = ChannelLabel.right, centre = ChannelLabel.centre, mono = ChannelLabel.mono

    private static func side(_ label: UInt32) -> UInt32 {
        [ChannelLabel.right, ChannelLabel.rightWide, ChannelLabel.rightCentre, ChannelLabel.topRight].contains(label) ? right : left
    }
}
