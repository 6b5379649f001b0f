import OssicleSpatial

extension PHASEExplanation: CustomStringConvertible {
    public var description: String {
        var lines = ["“\(event)”: \(state), at \(time.words(3)) s (scene as of \(lastUpdate.words(3)) s)"]
        if let secondsBehindDevice {
            lines.append(
                "  the engine is overloaded: \(secondsBehindDevice.words(3)) s behind its device, with gaps in the sound"
            )
        }
        lines += silentBecause.map { "  silent, because \($0)" }
        lines += voices.flatMap(\.lines)
        return lines.joined(separator: "\n")
    }
}

extension PHASEExplanation.Voice {
    fileprivate var lines: [String] {
        var lines = ["", "  \(node) plays “\(sound)”: \(state), \(position.words(3)) s in, rate \(rate.words(3))"]
        lines += way.map { "    \($0)" }
        lines += silentBecause.map { "    silent, because \($0)" }
        let rows =
            factors.map { (name: $0.name, decibels: $0.decibels, rest: $0.detail, bands: $0.bands) }
            + [(name: "direct sound", decibels: decibels, rest: "= the product", bands: hasBands ? bands : nil)]
        let width = rows.map(\.name.count).max() ?? 0
        for row in rows {
            lines.append("    \(row.name.padded(width))  \(row.decibels.words(1).aligned(7)) dB   \(row.rest)".trimmed)
            if let bands = row.bands { lines.append("    \("".padded(width))  \(PHASEExplanation.line(of: bands))") }
        }
        for occluder in occluders {
            let share = "\((100 * occluder.share).words(0)) % of the rays, loss"
            lines.append("    occluder “\(occluder.name)”, \(share): \(PHASEExplanation.line(of: occluder.loss))")
        }
        let others = sends.filter { $0.category != .directPathTransmission }
        lines += others.map {
            "    \($0.category.words), sent at \(PHASEExplanation.decibels($0.level).words(1)) dB: \($0.decibels.words(1)) dB"
        }
        lines += paths.prefix(Self.pathLines).map { path in
            "    \(path.course): \(path.decibels.words(1)) dB, \(path.delay.words(1)) ms behind, from \(path.azimuth.words(0))° left and \(path.elevation.words(0))° up"
        }
        if paths.count > Self.pathLines { lines.append("    and \(paths.count - Self.pathLines) ways more") }
        if let tier, tier != .full(limit: nil) { lines.append("    \(tier)") }
        if let reverbTimes {
            lines.append(
                "    reverb around the listener: \(reverbTimes.map { $0.words(2) }.joined(separator: " ")) s in which it decays by 60 dB"
            )
        }
        return lines
    }

    private static var pathLines: Int { 8 }
    private var hasBands: Bool { factors.contains { $0.bands != nil } }
}

extension PHASEExplanation {
    /// Ten octave bands in dB.
    fileprivate static func line(of bands: [Double]) -> String {
        bands.map { $0.words(1) }.joined(separator: " ") + " dB"
    }
}

extension PHASESpatialCategory {
    var words: String {
        switch self {
        case .directPathTransmission: "direct sound"
        case .earlyReflections: "early reflections"
        case .lateReverb: "late reverb"
        default: rawValue
        }
    }
}

extension String {
    fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
