// SMPTE time code.

/// Frame rate of a time code.
public enum SMPTETimeType: UInt32, Sendable {
    /// 24 frames per second.
    case type24 = 0
    /// 25 frames per second.
    case type25 = 1
    /// 30 frames per second, drop frame.
    case type30Drop = 2
    /// 30 frames per second.
    case type30 = 3
    /// 29.97 frames per second.
    case type2997 = 4
    /// 29.97 frames per second, drop frame.
    case type2997Drop = 5
    /// 60 frames per second.
    case type60 = 6
    /// 59.94 frames per second.
    case type5994 = 7
    /// 60 frames per second, drop frame.
    case type60Drop = 8
    /// 59.94 frames per second, drop frame.
    case type5994Drop = 9
    /// 50 frames per second.
    case type50 = 10
    /// 23.98 frames per second.
    case type2398 = 11
}

/// State of a time code.
public struct SMPTETimeFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// The set with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The whole time code holds.
    public static let valid = SMPTETimeFlags(rawValue: 1)
    /// The time code advances.
    public static let running = SMPTETimeFlags(rawValue: 2)
}

/// A moment as hours, minutes, seconds, frames and parts of a frame.
public struct SMPTETime: Equatable, Sendable {
    /// Subframes in the moment.
    public var mSubframes: Int16
    /// Subframes per frame.
    public var mSubframeDivisor: Int16
    /// Messages received so far.
    public var mCounter: UInt32
    /// Frame rate.
    public var mType: SMPTETimeType
    /// State.
    public var mFlags: SMPTETimeFlags
    /// Hours.
    public var mHours: Int16
    /// Minutes.
    public var mMinutes: Int16
    /// Seconds.
    public var mSeconds: Int16
    /// Frames.
    public var mFrames: Int16

    /// Time code zero at 24 frames per second, not valid.
    public init() {
        self.init(
            mSubframes: 0, mSubframeDivisor: 0, mCounter: 0, mType: .type24, mFlags: [], mHours: 0, mMinutes: 0,
            mSeconds: 0, mFrames: 0)
    }

    /// A moment with every field given.
    public init(
        mSubframes: Int16, mSubframeDivisor: Int16, mCounter: UInt32, mType: SMPTETimeType, mFlags: SMPTETimeFlags,
        mHours: Int16, mMinutes: Int16, mSeconds: Int16, mFrames: Int16
    ) {
        self.mSubframes = mSubframes
        self.mSubframeDivisor = mSubframeDivisor
        self.mCounter = mCounter
        self.mType = mType
        self.mFlags = mFlags
        self.mHours = mHours
        self.mMinutes = mMinutes
        self.mSeconds = mSeconds
        self.mFrames = mFrames
    }
}
