import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleResponses

/// What `ossicle rir` prints about one response.
struct RirReport {
    let result: RirResult

    /// Names, units and how values are written, of the columns behind the band.
    private static let columns:
        [(name: String, unit: String, decimals: Int, values: @Sendable (RoomMetrics) -> [Double])] = [
            ("T20", "s", 2, { $0.t20.values.map(Double.init) }), ("T30", "s", 2, { $0.t30.values.map(Double.init) }),
            ("EDT", "s", 2, { $0.edt.values.map(Double.init) }), ("C80", "dB", 1, { $0.c80.values.map(Double.init) }),
            ("D50", "%", 0, { $0.d50.values.map { Double($0) * 100 } }),
            ("Ts", "ms", 0, { $0.centreTime.values.map { Double($0) * 1000 } }),
            ("G", "dB", 1, { $0.strength.values.map(Double.init) }),
            ("LF", "", 2, { $0.lateralFraction.values.map(Double.init) }),
            ("LFC", "", 2, { $0.lateralFractionCosine.values.map(Double.init) }),
            ("LG", "dB", 1, { $0.lateLateralStrength.values.map(Double.init) }),
        ]

    var text: String { (places + [""] + table + measured + ["", speech, paths]).joined(separator: "\n") }

    private var places: [String] {
        ["source     \(Metres.text(result.pair.source))", "listener   \(Metres.text(result.pair.listener.position))"]
    }

    private var table: [String] {
        let names = Self.columns.map { Text.right($0.name, width: 8) }.joined()
        let units = Self.columns.map { Text.right($0.unit, width: 8) }.joined()
        let head = [Text.left("band", width: 9) + names, Text.left("", width: 9) + units]
        return ["energies of paths and rays"] + head + rows(of: result.metrics, extraDecimals: 0) + errors
    }

    /// By how much other rays would change the table, with a digit more.
    private var errors: [String] {
        guard let errors = result.errors else { return [] }
        return ["", "standard errors"] + rows(of: errors, extraDecimals: 1)
    }

    private func rows(of metrics: RoomMetrics, extraDecimals: Int) -> [String] {
        let values = Self.columns.map { $0.values(metrics) }
        return (0..<OctaveBands.count).map { band in
            let cells = zip(Self.columns, values).map {
                Text.right(Text.number($1[band], decimals: $0.decimals + extraDecimals), width: 8)
            }
            return Text.left(Self.bandName(band), width: 9) + cells.joined()
        }
    }

    /// What the response itself says.
    private var measured: [String] {
        guard let measured = result.measured else { return [] }
        let table = MeasuredTable(bands: measured.bands)
        return ["", "the response itself, band-filtered"] + table.lines(indent: "", nameWidth: 9, cellWidth: 8)
    }

    private var speech: String {
        let energies = "speech     transmission index \(Text.number(result.metrics.speechTransmission, decimals: 2))"
        guard let index = result.measured?.speechTransmission else { return energies }
        return energies + ", of the response itself \(Text.number(index, decimals: 2))"
    }

    private var paths: String {
        guard let acoustics = result.acoustics.first else { return "" }
        let seen = Text.number(acoustics.direct.visibleShare * 100, decimals: 0)
        return
            "paths      source \(seen) % in sight; \(acoustics.diffractions.count) around edges, \(acoustics.reflections.count) over mirrors"
    }

    /// "31.5 Hz", "1 kHz".
    static func bandName(_ band: Int) -> String {
        let centre = RirFacts.nominal[band]
        return centre >= 1000
            ? "\(Text.number(centre / 1000, decimals: 0)) kHz"
            : "\(Text.number(centre, decimals: band == 0 ? 1 : 0)) Hz"
    }
}
