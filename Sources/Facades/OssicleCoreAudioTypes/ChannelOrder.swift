// From a layout to the labels of its channels, in stream order, and back.

/// The channel orders behind the layout tags.
package enum ChannelOrder {
    /// The labels of `tag` in stream order, or `nil` for a tag that is unknown or carries no channels.
    package static func labels(for tag: AudioChannelLayoutTag) -> [AudioChannelLabel]? {
        if let known = labelsByTag[tag] { return known }
        let count = AudioChannelLayoutTag_GetNumberOfChannels(tag)
        guard count > 0 else { return nil }
        switch tag & 0xFFFF_0000 {
        case kAudioChannelLayoutTag_DiscreteInOrder:
            return (0..<count).map { kAudioChannelLabel_Discrete_0 | $0 }
        case kAudioChannelLayoutTag_HOA_ACN_SN3D where isSquare(count):
            return (0..<count).map { kAudioChannelLabel_HOA_SN3D | $0 }
        case kAudioChannelLayoutTag_HOA_ACN_N3D where isSquare(count):
            return (0..<count).map { kAudioChannelLabel_HOA_N3D | $0 }
        case kAudioChannelLayoutTag_Unknown:
            return [AudioChannelLabel](repeating: kAudioChannelLabel_Unknown, count: Int(count))
        default:
            return nil
        }
    }

    /// The labels of a layout, whichever way it describes its channels.
    package static func labels(of layout: UnsafePointer<AudioChannelLayout>) -> [AudioChannelLabel] {
        switch layout.pointee.mChannelLayoutTag {
        case kAudioChannelLayoutTag_UseChannelDescriptions: layout.channelDescriptions.map(\.mChannelLabel)
        case kAudioChannelLayoutTag_UseChannelBitmap: layout.pointee.mChannelBitmap.labels
        case let tag: labels(for: tag) ?? []
        }
    }

    /// The first listed tag whose channels are exactly `labels`, or `nil`.
    package static func tag(for labels: [AudioChannelLabel]) -> AudioChannelLayoutTag? {
        if let known = tagByLabels[labels] { return known }
        let families = [kAudioChannelLayoutTag_DiscreteInOrder, kAudioChannelLayoutTag_HOA_ACN_SN3D, kAudioChannelLayoutTag_HOA_ACN_N3D]
        guard let count = UInt16(exactly: labels.count), count > 0 else { return nil }
        return families.map { $0 | UInt32(count) }.first { self.labels(for: $0) == labels }
    }

    /// Ambisonics of order N has (N + 1)² channels.
    private static func isSquare(_ count: UInt32) -> Bool {
        (1...255).contains { $0 * $0 == count }
    }

    private static let labelsByTag: [AudioChannelLayoutTag: [AudioChannelLabel]] = Dictionary(
        shortNamesByTag.map { entry in
            (entry.tag, entry.order.split(separator: " ").map { labelByShortName[String($0)] ?? kAudioChannelLabel_Unknown })
        }, uniquingKeysWith: { first, _ in first })

    private static let tagByLabels: [[AudioChannelLabel]: AudioChannelLayoutTag] = Dictionary(
        shortNamesByTag.compactMap { entry in labelsByTag[entry.tag].map { ($0, entry.tag) } }, uniquingKeysWith: { first, _ in first })

    static let labelByShortName: [String: AudioChannelLabel] = [
        "Mono": kAudioChannelLabel_Mono, "L": kAudioChannelLabel_Left, "R": kAudioChannelLabel_Right, "C": kAudioChannelLabel_Center,
        "LFE": kAudioChannelLabel_LFEScreen, "LFE2": kAudioChannelLabel_LFE2, "LFE3": kAudioChannelLabel_LFE3,
        "Ls": kAudioChannelLabel_LeftSurround, "Rs": kAudioChannelLabel_RightSurround, "Cs": kAudioChannelLabel_CenterSurround,
        "Lc": kAudioChannelLabel_LeftCenter, "Rc": kAudioChannelLabel_RightCenter,
        "Lsd": kAudioChannelLabel_LeftSurroundDirect, "Rsd": kAudioChannelLabel_RightSurroundDirect,
        "Csd": kAudioChannelLabel_CenterSurroundDirect,
        "Rls": kAudioChannelLabel_RearSurroundLeft, "Rrs": kAudioChannelLabel_RearSurroundRight,
        "Lss": kAudioChannelLabel_LeftSideSurround, "Rss": kAudioChannelLabel_RightSideSurround,
        "Lbs": kAudioChannelLabel_LeftBackSurround, "Rbs": kAudioChannelLabel_RightBackSurround,
        "Lw": kAudioChannelLabel_LeftWide, "Rw": kAudioChannelLabel_RightWide,
        "Leos": kAudioChannelLabel_LeftEdgeOfScreen, "Reos": kAudioChannelLabel_RightEdgeOfScreen,
        "Ts": kAudioChannelLabel_TopCenterSurround,
        "Vhl": kAudioChannelLabel_VerticalHeightLeft, "Vhc": kAudioChannelLabel_VerticalHeightCenter, "Vhr": kAudioChannelLabel_VerticalHeightRight,
        "Ltm": kAudioChannelLabel_LeftTopMiddle, "Rtm": kAudioChannelLabel_RightTopMiddle,
        "Ltr": kAudioChannelLabel_LeftTopRear, "Ctr": kAudioChannelLabel_CenterTopRear, "Rtr": kAudioChannelLabel_RightTopRear,
        "Tbl": kAudioChannelLabel_TopBackLeft, "Tbr": kAudioChannelLabel_TopBackRight,
        "Lts": kAudioChannelLabel_LeftTopSurround, "Rts": kAudioChannelLabel_RightTopSurround,
        "Lb": kAudioChannelLabel_LeftBottom, "Cb": kAudioChannelLabel_CenterBottom, "Rb": kAudioChannelLabel_RightBottom,
        "Lt": kAudioChannelLabel_LeftTotal, "Rt": kAudioChannelLabel_RightTotal,
        "HpL": kAudioChannelLabel_HeadphonesLeft, "HpR": kAudioChannelLabel_HeadphonesRight,
        "BinL": kAudioChannelLabel_BinauralLeft, "BinR": kAudioChannelLabel_BinauralRight,
        "Mid": kAudioChannelLabel_MS_Mid, "Side": kAudioChannelLabel_MS_Side, "XyX": kAudioChannelLabel_XY_X, "XyY": kAudioChannelLabel_XY_Y,
        "W": kAudioChannelLabel_Ambisonic_W, "X": kAudioChannelLabel_Ambisonic_X,
        "Y": kAudioChannelLabel_Ambisonic_Y, "Z": kAudioChannelLabel_Ambisonic_Z,
        "HI": kAudioChannelLabel_HearingImpaired, "VI": kAudioChannelLabel_Narration, "Haptic": kAudioChannelLabel_Haptic,
    ]
}
