import ArgumentParser
import OssicleAcoustics
import OssicleCore

/// What a map shows, by its name on the command line and in tables.
enum MapQuantity: String, CaseIterable, Sendable {
    case spl, g, edt, t30, c80, d50, sti, lf, lfc, lg, iacc

    var title: String {
        switch self {
        case .spl: "Level of speech"
        case .g: "Strength G"
        case .edt: "Early decay time"
        case .t30: "Reverberation time T30"
        case .c80: "Clarity C80"
        case .d50: "Definition D50"
        case .sti: "Speech transmission index"
        case .lf: "Lateral energy fraction LF"
        case .lfc: "Lateral energy fraction LFC"
        case .lg: "Late lateral level LG"
        case .iacc: "IACC, first 80 ms"
        }
    }

    var unit: String {
        switch self {
        case .spl: "dB(A)"
        case .g, .c80, .lg: "dB"
        case .edt, .t30: "s"
        case .d50: "%"
        case .sti, .lf, .lfc, .iacc: ""
        }
    }

    /// What is just noticed (ISO 3382-1, Table A.1); of times a share of them. Levels below it are not worth a colour.
    var noticeable: Double {
        switch self {
        case .spl, .g, .c80, .lg: 1
        case .edt, .t30: 0.05
        case .d50: 5
        case .sti: 0.03
        case .lf, .lfc: 0.05
        case .iacc: 0.075
        }
    }

    var decimals: Int {
        switch self {
        case .spl, .g, .c80, .lg: 1
        case .d50: 0
        default: 2
        }
    }

    /// By octave from 31.5 Hz on; empty for what has no octaves.
    func octaves(_ cell: MapCell) -> [Double?] {
        func list(_ bands: OctaveBands) -> [Double?] { bands.values.map(Double.init) }
        switch self {
        case .spl, .sti: return []
        case .g: return list(cell.metrics.strength).map(Self.sound)
        case .edt: return list(cell.metrics.edt).map(Self.decay)
        case .t30: return list(cell.metrics.t30).map(Self.decay)
        case .c80: return list(cell.metrics.c80)
        case .d50: return list(cell.metrics.d50 * 100)
        case .lf: return list(cell.metrics.lateralFraction)
        case .lfc: return list(cell.metrics.lateralFractionCosine)
        case .lg: return list(cell.metrics.lateLateralStrength).map(Self.sound)
        case .iacc: return cell.ears.map(\.iaccEarly)
        }
    }

    /// The one number of a place; nil where there is none.
    func value(_ cell: MapCell) -> Double? {
        switch self {
        case .spl: cell.level
        case .sti: cell.metrics.speechTransmission
        case .lf, .lfc: mean(cell, 2...5)
        case .lg: Self.energyMean(octaves(cell), 2...5)
        case .iacc: mean(cell, 4...6)
        default: mean(cell, 4...5)
        }
    }

    private func mean(_ cell: MapCell, _ bands: ClosedRange<Int>) -> Double? {
        let values = octaves(cell)
        guard values.indices.contains(bands.upperBound) else { return nil }
        let known = values[bands].compactMap(\.self)
        return known.count == bands.count ? known.reduce(0, +) / Double(known.count) : nil
    }

    /// Levels are averaged as energies (ISO 3382-1, A.3).
    private static func energyMean(_ levels: [Double?], _ bands: ClosedRange<Int>) -> Double? {
        let known = levels[bands].compactMap(\.self)
        guard known.count == bands.count else { return nil }
        return Decibels.of(energy: known.reduce(0) { $0 + Decibels.energy($1) } / Double(known.count))
    }

    private static func sound(_ level: Double?) -> Double? { level.flatMap { $0 > -100 ? $0 : nil } }
    private static func decay(_ seconds: Double?) -> Double? { seconds.flatMap { $0 > 0 ? $0 : nil } }
}

/// Quantities on the command line: names with commas between them.
struct MapQuantities: ExpressibleByArgument, Equatable {
    let list: [MapQuantity]

    init?(argument: String) {
        let found = argument.lowercased().split(separator: ",").map { MapQuantity(rawValue: String($0)) }
        guard !found.isEmpty, found.allSatisfy({ $0 != nil }) else { return nil }
        list = MapQuantity.allCases.filter { found.contains($0) }
    }
}
