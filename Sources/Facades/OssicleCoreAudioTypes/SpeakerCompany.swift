// The place of a loudspeaker, given the others it plays with.

/// The loudspeakers of one layout, seen together.
struct SpeakerCompany {
    let labels: Set<AudioChannelLabel>
    let isTwentyTwoPointTwo: Bool

    private var hasRearPair: Bool {
        contains(kAudioChannelLabel_RearSurroundLeft, kAudioChannelLabel_LeftBackSurround)
    }

    private var hasSidePair: Bool {
        contains(kAudioChannelLabel_LeftSurround, kAudioChannelLabel_LeftSideSurround, kAudioChannelLabel_LeftSurroundDirect)
    }

    private var hasCenter: Bool { contains(kAudioChannelLabel_Center) }

    /// Seven in the ring: sides and rears apart.
    private var isSevenRing: Bool { hasRearPair && hasSidePair }

    private func contains(_ some: AudioChannelLabel...) -> Bool { !labels.isDisjoint(with: some) }

    /// Direction of the loudspeaker that carries `label`, or `nil` when the label is no loudspeaker.
    func position(of label: AudioChannelLabel) -> SpeakerPosition? {
        if let lfe = lowFrequency(label) { return lfe }
        if let fixed = fixed(label) { return fixed }
        guard let (azimuth, elevation) = pair(label) else { return nil }
        return SpeakerPosition(azimuth: azimuth, elevation: elevation)
    }

    /// LFE loudspeakers stand low, left and right of the front (BS.2051, LFE1 and LFE2). A pair labelled LFE2 and LFE3 is such a pair too.
    private func lowFrequency(_ label: AudioChannelLabel) -> SpeakerPosition? {
        switch label {
        case kAudioChannelLabel_LFEScreen: SpeakerPosition(azimuth: 45, elevation: -30, isLFE: true)
        case kAudioChannelLabel_LFE2: SpeakerPosition(azimuth: contains(kAudioChannelLabel_LFE3) ? 45 : -45, elevation: -30, isLFE: true)
        case kAudioChannelLabel_LFE3: SpeakerPosition(azimuth: -45, elevation: -30, isLFE: true)
        default: nil
        }
    }

    /// Loudspeakers on the median plane.
    private func fixed(_ label: AudioChannelLabel) -> SpeakerPosition? {
        switch label {
        case kAudioChannelLabel_Mono, kAudioChannelLabel_Center: SpeakerPosition(azimuth: 0)
        case kAudioChannelLabel_CenterSurround, kAudioChannelLabel_CenterSurroundDirect: SpeakerPosition(azimuth: 180)
        case kAudioChannelLabel_TopCenterSurround: SpeakerPosition(azimuth: 0, elevation: 90)
        case kAudioChannelLabel_VerticalHeightCenter: SpeakerPosition(azimuth: 0, elevation: 30)
        case kAudioChannelLabel_CenterTopRear, kAudioChannelLabel_TopBackCenter: SpeakerPosition(azimuth: 180, elevation: 30)
        case kAudioChannelLabel_CenterBottom: SpeakerPosition(azimuth: 0, elevation: -30)
        default: nil
        }
    }

    /// Loudspeakers that come in pairs, mirrored at the median plane.
    private func pair(_ label: AudioChannelLabel) -> (azimuth: Double, elevation: Double)? {
        if let left = leftOfPair(label) { return left }
        guard let left = Self.leftOfRight[label], let (azimuth, elevation) = leftOfPair(left) else { return nil }
        return (-azimuth, elevation)
    }

    private func leftOfPair(_ label: AudioChannelLabel) -> (azimuth: Double, elevation: Double)? {
        switch label {
        case kAudioChannelLabel_Left, kAudioChannelLabel_LeftTotal: (isTwentyTwoPointTwo ? 60 : 30, 0)
        case kAudioChannelLabel_LeftCenter: (isTwentyTwoPointTwo ? 30 : 15, 0)
        case kAudioChannelLabel_LeftEdgeOfScreen: (15, 0)
        case kAudioChannelLabel_LeftWide: (60, 0)
        case kAudioChannelLabel_LeftSurround: (hasRearPair ? 90 : 110, 0)
        case kAudioChannelLabel_LeftSideSurround, kAudioChannelLabel_LeftSurroundDirect: (90, 0)
        case kAudioChannelLabel_RearSurroundLeft, kAudioChannelLabel_LeftBackSurround: (hasSidePair || !hasCenter ? 135 : 110, 0)
        case kAudioChannelLabel_VerticalHeightLeft: (isSevenRing ? 45 : 30, 30)
        case kAudioChannelLabel_LeftTopMiddle: (90, 30)
        case kAudioChannelLabel_LeftTopRear, kAudioChannelLabel_TopBackLeft: (isSevenRing ? 135 : 110, 30)
        case kAudioChannelLabel_LeftTopSurround: (110, 30)
        case kAudioChannelLabel_LeftBottom: (45, -30)
        default: nil
        }
    }

    private static let leftOfRight: [AudioChannelLabel: AudioChannelLabel] = [
        kAudioChannelLabel_Right: kAudioChannelLabel_Left,
        kAudioChannelLabel_RightTotal: kAudioChannelLabel_LeftTotal,
        kAudioChannelLabel_RightCenter: kAudioChannelLabel_LeftCenter,
        kAudioChannelLabel_RightEdgeOfScreen: kAudioChannelLabel_LeftEdgeOfScreen,
        kAudioChannelLabel_RightWide: kAudioChannelLabel_LeftWide,
        kAudioChannelLabel_RightSurround: kAudioChannelLabel_LeftSurround,
        kAudioChannelLabel_RightSideSurround: kAudioChannelLabel_LeftSideSurround,
        kAudioChannelLabel_RightSurroundDirect: kAudioChannelLabel_LeftSurroundDirect,
        kAudioChannelLabel_RearSurroundRight: kAudioChannelLabel_RearSurroundLeft,
        kAudioChannelLabel_RightBackSurround: kAudioChannelLabel_LeftBackSurround,
        kAudioChannelLabel_VerticalHeightRight: kAudioChannelLabel_VerticalHeightLeft,
        kAudioChannelLabel_RightTopMiddle: kAudioChannelLabel_LeftTopMiddle,
        kAudioChannelLabel_RightTopRear: kAudioChannelLabel_LeftTopRear,
        kAudioChannelLabel_TopBackRight: kAudioChannelLabel_TopBackLeft,
        kAudioChannelLabel_RightTopSurround: kAudioChannelLabel_LeftTopSurround,
        kAudioChannelLabel_RightBottom: kAudioChannelLabel_LeftBottom,
    ]
}
