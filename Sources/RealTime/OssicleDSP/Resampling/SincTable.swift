import COssicle
import OssicleCore
import Synchronization

/// The filter of `SincInterpolator` for speeds up to a ratio, made ahead on the control side.
///
/// Pass band to 0.9 of the lower Nyquist frequency (flat within 0.1 dB), images and aliases from 1.1 of it at least 80
/// dB down. Above ratio 1 the filter grows in length as its cutoff falls. Read only after creation, any thread.
package struct SincTable: ~Copyable, Sendable {
    /// Ratios this table may be asked for.
    package static let ratios = 0.25...4.0
    static let tapsAtUnity = 64

    package let ratio: Double
    let phases: PolyphaseTable

    /// Source frames needed before and after the frame a position lies in.
    package let lookBehind: Int
    package let lookAhead: Int

    /// Whether a whole position gives the frame itself, bit for bit.
    package let isTransparent: Bool

    /// - Parameter ratio: fastest step in source frames per output frame; held within `ratios`, NaN is 1.
    package init(ratio: Double) {
        let held = ratio.isNaN ? 1 : min(max(ratio, SincTable.ratios.lowerBound), SincTable.ratios.upperBound)
        self.ratio = held
        let stretch = max(held, 1)
        let taps = (Int(Double(SincTable.tapsAtUnity) * stretch) + 7) & ~7
        phases = PolyphaseTable(taps: taps, phases: held > 2 ? 128 : 256, cutoff: 1 / stretch, attenuation: 96)
        lookBehind = taps / 2 - 1
        lookAhead = taps / 2
        isTransparent = stretch == 1
    }

    /// For tables that are made by other rules.
    init(ratio: Double, phases: consuming PolyphaseTable, isTransparent: Bool) {
        self.ratio = ratio
        (lookBehind, lookAhead) = (phases.taps / 2 - 1, phases.taps / 2)
        self.isTransparent = isTransparent
        self.phases = phases
    }
}

extension SincTable {
    /// Source frames that any table reaches to either side, at the most.
    package static let longestReach = Int(Double(tapsAtUnity) * ratios.upperBound) / 2 + 8

    /// A table for steps up to `ratio`, made once for all who need one like it, and kept for good. Control side.
    ///
    /// Ratios above 1 are rounded up to the next eighth, so that a gliding speed needs few tables.
    package static func shared(ratio: Double) -> UnsafePointer<SincTable> {
        let held = ratio.isNaN ? 1 : min(max(ratio, 1), ratios.upperBound)
        let eighths = Int((held * 8).rounded(.up))
        return made.withLock { tables in
            if let table = tables[eighths] { return UnsafePointer(table) }
            let table = UnsafeMutablePointer<SincTable>.allocate(capacity: 1)
            table.initialize(to: SincTable(ratio: Double(eighths) / 8))
            tables[eighths] = table
            return UnsafePointer(table)
        }
    }

    private static let made = Mutex<[Int: SharedTable]>([:])
    private typealias SharedTable = UnsafeMutablePointer<SincTable>
}

extension SincTable {
    /// Steps a table for a fixed conversion may have: 8 kHz to 384 kHz and back.
    package static let conversionRatios = 1.0 / 48...48.0
    private static let conversionTaps = 136
    /// Rows per input frame at ratio 1, enough for the straight line between them to lie 105 dB below the signal.
    private static let conversionPhases = 512.0

    /// A table for one fixed ratio, `numerator` input frames for `denominator` output frames: twice as steep as one for
    /// playback, because nothing that a change of sampling rate folds back is ever wanted.
    ///
    /// Pass band to 0.9 of the lower Nyquist frequency, flat within 0.01 dB; from that frequency on at least 95 dB
    /// down. Where the denominator is small enough every position falls on a row, and nothing is interpolated.
    package init(numerator: UInt64, denominator: UInt64) {
        let asked = Double(numerator) / Double(max(denominator, 1))
        let ratio = min(max(asked, SincTable.conversionRatios.lowerBound), SincTable.conversionRatios.upperBound)
        let stretch = max(ratio, 1)
        let least = (SincTable.conversionPhases / stretch).rounded(.up)
        let exact = denominator > 0 && denominator <= 1024
        let rows = exact ? (least / Double(denominator)).rounded(.up) * Double(denominator) : least
        self.init(
            ratio: ratio,
            phases: PolyphaseTable(
                taps: Int((Double(SincTable.conversionTaps) * stretch).rounded(.up)), phases: Int(rows),
                cutoff: 0.95 / stretch, attenuation: 104),
            isTransparent: false)
    }

    /// The table for a fixed ratio, made once for all who need it, and kept for good. Control side.
    package static func shared(numerator: UInt64, denominator: UInt64) -> UnsafePointer<SincTable> {
        conversions.withLock { tables in
            let key = SIMD2(numerator, denominator)
            if let table = tables[key] { return UnsafePointer(table) }
            let table = UnsafeMutablePointer<SincTable>.allocate(capacity: 1)
            table.initialize(to: SincTable(numerator: numerator, denominator: denominator))
            tables[key] = table
            return UnsafePointer(table)
        }
    }

