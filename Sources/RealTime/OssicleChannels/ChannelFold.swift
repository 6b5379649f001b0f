// Where a channel goes that the output lacks.

/// The downward mixes into two channels and into one of ITU-R BS.775-3, annex 4: a centre into both fronts and a
/// surround into the front of its side at −3 dB, fronts into one channel at −3 dB, surrounds at −6 dB. Loudspeakers
/// that the recommendation does not have go where the direction changes least; low frequencies have no other place.
package enum ChannelFold {
    package typealias Part = (label: UInt32, gain: Double)

    private typealias Label = ChannelLabel
    private static let minus3 = 0.5.squareRoot(), minus6 = 0.5

    /// Ways to fold `label`, the best first; one is open when the output has all of its labels. A single output channel
    /// counts as mono.
    package static func ways(_ label: UInt32) -> [[Part]] {
        let mono = Label.mono, left = Label.left, right = Label.right, centre = Label.centre
        return switch label {
        case mono: [[(left, 1), (right, 1)], [(centre, 1)]]
        case left, right, Label.leftWide, Label.rightWide:
            [[(side(label), 1)], [(mono, minus3)], [(centre, minus3)]]
        case Label.leftCentre, Label.rightCentre:
            [[(side(label), minus3), (centre, minus3)], [(side(label), 1)], [(mono, minus3)]]
        case centre: [[(left, minus3), (right, minus3)], [(mono, 1)]]
        case Label.centreSurround, Label.topBackCentre:
            [
                [(Label.leftSurround, minus3), (Label.rightSurround, minus3)],
                [(left, minus6), (right, minus6)], [(mono, minus6)],
            ]
        case Label.topFrontCentre: [[(centre, minus3)], [(left, minus6), (right, minus6)], [(mono, minus6)]]
        case Label.leftSurround, Label.leftSurroundDirect, Label.rearLeft, Label.topBackLeft:
            [[(Label.leftSurround, minus3)], [(left, minus3)], [(mono, minus6)]]
        case Label.rightSurround, Label.rightSurroundDirect, Label.rearRight, Label.topBackRight:
            [[(Label.rightSurround, minus3)], [(right, minus3)], [(mono, minus6)]]
        case Label.topFrontLeft, Label.topFrontRight: [[(side(label), minus3)], [(mono, minus6)]]
        case Label.lfe: [[(Label.lfe2, 1)]]
        case Label.lfe2: [[(Label.lfe, 1)]]
        default: [[(mono, minus3)]]
        }
    }

    private static func side(_ label: UInt32) -> UInt32 {
        [Label.right, Label.rightWide, Label.rightCentre, Label.topFrontRight].contains(label)
            ? Label.right : Label.left
    }
}
