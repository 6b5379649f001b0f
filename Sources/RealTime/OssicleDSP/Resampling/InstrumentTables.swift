import OssicleCore

/// The filters that read the samples of an instrument, one for every quarter octave of transposition up to four
/// octaves.
///
/// 16 taps for an instrument at its own pitch or below, flat within 0.1 dB to 0.55 of the sample's Nyquist frequency,
/// images at least 60 dB down from 1.45 of it. Transposed up, the filter grows in length as its cutoff falls; beyond
/// four octaves it stays as it is. The length is a choice by measurement: see `InstrumentTablesTests`. Read only, any
/// thread.
package struct InstrumentTables: BitwiseCopyable, @unchecked Sendable {
    package static let tapsAtUnity = 16
    /// Frames of a sample that any table reaches to either side, at the most.
    package static let longestReach = tapsAtUnity * 16 / 2 + 8
    private static let perOctave = 4.0
    private static let count = 17

    private let tables: UnsafePointer<SincTable>

    /// Made once and kept for good.
    package static let shared = InstrumentTables()

    private init() {
        let memory = UnsafeMutablePointer<SincTable>.allocate(capacity: Self.count)
        for index in 0..<Self.count {
            let stretch = DeterministicMath.exp2(Double(index) / Self.perOctave)
            (memory + index).initialize(to: SincTable(instrument: stretch))
        }
        tables = UnsafePointer(memory)
    }

    /// The table for a step of source frames per output frame. Audio thread.
    package func table(ratio: Double) -> UnsafePointer<SincTable> {
        guard ratio > 1 else { return tables }
        let index = (DeterministicMath.log2(ratio) * Self.perOctave - 1e-6).rounded(.up)
        return tables + Int(min(max(index, 0), Double(Self.count - 1)))
    }
}

extension SincTable {
    fileprivate init(instrument stretch: Double) {
        let taps = Int((Double(InstrumentTables.tapsAtUnity) * stretch).rounded(.up))
        self.init(
            ratio: stretch,
            phases: PolyphaseTable(
                taps: taps, phases: max(16, Int(256 / stretch)), cutoff: 1 / stretch, attenuation: 60),
            isTransparent: stretch == 1)
    }
}
