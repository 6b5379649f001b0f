// One channel, described by itself.

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
    public init(mChannelLabel: AudioChannelLabel, mChannelFlags: AudioChannelFlags, mCoordinates: (Float32, Float32, Float32)) {
        self.mChannelLabel = mChannelLabel
        self.mChannelFlags = mChannelFlags
        self.mCoordinates = mCoordinates
    }
}
