// Time as a fraction, and the clock that shows it.

import Foundation

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
            self.init(
                value: value, timescale: preferredTimescale, flags: isExact ? .valid : [.valid, .hasBeenRounded],
                epoch: 0)
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

extension CMTime: Comparable, Hashable {
    /// Numbers are compared exactly, whatever their scales; none < −∞ < numbers < unknown < +∞.
    public static func < (a: CMTime, b: CMTime) -> Bool { a.order(against: b) < 0 }

    /// Whether both are the same moment.
    public static func == (a: CMTime, b: CMTime) -> Bool { a.order(against: b) == 0 }

    /// Equal for equal times.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rank)
        guard isNumeric else { return }
        let divisor = greatestCommonDivisor(value.magnitude, UInt64(timescale))
        hasher.combine(value / Int64(clamping: max(divisor, 1)))
        hasher.combine(UInt64(timescale) / max(divisor, 1))
    }

    /// The sum in the common scale of both, or in the finer one where that does not fit; infinities and unknowns win
    /// over numbers.
    public static func + (a: CMTime, b: CMTime) -> CMTime { combine(a, b) { $0.addingReportingOverflow($1) } }

    /// The difference, as the sum.
    public static func - (a: CMTime, b: CMTime) -> CMTime {
        switch b {
        case _ where b.isPositiveInfinity: a.isPositiveInfinity ? .indefinite : .negativeInfinity
        case _ where b.isNegativeInfinity: a.isNegativeInfinity ? .indefinite : .positiveInfinity
        default: combine(a, b) { $0.subtractingReportingOverflow($1) }
        }
    }

    private var rank: Int {
        if !isValid { return 0 }
        return isNegativeInfinity ? 1 : isNumeric ? 2 : isIndefinite ? 3 : 4
    }

    private func order(against other: CMTime) -> Int {
        guard rank == 2, other.rank == 2 else { return (rank - other.rank).signum() }
        let mine = value.multipliedFullWidth(by: Int64(other.timescale)),
            theirs = other.value.multipliedFullWidth(by: Int64(timescale))
        return mine == theirs ? 0 : (mine.high, mine.low) < (theirs.high, theirs.low) ? -1 : 1
    }

    private static func combine(
        _ a: CMTime, _ b: CMTime, _ merge: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
    ) -> CMTime {
        guard a.isValid, b.isValid else { return .invalid }
        guard a.isNumeric, b.isNumeric else { return a.isNumeric ? b : b.isNumeric || a == b ? a : .indefinite }
        let divisor = CMTimeScale(greatestCommonDivisor(UInt64(a.timescale), UInt64(b.timescale)))
        let common = (a.timescale / divisor).multipliedReportingOverflow(by: b.timescale)
        for scale in [common.overflow ? 0 : common.partialValue, max(a.timescale, b.timescale)] where scale > 0 {
            guard let x = a.ticks(in: scale), let y = b.ticks(in: scale) else { continue }
            let result = merge(x, y)
            let isExact = scale % a.timescale == 0 && scale % b.timescale == 0
            if !result.overflow {
                return CMTime(
                    value: result.partialValue, timescale: scale, flags: isExact ? .valid : [.valid, .hasBeenRounded],
                    epoch: 0)
            }
        }
        return a.seconds > 0 ? .positiveInfinity : .negativeInfinity
    }

    /// The value in another scale, rounded towards zero; `nil` where it does not fit.
    private func ticks(in scale: CMTimeScale) -> Int64? {
        let product = value.multipliedFullWidth(by: Int64(scale))
        guard product.high == (product.low > UInt64(Int64.max) ? -1 : 0) else { return nil }
        return Int64(truncatingIfNeeded: product.low) / Int64(timescale)
    }
}

private func greatestCommonDivisor(_ a: UInt64, _ b: UInt64) -> UInt64 { b == 0 ? a : greatestCommonDivisor(b, a % b) }

/// A source of time. There is one: the host's.
public final class CMClock: NSObject, Sendable {
    static let host = CMClock()

    private override init() { super.init() }
}

/// The clock of host times.
@discardableResult
public func CMClockGetHostTimeClock() -> CMClock { .host }

/// What `clock` shows, in nanoseconds since the machine started.
@discardableResult
public func CMClockGetTime(_ clock: CMClock) -> CMTime {
    CMTime(value: Int64(clamping: DispatchTime.now().uptimeNanoseconds), timescale: 1_000_000_000)
}
