/// The channel labels the rules of mapping and mixing know, numbered as in the Core Audio Format specification's layout chunk.
enum ChannelLabel {
    static let left: UInt32 = 1, right: UInt32 = 2, centre: UInt32 = 3, lfe: UInt32 = 4
    static let leftSurround: UInt32 = 5, rightSurround: UInt32 = 6
    static let leftCentre: UInt32 = 7, rightCentre: UInt32 = 8, centreSurround: UInt32 = 9
    static let leftSide: UInt32 = 10, rightSide: UInt32 = 11
    static let topLeft: UInt32 = 13, topCentre: UInt32 = 14, topRight: UInt32 = 15
    static let topRearLeft: UInt32 = 16, topRearCentre: UInt32 = 17, topRearRight: UInt32 = 18
    static let rearLeft: UInt32 = 33, rearRight: UInt32 = 34
    static let leftWide: UInt32 = 35, rightWide: UInt32 = 36
    static let secondLFE: UInt32 = 37
    static let mono: UInt32 = 42
    static let unknown = UInt32.max, unused: UInt32 = 0

    /// The labels of a stream that does not tell them, where there is no doubt.
    static func usual(_ channelCount: Int) -> [UInt32]? {
        switch channelCount {
        case 1: [mono]
        case 2: [left, right]
        default: nil
        }
    }


    /// Labels that mean the same loudspeaker where only one of them occurs: the surrounds of a ring of five are called side or rear, too.
    static func namesakes(_ label: UInt32) -> [UInt32] {
        switch label {
        case leftSurround: [leftSide, rearLeft]
        case rightSurround: [rightSide, rearRight]
        case leftSide, rearLeft: [leftSurround]
        case rightSide, rearRight: [rightSurround]
        default: []
        }
    }
}
