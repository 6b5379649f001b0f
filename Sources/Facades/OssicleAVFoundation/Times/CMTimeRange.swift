// Stretches of a timeline, and times in lists of values.

import Foundation

/// A start with a length.
public struct CMTimeRange: Hashable, Sendable {
    /// Where it begins.
    public var start: CMTime
    /// How long it is; not negative.
    public var duration: CMTime

    /// No range.
    public init() { self.init(start: .invalid, duration: .invalid) }

    /// `duration` from `start` on.
    public init(start: CMTime, duration: CMTime) {
        self.start = start
        self.duration = duration
    }

    /// From `start` up to `end`, which no longer belongs to it.
    public init(start: CMTime, end: CMTime) { self.init(start: start, duration: end - start) }

    /// No range.
    public static let invalid = CMTimeRange()
    /// Nothing, at the beginning.
    public static let zero = CMTimeRange(start: .zero, duration: .zero)

    /// The first moment behind it.
    public var end: CMTime { start + duration }
    /// Whether this is a range at all.
    public var isValid: Bool { start.isValid && duration.isValid && duration >= .zero }
    /// Whether it has no length.
    public var isEmpty: Bool { isValid && duration == .zero }

    /// Whether `time` lies in it.
    public func containsTime(_ time: CMTime) -> Bool { isValid && time.isValid && time >= start && time < end }
}

/// `duration` from `start` on.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, duration: duration)
}

/// The sum of two times.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs + rhs }

/// The difference of two times.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs - rhs }

/// −1, 0 or 1, as `time1` is earlier than, equal to or later than `time2`.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
    time1 < time2 ? -1 : time1 == time2 ? 0 : 1
}

extension NSValue {
    private static let timeType = "[3q]", rangeType = "[6q]"

    /// A value that holds a time.
    public convenience init(time: CMTime) {
        let words = time.words
        self.init(bytes: words, objCType: Self.timeType)
    }

    /// A value that holds a range.
    public convenience init(timeRange: CMTimeRange) {
        let words = timeRange.start.words + timeRange.duration.words
        self.init(bytes: words, objCType: Self.rangeType)
    }

    /// The time in it; `.invalid` where it holds none.
    public var timeValue: CMTime { words(3, Self.timeType).map { CMTime(words: $0[...]) } ?? .invalid }

    /// The range in it; `.invalid` where it holds none.
    public var timeRangeValue: CMTimeRange {
        guard let words = words(6, Self.rangeType) else { return .invalid }
        return CMTimeRange(start: CMTime(words: words[..<3]), duration: CMTime(words: words[3...]))
    }

    private func words(_ count: Int, _ type: String) -> [Int64]? {
        guard String(cString: objCType) == type else { return nil }
        var words = [Int64](repeating: 0, count: count)
        getValue(&words)
        return words
    }
}

extension CMTime {
    /// The time as three numbers.
    fileprivate var words: [Int64] { [value, Int64(timescale) << 32 | Int64(flags.rawValue), epoch] }

    /// The time of three numbers.
    fileprivate init(words: ArraySlice<Int64>) {
        let first = words.startIndex
        self.init(
            value: words[first], timescale: CMTimeScale(truncatingIfNeeded: words[first + 1] >> 32),
            flags: CMTimeFlags(rawValue: UInt32(truncatingIfNeeded: words[first + 1])), epoch: words[first + 2])
    }

    /// Frame `frame` of a clock of `rate` Hz.
    init(frame: Int64, rate: Double) {
        if let scale = CMTimeScale(exactly: rate), scale > 0 {
            self.init(value: frame, timescale: scale)
        } else {
            self.init(seconds: rate > 0 ? Double(frame) / rate : .nan, preferredTimescale: 1_000_000)
        }
    }

    /// The frame of a clock of `rate` Hz that is nearest; `nil` for what is no number.
    func frame(rate: Double) -> Int64? {
        guard isNumeric, rate > 0 else { return nil }
        let frame = (Double(value) * (rate / Double(timescale))).rounded()
        return frame.magnitude < 0x1p62 ? Int64(frame) : nil
    }
}
