import Foundation
import OssicleReports

/// What differs between a baseline and a new rendering, in words, events first: what they explain of the mix need not
/// be looked for.
struct GoldenComparison {
    let old, new: GoldenNumbers
    let tolerances: GoldenTolerances
    /// A line for each difference.
    private(set) var lines: [String] = []
    /// What was compared and is alike.
    private(set) var alike: [String] = []
    /// Sound events whose level or paths differ.
    private(set) var changedEvents: [String] = []

    init(from old: GoldenNumbers, to new: GoldenNumbers, _ tolerances: GoldenTolerances) {
        (self.old, self.new, self.tolerances) = (old, new, tolerances)
        guard compareForms() else { return }
        for name in Set(old.events.keys).union(new.events.keys).sorted() { compareEvent(name) }
        compareLevels()
        compareOnsets()
        compareDirections()
        comparePitches()
        compareLoudness()
    }

    private func change(_ old: [Double?]?, _ new: [Double?]?) -> SeriesChange? {
        SeriesChange(from: old ?? [], to: new ?? [], tolerance: tolerances.level, floor: tolerances.floor)
    }

    /// Whether steps and channels can be compared one by one.
    private mutating func compareForms() -> Bool {
        func note(_ what: String, _ old: String, _ new: String) { lines.append("\(what): \(new), was \(old)") }
        if abs(old.seconds - new.seconds) > 0.001 {
            note("length", "\(Text.length(old.seconds)) s", "\(Text.length(new.seconds)) s")
        }
        if old.sampleRate != new.sampleRate {
            note("sample rate", "\(Text.length(old.sampleRate)) Hz", "\(Text.length(new.sampleRate)) Hz")
        }
        if old.mix.levels.count != new.mix.levels.count {
            note("channels", "\(old.mix.levels.count)", "\(new.mix.levels.count)")
        }
        return old.mix.levels.count == new.mix.levels.count
    }

    private mutating func compareEvent(_ name: String) {
        let title = "event “\(name)”"
        guard let before = old.events[name], let after = new.events[name] else {
            lines.append(title + (old.events[name] == nil ? ": is new" : ": is gone"))
            changedEvents.append(name)
            return
        }
        let paths = Self.changes(before.paths, after.paths, change)
        let level = before.levels != nil && after.levels != nil ? change(before.levels, after.levels) : nil
        guard level != nil || !paths.isEmpty else {
            alike.append(title)
            return
        }
        changedEvents.append(name)
        let main = level ?? paths.first { $0.0 == "direct" }?.1 ?? paths[0].1
        var parts = paths.map { "\($0.0) \($0.1.amount)" }
        if let level, let bands = Self.bands(before.bands, after.bands, level, change) { parts.append(bands) }
        let factors = Self.factors(before.factors, after.factors).prefix(3)
        let causes = factors.isEmpty ? "" : "; because of \(factors.joined(separator: ", "))"
        let detail = parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
        lines.append("\(title): \(main.amount) \(main.time)\(detail)\(causes)")
    }

    private static func changes(
        _ old: [String: [Double?]], _ new: [String: [Double?]],
        _ change: ([Double?]?, [Double?]?) -> SeriesChange?
    ) -> [(String, SeriesChange)] {
        Set(old.keys).union(new.keys).sorted().compactMap { key in change(old[key], new[key]).map { (key, $0) } }
    }

    /// Factors of the gain that differ in both renderings' common steps, or are in one only; the largest first. A tenth
    /// of a decibel counts: no measurement is in them.
    private static func factors(_ old: [String: [Double?]], _ new: [String: [Double?]]) -> [String] {
        let means = Set(old.keys).union(new.keys).compactMap { name -> (name: String, text: String, size: Double)? in
            let pairs = zip(old[name] ?? [], new[name] ?? []).compactMap { old, new in
                old.flatMap { old in new.map { $0 - old } }
            }
            if pairs.isEmpty {
                let value = (old[name] ?? new[name] ?? []).compactMap(\.self)
                guard let mean = value.isEmpty ? nil : value.reduce(0, +) / Double(value.count), abs(mean) > 0.1 else {
                    return nil
                }
                let word = new[name] == nil ? "\(name) is gone, was" : "\(name) is new,"
                return (name, "\(word) \(SeriesChange.signed(mean))", abs(mean))
            }
            let mean = pairs.reduce(0, +) / Double(pairs.count)
            return abs(mean) > 0.1 ? (name, "\(name) \(SeriesChange.signed(mean))", abs(mean)) : nil
        }
        return means.sorted { ($1.size, $0.name) < ($0.size, $1.name) }.map(\.text)
    }

