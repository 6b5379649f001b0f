import OssicleCore

/// The filter of `SincInterpolator` for speeds up to a ratio, made ahead on the control side.
///
/// Pass band to 0.9 of the lower Nyquist frequency (flat within 0.1 dB), images and aliases from 1.1 of it at least 80 dB down. Above ratio 1 the
/// filter grows in length as its cutoff falls. Read only after creation, any thread.
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
