// Comparing and adding times.

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

    /// The sum in the common scale of both, or in the finer one where that does not fit; infinities and unknowns win over numbers.
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
        let mine = value.multipliedFullWidth(by: Int64(other.timescale)), theirs = other.value.multipliedFullWidth(by: Int64(timescale))
        return mine == theirs ? 0 : (mine.high, mine.low) < (theirs.high, theirs.low) ? -1 : 1
    }

    private static func combine(_ a: CMTime, _ b: CMTime, _ merge: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)) -> CMTime {
        guard a.isValid, b.isValid else { return .invalid }
        guard a.isNumeric, b.isNumeric else { return a.isNumeric ? b : b.isNumeric || a == b ? a : .indefinite }
        let divisor = CMTimeScale(greatestCommonDivisor(UInt64(a.timescale), UInt64(b.timescale)))
        let common = (a.timescale / divisor).multipliedReportingOverflow(by: b.timescale)
        for scale in [common.overflow ? 0 : common.partialValue, max(a.timescale, b.timescale)] where scale > 0 {
            guard let x = a.ticks(in: scale), let y = b.ticks(in: scale) else { continue }
            let result = merge(x, y)
            let isExact = scale % a.timescale == 0 && scale % b.timescale == 0
            if !result.overflow { return CMTime(value: result.partialValue, timescale: scale, flags: isExact ? .valid : [.valid, .hasBeenRounded], epoch: 0) }
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
