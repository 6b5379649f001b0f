// The direction of one loudspeaker, given the others of its layout.

/// All labels of a layout, for the directions that depend on which other loudspeakers there are.
struct SpeakerDirections {
    let labels: Set<UInt32>
    let isTwentyTwoPointTwo: Bool

    private typealias Label = ChannelLabel
    private typealias Speaker = SpeakerLayout.Speaker

    private var hasRearPair: Bool { contains(Label.rearLeft, Label.backLeft) }
    private var hasSidePair: Bool { contains(Label.leftSurround, Label.leftSide, Label.leftSurroundDirect) }

    /// Seven in the ring: sides and rears apart.
    private var isSevenRing: Bool { hasRearPair && hasSidePair }

    private func contains(_ some: UInt32...) -> Bool { !labels.isDisjoint(with: some) }

    /// The loudspeaker of the channel `label`, or `nil` when it is no loudspeaker.
    func speaker(_ label: UInt32) -> SpeakerLayout.Speaker? {
        lowFrequency(label) ?? median(label) ?? leftOfPair(label)
            ?? Self.leftOfRight[label].flatMap(leftOfPair).map {
                Speaker(azimuth: -$0.azimuth, elevation: $0.elevation)
            }
    }

    /// LFE loudspeakers are low, left and right of the front (BS.2051, LFE1 and LFE2). A pair labelled LFE2 and LFE3 is
    /// such a pair too.
    private func lowFrequency(_ label: UInt32) -> Speaker? {
        switch label {
        case Label.lfe: Speaker(azimuth: 45, elevation: -30, isLFE: true)
        case Label.lfe2: Speaker(azimuth: contains(Label.lfe3) ? 45 : -45, elevation: -30, isLFE: true)
        case Label.lfe3: Speaker(azimuth: -45, elevation: -30, isLFE: true)
        default: nil
        }
    }

    private func median(_ label: UInt32) -> Speaker? {
        switch label {
        case Label.mono, Label.centre: Speaker(azimuth: 0)
        case Label.centreSurround, Label.centreSurroundDirect: Speaker(azimuth: 180)
        case Label.topCentre: Speaker(azimuth: 0, elevation: 90)
        case Label.topFrontCentre: Speaker(azimuth: 0, elevation: 30)
        case Label.topRearCentre, Label.topBackCentre: Speaker(azimuth: 180, elevation: 30)
        case Label.bottomCentre: Speaker(azimuth: 0, elevation: -30)
        default: nil
        }
    }

    private func leftOfPair(_ label: UInt32) -> Speaker? {
        switch label {
        case Label.left, Label.leftTotal: Speaker(azimuth: isTwentyTwoPointTwo ? 60 : 30)
        case Label.leftCentre: Speaker(azimuth: isTwentyTwoPointTwo ? 30 : 15)
        case Label.screenEdgeLeft: Speaker(azimuth: 15)
        case Label.leftWide: Speaker(azimuth: 60)
        case Label.leftSurround: Speaker(azimuth: hasRearPair ? 90 : 110)
        case Label.leftSide, Label.leftSurroundDirect: Speaker(azimuth: 90)
        case Label.rearLeft, Label.backLeft: Speaker(azimuth: hasSidePair || !contains(Label.centre) ? 135 : 110)
        case Label.topFrontLeft: Speaker(azimuth: isSevenRing ? 45 : 30, elevation: 30)
        case Label.topMiddleLeft: Speaker(azimuth: 90, elevation: 30)
        case Label.topRearLeft, Label.topBackLeft: Speaker(azimuth: isSevenRing ? 135 : 110, elevation: 30)
        case Label.topSurroundLeft: Speaker(azimuth: 110, elevation: 30)
        case Label.bottomLeft: Speaker(azimuth: 45, elevation: -30)
        default: nil
        }
    }

    private static let leftOfRight: [UInt32: UInt32] = [
        Label.right: Label.left, Label.rightTotal: Label.leftTotal, Label.rightCentre: Label.leftCentre,
        Label.screenEdgeRight: Label.screenEdgeLeft, Label.rightWide: Label.leftWide,
        Label.rightSurround: Label.leftSurround, Label.rightSide: Label.leftSide,
        Label.rightSurroundDirect: Label.leftSurroundDirect, Label.rearRight: Label.rearLeft,
        Label.backRight: Label.backLeft, Label.topFrontRight: Label.topFrontLeft,
        Label.topMiddleRight: Label.topMiddleLeft, Label.topRearRight: Label.topRearLeft,
        Label.topBackRight: Label.topBackLeft, Label.topSurroundRight: Label.topSurroundLeft,
        Label.bottomRight: Label.bottomLeft,
    ]
}
