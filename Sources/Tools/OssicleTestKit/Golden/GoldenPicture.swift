import OssicleReports

/// A comparison on one page: levels over time of the mix and of each event that changed, old in grey and new in blue,
/// red where they differ by more than the tolerance; below, the octaves of the mix.
struct GoldenPicture {
    let name: String
    let comparison: GoldenComparison

    private static let (width, margin, height, gap) = (960.0, 80.0, 110.0, 56.0)

    private struct Panel {
        let title: String
        let old, new: [Double?]
    }

    var svg: String {
        let panels = panels, bands = bands
        let words = comparison.lines.flatMap { Self.wrapped($0, to: 118) }
        let top = 64 + 18 * Double(words.count) + 24
        let gridHeight = 16 * Double(bands.count)
        var canvas = SVGCanvas(
            width: Self.width, height: top + Double(panels.count) * (Self.height + Self.gap) + gridHeight + 80)
        canvas.rectangle(Frame(x: 0, y: 0, width: canvas.width, height: canvas.height), fill: Ink.paper)
        canvas.text(name, x: 24, y: 36, size: 20, bold: true)
        for (index, line) in words.enumerated() { canvas.text(line, x: 24, y: 64 + 18 * Double(index), size: 13) }
        let inner = Self.width - 2 * Self.margin
        for (index, panel) in panels.enumerated() {
            let frame = Frame(
                x: Self.margin, y: top + Double(index) * (Self.height + Self.gap), width: inner, height: Self.height)
            draw(panel, on: &canvas, in: frame)
        }
        let below = top + Double(panels.count) * (Self.height + Self.gap)
        drawBands(bands, on: &canvas, in: Frame(x: Self.margin, y: below, width: inner, height: gridHeight))
        return canvas.document
    }

    private var panels: [Panel] {
        let (old, new) = (comparison.old, comparison.new)
        let mixes = zip(old.mix.levels, new.mix.levels).enumerated().map {
            Panel(title: "mix, channel \($0 + 1)", old: $1.0, new: $1.1)
        }
        let events = comparison.changedEvents.map { name in
            let (before, after) = (old.events[name], new.events[name])
            let hasLevels = before?.levels != nil || after?.levels != nil
            return Panel(
                title: "event “\(name)”" + (hasLevels ? "" : ", direct path at 1 kHz"),
                old: (hasLevels ? before?.levels : before?.paths["direct"]) ?? [],
                new: (hasLevels ? after?.levels : after?.paths["direct"]) ?? [])
        }
        return Array(mixes.prefix(2) + events.prefix(8))
    }

    private var seconds: Double { max(comparison.old.seconds, comparison.new.seconds, GoldenNumbers.step) }

    private func draw(_ panel: Panel, on canvas: inout SVGCanvas, in frame: Frame) {
        let known = (panel.old + panel.new).compactMap(\.self)
        let high = ((known.max() ?? 0) / 10).rounded(.up) * 10 + 5, low = high - 50
        let axis = Axis(low: low, high: high, start: frame.bottom, end: frame.y)
        let time = TimeAxis(seconds: seconds, in: frame)
        canvas.text(panel.title, x: frame.x, y: frame.y - 10, size: 13, bold: true)
        canvas.text("baseline", x: frame.right - 110, y: frame.y - 10, fill: Ink.faint)
        canvas.text("now", x: frame.right - 32, y: frame.y - 10, fill: Ink.direct)
        canvas.rectangle(frame, fill: Ink.panel)
        time.drawGrid(on: &canvas, in: frame)
        for level in stride(from: (low / 10).rounded(.up) * 10, through: high, by: 20) {
            canvas.text(
                "\(Text.number(level, decimals: 0)) dB", x: frame.x - 8, y: axis(level) + 4, size: 11, fill: Ink.faint,
                anchor: .end)
        }
        let change = SeriesChange(
            from: panel.old, to: panel.new, tolerance: comparison.tolerances.level, floor: comparison.tolerances.floor)
        for (step, difference) in (change?.differences ?? []).enumerated() where difference != nil {
            let x = time.axis(Double(step) * GoldenNumbers.step)
            let end = time.axis(min(Double(step + 1) * GoldenNumbers.step, seconds))
            canvas.rectangle(
                Frame(x: x, y: frame.y, width: max(end - x, 1), height: frame.height), fill: Ink.clipping,
                opacity: 0.12,
                title: difference.map(SeriesChange.signed))
        }
        draw(panel.old, Ink.faint, dash: "5 4", axis, time, on: &canvas)
        draw(panel.new, Ink.direct, dash: nil, axis, time, on: &canvas)
        time.drawLabels(on: &canvas, below: frame)
    }

    /// A line for each stretch that sounds.
    private func draw(
        _ levels: [Double?], _ ink: String, dash: String?, _ axis: Axis, _ time: TimeAxis, on canvas: inout SVGCanvas
    ) {
        var points: [(x: Double, y: Double)] = []
        for (step, level) in (levels + [nil]).enumerated() {
            let start = Double(step) * GoldenNumbers.step
            if let level, start < seconds {
                points.append((time.axis(start), axis.clamped(level)))
                points.append((time.axis(min(start + GoldenNumbers.step, seconds)), axis.clamped(level)))
            } else if !points.isEmpty {
                canvas.line(points, stroke: ink, width: 2, dash: dash)
                points = []
            }
        }
    }

    private var bands: [(name: String, change: SeriesChange?)] {
        comparison.old.mix.bands.keys.compactMap { key in Double(key).map { ($0, key) } }.sorted { $0.0 > $1.0 }.map {
            (
                $0.1,
                SeriesChange(
                    from: comparison.old.mix.bands[$0.1] ?? [], to: comparison.new.mix.bands[$0.1] ?? [],
                    tolerance: comparison.tolerances.level, floor: comparison.tolerances.floor)
            )
        }
    }

    /// Octaves over time: red where louder, blue where quieter, full colour from 6 dB on.
    private func drawBands(
        _ bands: [(name: String, change: SeriesChange?)], on canvas: inout SVGCanvas, in frame: Frame
    ) {
        canvas.text(
            "mix by octaves: red is louder than the baseline, blue quieter", x: frame.x, y: frame.y - 10, size: 13,
            bold: true)
        canvas.rectangle(frame, fill: Ink.panel)
        let time = TimeAxis(seconds: seconds, in: frame)
        for (row, band) in bands.enumerated() {
            let y = frame.y + 16 * Double(row)
            canvas.text("\(band.name) Hz", x: frame.x - 8, y: y + 12, size: 11, fill: Ink.faint, anchor: .end)
            for (step, difference) in (band.change?.differences ?? []).enumerated() {
                guard let difference else { continue }
                let x = time.axis(Double(step) * GoldenNumbers.step)
                let end = time.axis(min(Double(step + 1) * GoldenNumbers.step, seconds))
                canvas.rectangle(
                    Frame(x: x, y: y, width: max(end - x - 1, 1), height: 15),
                    fill: difference > 0 ? Ink.clipping : Ink.direct, opacity: min(abs(difference) / 6, 1) * 0.9 + 0.1,
                    title: "\(band.name) Hz: \(SeriesChange.signed(difference))")
            }
        }
        time.drawLabels(on: &canvas, below: frame)
    }

    private static func wrapped(_ line: String, to width: Int) -> [String] {
        var lines = [""]
        for word in line.split(separator: " ") {
            if lines[lines.count - 1].count + word.count + 1 > width { lines.append("    ") }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
        }
        return lines
    }
}
