import OssicleResponses

/// The quantities of a response itself as lines of text: a column for each that any band has.
struct MeasuredTable {
    let bands: [ResponseMetrics.Band]

    private typealias Column = (
        name: String, unit: String, decimals: Int, value: @Sendable (ResponseMetrics.Band) -> Double?
    )

    private static let columns: [Column] = [
        ("T20", "s", 2, { $0.t20 }), ("T30", "s", 2, { $0.t30 }), ("EDT", "s", 2, { $0.edt }),
        ("C80", "dB", 1, { $0.c80 }), ("D50", "%", 0, { $0.d50.map { $0 * 100 } }),
        ("Ts", "ms", 0, { $0.centreTime.map { $0 * 1000 } }), ("G", "dB", 1, { $0.strength }),
        ("LF", "", 2, { $0.lf }), ("LFC", "", 2, { $0.lfc }), ("LG", "dB", 1, { $0.lg }),
        ("IACCe", "", 2, { $0.iaccEarly }), ("IACCl", "", 2, { $0.iaccLate }), ("IACC", "", 2, { $0.iacc }),
    ]

    func lines(indent: String, nameWidth: Int, cellWidth: Int) -> [String] {
        let columns = Self.columns.filter { column in bands.contains { column.value($0) != nil } }
        func line(_ name: String, _ cells: [String]) -> String {
            indent + Text.left(name, width: nameWidth) + cells.map { Text.right($0, width: cellWidth) }.joined()
        }
        return [line("band", columns.map(\.name)), line("", columns.map(\.unit))]
            + bands.map { band in
                line(
                    Self.name(band.frequency),
                    columns.map { Text.number($0.value(band) ?? .nan, decimals: $0.decimals) })
            }
    }

    private static func name(_ frequency: Double) -> String {
        frequency >= 1000 ? "\(Text.length(frequency / 1000)) kHz" : "\(Text.length(frequency)) Hz"
    }
}
