/// What `ossicle convert` says at its end.
struct ConversionSummary {
    let converted: [ConversionReport]
    let failed, skipped: Int
    let elapsed: Duration

    var text: String {
        let counts = ["converted \(converted.count)", failed > 0 ? "failed \(failed)" : nil, skipped > 0 ? "skipped \(skipped) that exist" : nil]
        let notes = converted.flatMap(\.notes)
        return (notes + [counts.compactMap { $0 }.joined(separator: ", ") + ": " + speed]).joined(separator: "\n")
    }

    /// "12.3 s of sound in 0.4 s, 31 × real time"
    var speed: String {
        let sound = converted.reduce(0) { $0 + $1.seconds }
        let time = elapsed / .seconds(1)
        return "\(Text.number(sound, decimals: 1)) s of sound in \(Text.number(time, decimals: 1)) s, \(Text.number(sound / max(time, 1e-9), decimals: 0)) × real time"
    }
}
