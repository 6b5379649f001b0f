import OssicleCore
import Synchronization

extension SincTable {
    /// Steps a table for a fixed conversion may have: 8 kHz to 384 kHz and back.
    package static let conversionRatios = 1.0 / 48...48.0
    private static let conversionTaps = 136
    /// Rows per input frame at ratio 1, enough for the straight line between them to lie 105 dB below the signal.
    private static let conversionPhases = 512.0

    /// A table for one fixed ratio, `numerator` input frames for `denominator` output frames: twice as steep as one for playback, because
    /// nothing that a change of sampling rate folds back is ever wanted.
    ///
    /// Pass band to 0.9 of the lower Nyquist frequency, flat within 0.01 dB; from that frequency on at least 95 dB down. Where
    /// the denominator is small enough every position falls on a row, and nothing is interpolated.
    package init(numerator: UInt64, denominator: UInt64) {
        let asked = Double(numerator) / Double(max(denominator, 1))
        let ratio = min(max(asked, SincTable.conversionRatios.lowerBound), SincTable.conversionRatios.upperBound)
        let stretch = max(ratio, 1)
        let least = (SincTable.conversionPhases / stretch).rounded(.up)
        let exact = denominator > 0 && denominator <= 1024
        let rows = exact ? (least / Double(denominator)).rounded(.up) * Double(denominator) : least
        self.init(ratio: ratio, phases: PolyphaseTable(taps: Int((Double(SincTable.conversionTaps) * stretch).rounded(.up)), phases: Int(rows),
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
