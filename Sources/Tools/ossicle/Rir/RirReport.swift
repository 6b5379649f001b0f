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
        ]

    var text: String { (places + [""] + table + ["", speech, paths]).joined(separator: "\n") }

    private var places: [String] {
        ["source     \(Place.text(result.pair.source))", "listener   \(Place.text(result.pair.listener.position))"]
    }

    private var table: [String] {
        let names = Self.columns.map { Text.right($0.name, width: 8) }.joined()
        let units = Self.columns.map { Text.right($0.unit, width: 8) }.joined()
        let values = Self.columns.map { $0.values(result.metrics) }
        let rows = (0..<OctaveBands.count).map { band in
            let cells = zip(Self.columns, values).map {
                Text.right(Text.number($1[band], decimals: $0.decimals), width: 8)
            }
            return Text.left(Self.bandName(band), width: 9) + cells.joined()
        }
        return [Text.left("band", width: 9) + names, Text.left("", width: 9) + units] + rows
    }

    private var speech: String {
        "speech     transmission index \(Text.number(result.metrics.speechTransmission, decimals: 2))"
    }

    private var paths: String {
        guard let acoustics = result.acoustics.first else { return "" }
        let seen = Text.number(acoustics.direct.visibleShare * 100, decimals: 0)
        return
            "paths      source \(seen) % in sight; \(acoustics.diffractions.count) around edges, \(acoustics.reflections.count) over mirrors"
    }

    /// The bands' nominal centres, as IEC 61260 calls them.
    static let nominal = [31.5, 63, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000]

    /// "31.5 Hz", "1 kHz".
    static func bandName(_ band: Int) -> String {
        let centre = nominal[band]
        return centre >= 1000
            ? "\(Text.number(centre / 1000, decimals: 0)) kHz"
            : "\(Text.number(centre, decimals: band == 0 ? 1 : 0)) Hz"
    }
}

/// The same for programs to read.
struct RirFacts: Encodable {
    struct Band: Encodable {
        let frequency: Double
        let t20, t30, edt, c80, c50, d50, centreTime, strength: Float
    }

    /// Metres; x, y up, z.
    let source, listener: [Double]
    let visibleShare: Double
    let diffractions, reflections: Int
    let speechTransmission: Double
    let bands: [Band]

    init(_ result: RirResult) {
        let (metrics, acoustics) = (result.metrics, result.acoustics.first)
        func list(_ v: Vector) -> [Double] { [v.x, v.y, v.z] }
        (source, listener) = (list(result.pair.source), list(result.pair.listener.position))
        visibleShare = acoustics?.direct.visibleShare ?? 0
        (diffractions, reflections) = (acoustics?.diffractions.count ?? 0, acoustics?.reflections.count ?? 0)
        speechTransmission = metrics.speechTransmission
        bands = (0..<OctaveBands.count).map { band in
            Band(
                frequency: RirReport.nominal[band], t20: metrics.t20[band], t30: metrics.t30[band],
                edt: metrics.edt[band], c80: metrics.c80[band],
                c50: metrics.c50[band], d50: metrics.d50[band], centreTime: metrics.centreTime[band],
                strength: metrics.strength[band])
        }
    }
}
