import OssicleCore
import Synchronization

extension SincTable {
    /// Taps at ratio 1: narrow enough a transition to leave room for ratios between tables.
    private static let varispeedTaps = 80
    /// Tables per octave above ratio 1.
    private static let tablesPerOctave = 32.0

    /// Source frames that any table for varispeed reaches to either side, at the most.
    static let longestVarispeedReach = Int(Double(varispeedTaps) * ratios.upperBound) / 2 + 8

    /// The table for a speed that may glide, up to `ratio`, made once for all who need one like it, and kept for good. Control side.
    ///
    /// Pass band to 0.9 of the lower Nyquist frequency, flat within 0.1 dB, images and aliases from 1.1 of it at least 85 dB down, for every
    /// ratio: tables lie 2.2 % apart.
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
        self.init(ratio: stretch, phases: PolyphaseTable(taps: taps, phases: stretch > 2 ? 128 : 256, cutoff: 1 / stretch, attenuation: 96),
                  isTransparent: stretch == 1)
    }

    private static let varispeedTables = Mutex<[Int: VarispeedTable]>([:])
    private typealias VarispeedTable = UnsafeMutablePointer<SincTable>
}