    private mutating func compareLevels() {
        let changes = zip(old.mix.levels, new.mix.levels).map { change($0, $1) }
        let found = changes.indices.compactMap { index in changes[index].map { (index, $0) } }
        guard let strongest = found.max(by: { abs($0.1.mean) < abs($1.1.mean) })?.1 else {
            if let bands = Self.bands(old.mix.bands, new.mix.bands, nil, change) {
                lines.append("mix: the level is the same, not its colour: \(bands)")
            } else {
                alike.append("level of the mix")
            }
            return
        }
        let means = found.map(\.1.mean)
        let isAlike =
            found.count == changes.count
            && (means.max() ?? 0) - (means.min() ?? 0) <= 2 * tolerances.level
        let bands = Self.bands(old.mix.bands, new.mix.bands, strongest, change).map { " (\($0))" } ?? ""
        if isAlike {
            lines.append("mix: \(strongest.amount) \(strongest.time)\(bands)")
        } else {
            let channels = found.map { "channel \($0.0 + 1) \($0.1.amount) \($0.1.time)" }
            lines.append("mix: \(channels.joined(separator: ", "))\(bands)")
        }
    }

    /// The octaves that differ otherwise than the level does, at most three; nil if none does.
    private static func bands(
        _ old: [String: [Double?]]?, _ new: [String: [Double?]]?, _ level: SeriesChange?,
        _ change: ([Double?]?, [Double?]?) -> SeriesChange?
    ) -> String? {
        let changes = changes(old ?? [:], new ?? [:], change)
        let odd = changes.filter { abs($0.1.mean - (level?.mean ?? 0)) > 1 || level == nil }
        let most = odd.sorted { abs($0.1.mean) > abs($1.1.mean) }.prefix(3)
        guard !most.isEmpty else { return nil }
        return most.map { "\($0.0) Hz \($0.1.amount)" }.joined(separator: ", ")
    }

    private mutating func compareOnsets() {
        var rest = new.mix.onsets, words: [String] = []
        for onset in old.mix.onsets {
            let place = "onset at \(Text.number(onset, decimals: 3)) s"
            guard let nearest = rest.indices.min(by: { abs(rest[$0] - onset) < abs(rest[$1] - onset) }),
                abs(rest[nearest] - onset) < GoldenNumbers.step
            else {
                words.append("\(place) is missing")
                continue
            }
            let late = rest.remove(at: nearest) - onset
            if abs(late) > tolerances.onset {
                words.append(
                    "\(place) is \(Text.number(abs(late) * 1000, decimals: 0)) ms \(late > 0 ? "late" : "early")")
            }
        }
        words += rest.map { "onset at \(Text.number($0, decimals: 3)) s is new" }
        if words.isEmpty { alike.append("onsets") }
        lines += words.prefix(5)
        if words.count > 5 { lines.append("and \(words.count - 5) other onsets") }
    }

    private mutating func compareDirections() {
        let turned = zip(old.mix.directions, new.mix.directions).enumerated().filter { _, pair in
            guard let old = pair.0, let new = pair.1, old.diffuseness < 0.5, new.diffuseness < 0.5 else { return false }
            let up = abs((new.elevation ?? 0) - (old.elevation ?? 0))
            return abs(SoundExpectation.turn(new.azimuth - old.azimuth)) > tolerances.direction
                || up > tolerances.direction
        }
        guard let first = turned.first, let last = turned.last, let old = first.element.0, let new = first.element.1
        else {
            alike.append("directions")
            return
        }
        let step = GoldenNumbers.step
        let height =
            old.elevation.flatMap { old in
                new.elevation.map { ", \(Text.number($0, decimals: 0))° up, was \(Text.number(old, decimals: 0))°" }
            } ?? ""
        lines.append(
            "direction from \(Text.length(Double(first.offset) * step)) to \(Text.length(Double(last.offset + 1) * step)) s: "
                + "\(SoundExpectation.side(new.azimuth)), was \(SoundExpectation.side(old.azimuth))\(height)")
    }

    private mutating func comparePitches() {
        let shifts = zip(old.mix.pitches, new.mix.pitches).enumerated().compactMap { step, pair in
            pair.0.flatMap { old in pair.1.map { (step: step, cents: 1200 * log2($0 / old)) } }
        }.filter { abs($0.cents) > tolerances.pitch }
        guard let first = shifts.first, let last = shifts.last else {
            alike.append("pitch")
            return
        }
        let mean = shifts.reduce(0) { $0 + $1.cents } / Double(shifts.count), step = GoldenNumbers.step
        lines.append(
            "pitch from \(Text.length(Double(first.step) * step)) to \(Text.length(Double(last.step + 1) * step)) s: "
                + "\(Text.number(abs(mean), decimals: 0)) cents \(mean > 0 ? "higher" : "lower")")
    }

    private mutating func compareLoudness() {
        let (before, after) = (old.mix.loudness ?? -120, new.mix.loudness ?? -120)
        guard abs(after - before) > tolerances.loudness else {
            alike.append("loudness")
            return
        }
        lines.append(
            "loudness: \(Text.number(after, decimals: 1)) LUFS, was \(Text.number(before, decimals: 1)) LUFS")
    }
}
