// Which channel is which: by a tag, by a bitmap, or described one by one.

/// A known order of channels: an index in the upper half, the number of channels in the lower.
public typealias AudioChannelLayoutTag = UInt32

/// Number of channels of a tag: its lower 16 bits.
public func AudioChannelLayoutTag_GetNumberOfChannels(_ inLayoutTag: AudioChannelLayoutTag) -> UInt32 {
    inLayoutTag & 0xFFFF
}

/// The roles of the channels of a stream. The head of a structure of variable length: further descriptions follow
/// `mChannelDescriptions` in memory.
public struct AudioChannelLayout {
    /// A known order, or one of the two tags that point at the bitmap or the descriptions.
    public var mChannelLayoutTag: AudioChannelLayoutTag
    /// The channels present, when the tag points here.
    public var mChannelBitmap: AudioChannelBitmap
    /// Number of descriptions.
    public var mNumberChannelDescriptions: UInt32
    /// The first description.
    public var mChannelDescriptions: AudioChannelDescription

    /// A layout that describes nothing.
    public init() {
        self.init(
            mChannelLayoutTag: 0, mChannelBitmap: [], mNumberChannelDescriptions: 0,
            mChannelDescriptions: AudioChannelDescription())
    }

    /// A layout of at most one description.
    public init(
        mChannelLayoutTag: AudioChannelLayoutTag, mChannelBitmap: AudioChannelBitmap,
        mNumberChannelDescriptions: UInt32,
        mChannelDescriptions: AudioChannelDescription
    ) {
        self.mChannelLayoutTag = mChannelLayoutTag
        self.mChannelBitmap = mChannelBitmap
        self.mNumberChannelDescriptions = mNumberChannelDescriptions
        self.mChannelDescriptions = mChannelDescriptions
    }

    /// Bytes that a layout with `maximumDescriptions` descriptions takes; less than 1 counts as 1.
    public static func sizeInBytes(maximumDescriptions: Int) -> Int {
        let further = min(max(maximumDescriptions, 1), 65_536) - 1
        return MemoryLayout<AudioChannelLayout>.size + further * MemoryLayout<AudioChannelDescription>.stride
    }
}

/// How the coordinates of a description are meant.
public struct AudioChannelFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// The set with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// No coordinates.
    public static let allOff: AudioChannelFlags = []
    /// Coordinates are left–right, back–front, down–up.
    public static let rectangularCoordinates = AudioChannelFlags(rawValue: 1)
    /// Coordinates are azimuth (degrees, right positive), elevation (degrees) and distance.
    public static let sphericalCoordinates = AudioChannelFlags(rawValue: 2)
    /// Distances are in metres instead of relative.
    public static let meters = AudioChannelFlags(rawValue: 4)
}

/// Index into a description's coordinates. Rectangular and spherical coordinates share the three places.
public enum AudioChannelCoordinateIndex: UInt32, Sendable {
    /// Rectangular: negative left, positive right.
    case coordinates_LeftRight = 0
    /// Rectangular: negative back, positive front.
    case coordinates_BackFront = 1
    /// Rectangular: negative below, positive above.
    case coordinates_DownUp = 2

    /// Spherical: degrees from the front, positive to the right.
    public static let coordinates_Azimuth = AudioChannelCoordinateIndex.coordinates_LeftRight
    /// Spherical: degrees above the horizon.
    public static let coordinates_Elevation = AudioChannelCoordinateIndex.coordinates_BackFront
    /// Spherical: distance from the centre.
    public static let coordinates_Distance = AudioChannelCoordinateIndex.coordinates_DownUp
}

/// The role of one channel and, where the role is a place, its coordinates.
public struct AudioChannelDescription: Sendable {
    /// The role.
    public var mChannelLabel: AudioChannelLabel
    /// How `mCoordinates` is meant.
    public var mChannelFlags: AudioChannelFlags
    /// The place.
    public var mCoordinates: (Float32, Float32, Float32)

    /// A channel without a role.
    public init() { self.init(mChannelLabel: 0, mChannelFlags: [], mCoordinates: (0, 0, 0)) }

    /// A channel with every field given.
    public init(
        mChannelLabel: AudioChannelLabel, mChannelFlags: AudioChannelFlags, mCoordinates: (Float32, Float32, Float32)
    ) {
        self.mChannelLabel = mChannelLabel
        self.mChannelFlags = mChannelFlags
        self.mCoordinates = mCoordinates
    }
}

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
}
