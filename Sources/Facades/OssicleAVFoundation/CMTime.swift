// Time as a fraction.

/// The number of ticks of a time.
public typealias CMTimeValue = Int64
/// Ticks per second.
public typealias CMTimeScale = Int32
/// Which run of a timeline a time belongs to.
public typealias CMTimeEpoch = Int64

/// What kind of time a `CMTime` is.
public struct CMTimeFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The time means something.
    public static let valid = CMTimeFlags(rawValue: 1 << 0)
    /// The time was rounded.
    public static let hasBeenRounded = CMTimeFlags(rawValue: 1 << 1)
    /// Later than every number.
    public static let positiveInfinity = CMTimeFlags(rawValue: 1 << 2)
    /// Earlier than every number.
    public static let negativeInfinity = CMTimeFlags(rawValue: 1 << 3)
    /// Not known.
    public static let indefinite = CMTimeFlags(rawValue: 1 << 4)
    /// Everything that makes a time no number.
    public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}

/// A time of `value` / `timescale` seconds; or none, an infinite or an unknown one.
public struct CMTime: Sendable {
    /// Ticks.
    public var value: CMTimeValue
    /// Ticks per second; positive.
    public var timescale: CMTimeScale
    /// What kind of time this is.
    public var flags: CMTimeFlags
    /// The run of the timeline; 0.
    public var epoch: CMTimeEpoch

    /// No time.
    public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

    /// A time with every field given.
    public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
        self.value = value
        self.timescale = timescale
        self.flags = flags
        self.epoch = epoch
    }

    /// `value` / `timescale` seconds; no time unless the scale is positive.
    public init(value: CMTimeValue, timescale: CMTimeScale) {
        self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
    }

    /// The time nearest to `seconds` in ticks of 1 / `preferredTimescale`; infinite or none where the seconds are.
    public init(seconds: Double, preferredTimescale: CMTimeScale) {
        let ticks = (seconds * Double(preferredTimescale)).rounded()
        if seconds.isNaN || preferredTimescale <= 0 {
            self = .invalid
        } else if let value = CMTimeValue(exactly: ticks) {
            let isExact = Double(value) / Double(preferredTimescale) == seconds
            self.init(value: value, timescale: preferredTimescale, flags: isExact ? .valid : [.valid, .hasBeenRounded], epoch: 0)
        } else {
            self = seconds > 0 ? .positiveInfinity : .negativeInfinity
        }
    }

    /// No time.
    public static let invalid = CMTime()
    /// A time that is not known.
    public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
    /// Later than every number.
    public static let positiveInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
    /// Earlier than every number.
    public static let negativeInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
    /// The beginning.
    public static let zero = CMTime(value: 0, timescale: 1)

    /// Whether this is a time at all.
    public var isValid: Bool { flags.contains(.valid) }
    /// Whether this is a number.
    public var isNumeric: Bool { isValid && flags.isDisjoint(with: .impliedValueFlagsMask) && timescale > 0 }
    /// Whether this is not known.
    public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
    /// Whether this is later than every number.
    public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
    /// Whether this is earlier than every number.
    public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
    /// Whether something was lost in rounding.
    public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }

    /// In seconds; infinite for infinite times, NaN for none and for unknown ones.
    public var seconds: Double {
        if isNumeric { return Double(value) / Double(timescale) }
        return isPositiveInfinity ? .infinity : isNegativeInfinity ? -.infinity : .nan
    }
}

/// `value` / `timescale` seconds.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime { CMTime(value: value, timescale: timescale) }

/// The time nearest to `seconds` in ticks of 1 / `preferredTimescale`.
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime {
    CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// `time` in seconds.
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }
