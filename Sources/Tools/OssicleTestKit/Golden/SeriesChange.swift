import OssicleReports

/// How one series of levels differs from its baseline.
struct SeriesChange: Equatable {
    /// dB, new less old, where the difference is beyond the tolerance; nil elsewhere.
    let differences: [Double?]
    /// Steps in which either sounds.
    private let sounding: Int
    private let tolerance: Double

    /// nil where nothing differs by more than the tolerance.
    /// - Parameters:
    ///   - old, new: dB, nil for silence.
    ///   - floor: dB; what is below counts as this.
    init?(from old: [Double?], to new: [Double?], tolerance: Double, floor: Double) {
        let pairs = (0..<max(old.count, new.count)).map { step in
            (
                max(step < old.count ? old[step] ?? floor : floor, floor),
                max(step < new.count ? new[step] ?? floor : floor, floor)
            )
        }
        differences = pairs.map { abs($0.1 - $0.0) > tolerance ? $0.1 - $0.0 : nil }
        sounding = pairs.count { $0.0 > floor || $0.1 > floor }
        self.tolerance = tolerance
        if differences.allSatisfy({ $0 == nil }) { return nil }
    }

    private var changed: [Double] { differences.compactMap(\.self) }
    /// dB, over the steps that changed.
    var mean: Double { changed.reduce(0, +) / Double(changed.count) }

    /// "−3.0 dB", or "−3.0 dB on average, −4.2 to −1.1 dB".
    var amount: String {
        let (least, most) = (changed.min() ?? 0, changed.max() ?? 0)
        let average = Self.signed(mean)
        return most - least <= 2 * tolerance
            ? average : "\(average) on average, \(Self.signed(least)) to \(Self.signed(most))"
    }

    /// "throughout", or "from 1 to 2.5 s".
    var time: String {
        guard changed.count < sounding, let first = differences.firstIndex(where: { $0 != nil }),
            let last = differences.lastIndex(where: { $0 != nil })
        else { return "throughout" }
        let step = GoldenNumbers.step
        return "from \(Text.length(Double(first) * step)) to \(Text.length(Double(last + 1) * step)) s"
    }

    static func signed(_ value: Double) -> String {
        let text = Text.number(value, decimals: 1)
        return "\(text.hasPrefix("−") || value <= 0 ? text : "+" + text) dB"
    }
}
