// The role of one channel.

/// Channel labels, numbered as in the layout chunk of the Core Audio Format specification; `AudioChannelLabel` has the
/// same numbers.
package enum ChannelLabel {
    package static let unused: UInt32 = 0, unknown = UInt32.max
    package static let left: UInt32 = 1, right: UInt32 = 2, centre: UInt32 = 3
    package static let lfe: UInt32 = 4, lfe2: UInt32 = 37, lfe3: UInt32 = 62
    package static let leftSurround: UInt32 = 5, rightSurround: UInt32 = 6
    package static let leftCentre: UInt32 = 7, rightCentre: UInt32 = 8
    package static let centreSurround: UInt32 = 9, centreSurroundDirect: UInt32 = 44
    package static let leftSurroundDirect: UInt32 = 10, rightSurroundDirect: UInt32 = 11
    package static let topCentre: UInt32 = 12
    package static let topFrontLeft: UInt32 = 13, topFrontCentre: UInt32 = 14, topFrontRight: UInt32 = 15
    package static let topBackLeft: UInt32 = 16, topBackCentre: UInt32 = 17, topBackRight: UInt32 = 18
    package static let rearLeft: UInt32 = 33, rearRight: UInt32 = 34
    package static let leftWide: UInt32 = 35, rightWide: UInt32 = 36
    package static let leftTotal: UInt32 = 38, rightTotal: UInt32 = 39
    package static let mono: UInt32 = 42
    package static let topMiddleLeft: UInt32 = 49, topMiddleRight: UInt32 = 51
    package static let topRearLeft: UInt32 = 52, topRearCentre: UInt32 = 53, topRearRight: UInt32 = 54
    package static let leftSide: UInt32 = 55, rightSide: UInt32 = 56
    package static let bottomLeft: UInt32 = 57, bottomRight: UInt32 = 58, bottomCentre: UInt32 = 59
    package static let topSurroundLeft: UInt32 = 60, topSurroundRight: UInt32 = 61
    package static let backLeft: UInt32 = 63, backRight: UInt32 = 64
    package static let screenEdgeLeft: UInt32 = 65, screenEdgeRight: UInt32 = 66
    package static let ambisonicW: UInt32 = 200, ambisonicX: UInt32 = 201, ambisonicY: UInt32 = 202
    package static let ambisonicZ: UInt32 = 203
    package static let mid: UInt32 = 204, side: UInt32 = 205
    package static let crossedX: UInt32 = 206, crossedY: UInt32 = 207
    package static let binauralLeft: UInt32 = 208, binauralRight: UInt32 = 209
    package static let headphonesLeft: UInt32 = 301, headphonesRight: UInt32 = 302
    /// The first of 65 536 labels each; the lower half is a number of its own, for Ambisonics the ACN index.
    package static let discrete: UInt32 = 1 << 16, ambisonicSN3D: UInt32 = 2 << 16, ambisonicN3D: UInt32 = 3 << 16

    /// The labels of a stream of one or two channels without a layout; `nil` for more.
    package static func usual(_ channelCount: Int) -> [UInt32]? {
        switch channelCount {
        case 1: [mono]
        case 2: [left, right]
        default: nil
        }
    }

    package static let lfes = [lfe, lfe2, lfe3]
    package static func isLFE(_ label: UInt32) -> Bool { lfes.contains(label) }

    /// Labels of the same loudspeaker in layouts that have one pair of surrounds only, at the sides or in the rear.
    package static func namesakes(_ label: UInt32) -> [UInt32] {
        switch label {
        case leftSurround: [leftSurroundDirect, rearLeft]
        case rightSurround: [rightSurroundDirect, rearRight]
        case leftSurroundDirect, rearLeft: [leftSurround]
        case rightSurroundDirect, rearRight: [rightSurround]
        default: []
        }
    }

    /// The loudspeaker that replaces an ear or a microphone of a crossed pair; other labels stay.
    package static func loudspeaker(_ label: UInt32) -> UInt32 {
        switch label {
        case headphonesLeft, binauralLeft, crossedX: left
        case headphonesRight, binauralRight, crossedY: right
        default: label
        }
    }

    /// The labels behind the short names of `ChannelOrder.orders`.
    static let byShortName: [String: UInt32] = [
        "Mono": mono, "L": left, "R": right, "C": centre, "LFE": lfe, "LFE2": lfe2, "LFE3": lfe3,
        "Ls": leftSurround, "Rs": rightSurround, "Cs": centreSurround, "Lc": leftCentre, "Rc": rightCentre,
        "Lsd": leftSurroundDirect, "Rsd": rightSurroundDirect, "Csd": centreSurroundDirect,
        "Rls": rearLeft, "Rrs": rearRight, "Lss": leftSide, "Rss": rightSide, "Lbs": backLeft, "Rbs": backRight,
        "Lw": leftWide, "Rw": rightWide, "Leos": screenEdgeLeft, "Reos": screenEdgeRight, "Ts": topCentre,
        "Vhl": topFrontLeft, "Vhc": topFrontCentre, "Vhr": topFrontRight, "Ltm": topMiddleLeft, "Rtm": topMiddleRight,
        "Ltr": topRearLeft, "Ctr": topRearCentre, "Rtr": topRearRight, "Tbl": topBackLeft, "Tbr": topBackRight,
        "Lts": topSurroundLeft, "Rts": topSurroundRight, "Lb": bottomLeft, "Cb": bottomCentre, "Rb": bottomRight,
        "Lt": leftTotal, "Rt": rightTotal, "HpL": headphonesLeft, "HpR": headphonesRight,
        "BinL": binauralLeft, "BinR": binauralRight, "Mid": mid, "Side": side, "XyX": crossedX, "XyY": crossedY,
        "W": ambisonicW, "X": ambisonicX, "Y": ambisonicY, "Z": ambisonicZ, "HI": 40, "VI": 41, "Haptic": 45,
    ]
}
