import OssicleAcoustics
import OssicleCore

/// The energy still to come in each octave band over time (Schroeder's curves), and where the decay reaches −60 dB.
struct DecayPanel {
    let response: SquaredResponse
    let metrics: RoomMetrics

    private static let range = -65.0...0.0

    func draw(on canvas: inout SVGCanvas, in frame: Frame) {
        let level = Axis(low: Self.range.lowerBound, high: Self.range.upperBound, start: frame.bottom, end: frame.y)
        let time = TimeAxis(seconds: seconds, in: frame)
        canvas.text("Decay in each octave band", x: frame.x, y: frame.y - 16, size: 14, bold: true)
        canvas.rectangle(frame, fill: Ink.panel)
        time.drawGrid(on: &canvas, in: frame)
        for decibels in stride(from: -60.0, through: 0, by: 10) {
            let (y, isEnd) = (level(decibels), decibels == -60)
            canvas.line(
                [(frame.x, y), (frame.right, y)], stroke: isEnd ? Ink.faint : Ink.grid, width: 1,
                dash: isEnd ? "2 4" : nil)
            canvas.text(
                Text.number(decibels, decimals: 0), x: frame.x - 8, y: y + 4, size: 11, fill: Ink.faint, anchor: .end)
        }
        let middle = (frame.y + frame.bottom) / 2
        canvas.text(
            "energy still to come / dB", x: frame.x - 44, y: middle, size: 11, fill: Ink.faint, anchor: .middle,
            turned: true)
        time.drawLabels(on: &canvas, below: frame)
        for band in 0..<OctaveBands.count {
            let curve = curve(band)
            canvas.line(
                curve.map { (time.axis($0.time), level.clamped($0.level)) }, stroke: Ink.bands[band], width: 1.8)
            if let end = decayEnd(band), let last = curve.last, last.level > -58, end > last.time {
                // Beyond what rays have seen.
                let way = [(time.axis(last.time), level.clamped(last.level)), (time.axis(end), level(-60))]
                canvas.line(way, stroke: Ink.bands[band], width: 1, dash: "3 4")
            }
            if let end = decayEnd(band), end <= seconds {
                canvas.circle(
                    x: time.axis(end), y: level(-60), radius: 4, fill: Ink.paper, stroke: Ink.bands[band], width: 2)
            }
        }
        legend(on: &canvas, x: frame.right - 122, y: frame.y + 18)
    }

    /// Time to show: until the slowest band is down by 60 dB.
    private var seconds: Double {
        let ends = (0..<OctaveBands.count).compactMap(decayEnd)
        return min(max((ends.max() ?? 0) * 1.05, 0.05), 30)
    }

    /// Where a line of the band's T30 from 0 dB on meets −60 dB; nil for a band that does not sound on.
    private func decayEnd(_ band: Int) -> Double? { metrics.t30[band] > 0 ? Double(metrics.t30[band]) : nil }

    private func curve(_ band: Int) -> [(time: Double, level: Double)] {
        let energies = response.bins.map { Double($0[band]) }
        let remaining = DecayCurve(
            energies: energies, binWidth: SquaredResponse.binWidth, continues: response.continues
        ).remaining
        guard let whole = remaining.first, whole > 0 else { return [] }
        let shown = remaining.prefix(Int(seconds / SquaredResponse.binWidth) + 1).enumerated()
        let step = max(shown.underestimatedCount / 600, 1)
        // The last twentieth hangs on what is guessed to follow.
        let known = max(response.bins.count * 19 / 20, 1)
        return shown.filter { $0.offset % step == 0 && $0.offset <= known && $0.element > whole * 2e-7 }.map {
            bin, energy in
            (Double(bin) * SquaredResponse.binWidth, Decibels.of(energy: energy / whole))
        }
    }

    private func legend(on canvas: inout SVGCanvas, x: Double, y: Double) {
        canvas.rectangle(Frame(x: x - 12, y: y - 14, width: 128, height: 17 * 11 + 4), fill: Ink.paper, opacity: 0.85)
        canvas.text("T30", x: x + 106, y: y, size: 11, fill: Ink.faint, anchor: .end)
        for band in 0..<OctaveBands.count {
            let row = y + 17 * Double(band + 1)
            canvas.line([(x, row - 4), (x + 14, row - 4)], stroke: Ink.bands[band], width: 3)
            canvas.text(RirReport.bandName(band), x: x + 20, y: row, size: 11)
            canvas.text(
                Text.number(Double(metrics.t30[band]), decimals: 2) + " s", x: x + 106, y: row, size: 11, anchor: .end)
        }
    }
}