    private static let conversions = Mutex<[SIMD2<UInt64>: ConversionTable]>([:])
    private typealias ConversionTable = UnsafeMutablePointer<SincTable>
}

extension SincTable {
    /// Taps at ratio 1: narrow enough a transition to leave room for ratios between tables.
    private static let varispeedTaps = 80
    /// Tables per octave above ratio 1.
    private static let tablesPerOctave = 32.0

    /// Source frames that any table for varispeed reaches to either side, at the most.
    static let longestVarispeedReach = Int(Double(varispeedTaps) * ratios.upperBound) / 2 + 8

    /// The table for a speed that may glide, up to `ratio`, made once for all who need one like it, and kept for good.
    /// Control side.
    ///
    /// Pass band to 0.9 of the lower Nyquist frequency, flat within 0.1 dB, images and aliases from 1.1 of it at least
    /// 85 dB down, for every ratio: tables lie 2.2 % apart.
    package static func varispeed(ratio: Double) -> UnsafePointer<SincTable> {
        let index = varispeedIndex(ratio)
        return varispeedTables.withLock { tables in
            if let table = tables[index] { return UnsafePointer(table) }
            let table = UnsafeMutablePointer<SincTable>.allocate(capacity: 1)
            table.initialize(to: SincTable(varispeed: DeterministicMath.exp2(Double(max(index, 0)) / tablesPerOctave)))
            tables[index] = table
            return UnsafePointer(table)
        }
    }

    /// Makes the tables for all ratios of a range, so that a speed that glides within it finds them. Control side.
    package static func makeVarispeed(ratios: ClosedRange<Double>) {
        for index in varispeedIndex(ratios.lowerBound)...varispeedIndex(ratios.upperBound) {
            _ = varispeed(ratio: DeterministicMath.exp2(Double(index) / tablesPerOctave))
        }
    }

    private static func varispeedIndex(_ ratio: Double) -> Int {
        let held = ratio.isNaN ? 1 : min(max(ratio, 1), ratios.upperBound)
        return Int((DeterministicMath.log2(held) * tablesPerOctave - 1e-6).rounded(.up))
    }

    private init(varispeed stretch: Double) {
        let taps = Int((Double(SincTable.varispeedTaps) * stretch).rounded(.up))
        self.init(
            ratio: stretch,
            phases: PolyphaseTable(taps: taps, phases: stretch > 2 ? 128 : 256, cutoff: 1 / stretch, attenuation: 96),
            isTransparent: stretch == 1)
    }

    private static let varispeedTables = Mutex<[Int: VarispeedTable]>([:])
    private typealias VarispeedTable = UnsafeMutablePointer<SincTable>
}

/// Plays a signal at another speed: y[n] = x(position + n·step) by windowed-sinc interpolation.
///
/// It has no state. Positions are integers in Q32.32 (source frames in the upper half), so where a sample lies is exact
/// and how a call is cut cannot matter. A whole position at unit step is a bit-exact copy. Any thread.
package enum SincInterpolator {
    /// One source frame in Q32.32.
    package static let unit: UInt64 = 1 << 32

    /// Q32.32 of a ratio of source frames per output frame; held within 1/256 and the fastest a table is made for.
    package static func step(ratio: Double) -> UInt64 {
        let held = ratio.isNaN ? 1 : min(max(ratio, 0x1p-8), SincTable.ratios.upperBound)
        return UInt64((held * Double(unit)).rounded())
    }

    /// Source frames that must follow `source[0]` for n outputs (`lookAhead` included).
    package static func framesNeeded(position: UInt64, step: UInt64, table: borrowing SincTable, _ n: Int) -> Int {
        n > 0 ? Int((position &+ UInt64(n - 1) &* step) >> 32) + table.lookAhead + 1 : 0
    }

    /// - Parameters:
    ///   - source: the frame that position 0 means. `lookBehind` frames before it and `framesNeeded` from it on must be
    ///     readable.
    ///   - position: of the first output. - step: per output, for a table whose ratio is no smaller.
    /// - Returns: the position of the output after the last.
    @discardableResult
    package static func process(
        source: UnsafePointer<Float>, table: borrowing SincTable, position: UInt64, step: UInt64,
        to: UnsafeMutablePointer<Float>, _ n: Int
    ) -> UInt64 {
        if step == unit, UInt32(truncatingIfNeeded: position) == 0, table.ratio <= 1 {
            to.update(from: source + Int(position >> 32), count: n)
            return position &+ UInt64(n) &* unit
        }
        let window = source - table.lookBehind
        withUnsafeTemporaryAllocation(of: ossicle_place.self, capacity: run) { memory in
            guard let places = memory.baseAddress else { return }
            var done = 0
            while done < n {
                let count = min(n - done, run)
                let first = position &+ UInt64(done) &* step
                for i in 0..<count {
                    let at = UInt64(UInt32(truncatingIfNeeded: first)) &+ UInt64(i) &* step
                    places[i] = table.phases.place(Int(at >> 32), fraction: UInt32(truncatingIfNeeded: at))
                }
                table.phases.values(places, in: window + Int(first >> 32), to: to + done, count)
                done += count
            }
        }
        return position &+ UInt64(n) &* step
    }

    /// Places computed ahead at once; what they take stays on the stack.
    private static let run = 64
}
