import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleResponses

/// A map of each quantity over the floor plan, with walls, the source, a scale in metres and a legend of colours.
struct MapPicture {
    let map: AcousticMap

    private static let columns = 3
    private static let width = 400.0

    var svg: String {
        let size = map.grid.high - map.grid.low
        // As high as the plan at the panel's width, within what a page can hold.
        let plan = min(max((Self.width - 60) * size.z / max(size.x, 1e-3), 120), 520) + 24
        let (panel, count) = (plan + 110, map.quantities.count)
        let rows = (count + Self.columns - 1) / Self.columns
        var canvas = SVGCanvas(
            width: Self.width * Double(min(Self.columns, max(count, 1))) + 40, height: 90 + panel * Double(rows))
        canvas.rectangle(Frame(x: 0, y: 0, width: canvas.width, height: canvas.height), fill: Ink.paper)
        canvas.text("Room-acoustic maps", x: 40, y: 40, size: 22, bold: true)
        canvas.text(
            "\(map.title) · source \(Metres.text(map.source)) m, ears \(Text.length(map.grid.size.height)) m high · \(map.details)",
            x: 40, y: 64, size: 13, fill: Ink.faint)
        let outline = SceneOutline(map.occluders, including: [])
        for (index, quantity) in map.quantities.enumerated() {
            let (column, row) = (Double(index % Self.columns), Double(index / Self.columns))
            let frame = Frame(x: 40 + column * Self.width, y: 120 + row * panel, width: Self.width - 60, height: plan)
            QuantityPanel(map: map, quantity: quantity, outline: outline).draw(on: &canvas, in: frame)
        }
        return canvas.document
    }
}

/// One quantity over the floor plan.
private struct QuantityPanel {
    let map: AcousticMap
    let quantity: MapQuantity
    let outline: SceneOutline

    /// Steps of the legend.
    private static let steps = 32

    func draw(on canvas: inout SVGCanvas, in frame: Frame) {
        let unit = quantity.unit.isEmpty ? "" : " / \(quantity.unit)"
        canvas.text(quantity.title + unit, x: frame.x, y: frame.y - 12, size: 14, bold: true)
        let plan = Plan(outline: (map.grid.low, map.grid.high), in: frame)
        canvas.rectangle(plan.frame(from: map.grid.low, to: map.grid.high), fill: Ink.panel)
        let size = map.grid.size
        let step = (map.grid.high - map.grid.low) / Vector(Double(size.columns), 1, Double(size.rows))
        let range = range
        for cell in map.cells {
            guard let value = quantity.value(cell), let range else { continue }
            let corner = map.grid.low + Vector(Double(cell.column), 0, Double(cell.row)) * step
            canvas.rectangle(
                plan.frame(from: corner, to: corner + step), fill: Self.ink(value, range),
                title:
                    "\(Metres.text(cell.place)): \(Text.number(value, decimals: quantity.decimals)) \(quantity.unit)")
        }
        for edge in outline.edges {
            canvas.line([plan.point(edge.from), plan.point(edge.to)], stroke: Ink.listener, width: 1.4)
        }
        let (x, y) = plan.point(map.source)
        canvas.circle(x: x, y: y, radius: 5, fill: Ink.source, stroke: Ink.paper, width: 1.5)
        plan.drawScale(on: &canvas)
        if let range { drawLegend(range, on: &canvas, in: frame) }
    }

    /// Of the colours, to round numbers, and no narrower than four times what is just noticed: a map of what all hear
    /// alike looks even.
    private var range: ClosedRange<Double>? {
        let values = map.cells.compactMap(quantity.value)
        guard let low = values.min(), let high = values.max() else { return nil }
        let isTime = quantity == .edt || quantity == .t30
        let least = 4 * quantity.noticeable * (isTime ? (low + high) / 2 : 1)
        let spare = max(least - (high - low), 0) / 2
        let span = high - low + 2 * spare
        let step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20].first { span / $0 <= 10 } ?? 50
        return ((low - spare) / step).rounded(.down) * step...((high + spare) / step).rounded(.up) * step
    }

    private static func ink(_ value: Double, _ range: ClosedRange<Double>) -> String {
        let share = (value - range.lowerBound) / max(range.upperBound - range.lowerBound, 1e-9)
        let colour = Colour.levels[min(max(Int(share * 255), 0), 255)]
        return String(format: "#%02X%02X%02X", colour.red, colour.green, colour.blue)
    }

    private func drawLegend(_ range: ClosedRange<Double>, on canvas: inout SVGCanvas, in frame: Frame) {
        let (y, width) = (frame.bottom + 14, frame.width / Double(Self.steps))
        let span = range.upperBound - range.lowerBound
        for step in 0..<Self.steps {
            let value = range.lowerBound + (Double(step) + 0.5) / Double(Self.steps) * span
            canvas.rectangle(
                Frame(x: frame.x + Double(step) * width, y: y, width: width + 0.5, height: 12),
                fill: Self.ink(value, range))
        }
        for (share, anchor) in [(0.0, SVGCanvas.Anchor.start), (0.5, .middle), (1, .end)] {
            canvas.text(
                Text.number(range.lowerBound + share * span, decimals: max(quantity.decimals, 1)),
                x: frame.x + share * frame.width, y: y + 27, size: 11, fill: Ink.faint, anchor: anchor)
        }
    }
}
