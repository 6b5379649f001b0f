import OssicleAcoustics
import OssicleCore
import OssicleResponses

/// The metrics of a scene over a grid of listeners.
struct AcousticMap {
    let title: String
    let occluders: [Occluder]
    let source: Vector
    let grid: ReceiverGrid
    let cells: [MapCell]
    let quantities: [MapQuantity]
    /// What was asked for, in a line.
    let details: String
    let speech: SpeechConditions?

    /// What `ossicle map` prints: the spread of each quantity over the places.
    var report: String {
        let head = Text.left("", width: 30) + ["lowest", "mean", "highest"].map { Text.right($0, width: 10) }.joined()
        let rows = quantities.compactMap { quantity -> String? in
            let values = cells.compactMap(quantity.value)
            guard let low = values.min(), let high = values.max() else { return nil }
            let mean = values.reduce(0, +) / Double(values.count)
            return Text.left(quantity.title, width: 30)
                + [low, mean, high].map { Text.right(Text.number($0, decimals: quantity.decimals), width: 10) }.joined()
                + (quantity.unit.isEmpty ? "" : " \(quantity.unit)")
        }
        let size = grid.size
        let places =
            "\(cells.count) places of a grid of \(size.columns) × \(size.rows), \(Text.length(size.height)) m high, source \(Metres.text(source))"
        return ([places, "", head] + rows).joined(separator: "\n")
    }

    /// A line for each place: x, y, z, then each quantity's one number and its octaves.
    var csv: String {
        let columns = quantities.flatMap { quantity in
            let octaves = cells.first.map { quantity.octaves($0).count } ?? 0
            return [quantity.rawValue]
                + RirFacts.nominal.prefix(octaves).map { "\(quantity.rawValue)_\(Text.length($0))" }
        }
        func cell(_ value: Double?) -> String { value.map { plain($0, decimals: 4) } ?? "" }
        let rows = cells.map { place in
            let position = [place.place.x, place.place.y, place.place.z].map { plain($0, decimals: 4) }
            let values = quantities.flatMap { [$0.value(place)] + $0.octaves(place) }.map(cell)
            return (position + values).joined(separator: ",")
        }
        return ((["x,y,z"] + columns).joined(separator: ",") + "\n") + rows.map { $0 + "\n" }.joined()
    }

    /// For programs to read: a hyphen for the minus sign.
    private func plain(_ value: Double, decimals: Int) -> String {
        Text.number(value, decimals: decimals).replacing("−", with: "-")
    }
}

extension AcousticMap: Encodable {
    private enum CodingKeys: CodingKey { case scene, source, columns, rows, height, low, high, places }

    private struct Place: Encodable {
        let column, row: Int
        let position: [Double]
        let bands: [RirFacts.Band]
        let response: [ResponseMetrics.Band]?
        let speechTransmission: Double
        let speechTransmissionError: Double?
        let speechLevel: Double?
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        func list(_ v: Vector) -> [Double] { [v.x, v.y, v.z] }
        try container.encode(title, forKey: .scene)
        try container.encode(list(source), forKey: .source)
        try container.encode(grid.size.columns, forKey: .columns)
        try container.encode(grid.size.rows, forKey: .rows)
        try container.encode(grid.size.height, forKey: .height)
        try container.encode(list(grid.low), forKey: .low)
        try container.encode(list(grid.high), forKey: .high)
        try container.encode(
            cells.map { cell in
                Place(
                    column: cell.column, row: cell.row, position: list(cell.place),
                    bands: RirFacts.bands(cell.metrics, errors: cell.errors),
                    response: cell.ears.isEmpty ? nil : cell.ears,
                    speechTransmission: cell.metrics.speechTransmission,
                    speechTransmissionError: cell.errors?.speechTransmission, speechLevel: cell.level)
            }, forKey: .places)
    }
}
