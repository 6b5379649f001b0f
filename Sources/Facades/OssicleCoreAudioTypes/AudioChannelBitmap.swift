// The channels of a stream as a set; their order in the stream is the order of the bits.

/// A set of loudspeaker channels. Up to bit 17 it equals the channel mask of WAVE files.
public struct AudioChannelBitmap: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// The set with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Left.
    public static let bit_Left = AudioChannelBitmap(rawValue: 1 << 0)
    /// Right.
    public static let bit_Right = AudioChannelBitmap(rawValue: 1 << 1)
    /// Center.
    public static let bit_Center = AudioChannelBitmap(rawValue: 1 << 2)
    /// Low-frequency effects.
    public static let bit_LFEScreen = AudioChannelBitmap(rawValue: 1 << 3)
    /// Left surround.
    public static let bit_LeftSurround = AudioChannelBitmap(rawValue: 1 << 4)
    /// Right surround.
    public static let bit_RightSurround = AudioChannelBitmap(rawValue: 1 << 5)
    /// Left center.
    public static let bit_LeftCenter = AudioChannelBitmap(rawValue: 1 << 6)
    /// Right center.
    public static let bit_RightCenter = AudioChannelBitmap(rawValue: 1 << 7)
    /// Center surround.
    public static let bit_CenterSurround = AudioChannelBitmap(rawValue: 1 << 8)
    /// Left surround direct.
    public static let bit_LeftSurroundDirect = AudioChannelBitmap(rawValue: 1 << 9)
    /// Right surround direct.
    public static let bit_RightSurroundDirect = AudioChannelBitmap(rawValue: 1 << 10)
    /// Top center surround.
    public static let bit_TopCenterSurround = AudioChannelBitmap(rawValue: 1 << 11)
    /// Front left height.
    public static let bit_VerticalHeightLeft = AudioChannelBitmap(rawValue: 1 << 12)
    /// Front center height.
    public static let bit_VerticalHeightCenter = AudioChannelBitmap(rawValue: 1 << 13)
    /// Front right height.
    public static let bit_VerticalHeightRight = AudioChannelBitmap(rawValue: 1 << 14)
    /// Top back left.
    public static let bit_TopBackLeft = AudioChannelBitmap(rawValue: 1 << 15)
    /// Top back center.
    public static let bit_TopBackCenter = AudioChannelBitmap(rawValue: 1 << 16)
    /// Top back right.
    public static let bit_TopBackRight = AudioChannelBitmap(rawValue: 1 << 17)
    /// Left top middle.
    public static let bit_LeftTopMiddle = AudioChannelBitmap(rawValue: 1 << 21)
    /// Right top middle.
    public static let bit_RightTopMiddle = AudioChannelBitmap(rawValue: 1 << 23)
    /// Left top rear.
    public static let bit_LeftTopRear = AudioChannelBitmap(rawValue: 1 << 24)
    /// Center top rear.
    public static let bit_CenterTopRear = AudioChannelBitmap(rawValue: 1 << 25)
    /// Right top rear.
    public static let bit_RightTopRear = AudioChannelBitmap(rawValue: 1 << 26)

    /// The labels of the channels in the set, in stream order; bits without a meaning give `Unknown`.
    package var labels: [AudioChannelLabel] {
        (0..<32).filter { rawValue & (1 << UInt32($0)) != 0 }.map { bit in
            switch bit {
            case 0...17: AudioChannelLabel(bit + 1)
            case 21: kAudioChannelLabel_LeftTopMiddle
            case 23: kAudioChannelLabel_RightTopMiddle
            case 24: kAudioChannelLabel_LeftTopRear
            case 25: kAudioChannelLabel_CenterTopRear
            case 26: kAudioChannelLabel_RightTopRear
            default: kAudioChannelLabel_Unknown
            }
        }
    }
}
