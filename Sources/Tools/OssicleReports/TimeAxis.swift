/// The time axis several panels share: some ten ticks, in seconds, in minutes when the sound is long, in hours when it
/// is very long.
package struct TimeAxis {
    package let axis: Axis
    private let ticks: [Double]
    private let step: Double

    package init(seconds: Double, in frame: Frame) {
        axis = Axis(low: 0, high: max(seconds, 1e-6), start: frame.x, end: frame.right)
        let step = Self.steps.first { seconds / $0 <= 12 } ?? max(seconds / 12, 36_000)
        self.step = step
        ticks = Array(stride(from: 0, through: seconds * (1 + 1e-9), by: step))
    }

    private static let steps = [
        0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600,
        7200, 14_400,
    ]

    package func drawGrid(on canvas: inout SVGCanvas, in frame: Frame) {
        for tick in ticks {
            canvas.line([(axis(tick), frame.y), (axis(tick), frame.bottom)], stroke: Ink.grid, width: 1)
        }
    }

    package func drawLabels(on canvas: inout SVGCanvas, below frame: Frame) {
        for tick in ticks {
            canvas.line([(axis(tick), frame.bottom), (axis(tick), frame.bottom + 4)], stroke: Ink.faint, width: 1)
            canvas.text(label(tick), x: axis(tick), y: frame.bottom + 18, size: 11, fill: Ink.faint, anchor: .middle)
        }
        canvas.text("time / " + unit, x: frame.right, y: frame.bottom + 34, size: 11, fill: Ink.faint, anchor: .end)
    }

    /// Ticks of 15 seconds and more read as a clock does.
    private var unit: String { step >= 900 ? "h:min" : step >= 15 ? "min:s" : "s" }

    private func label(_ tick: Double) -> String {
        if step < 15 { return Text.number(tick, decimals: step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3) }
        let (whole, part) = Int((step >= 900 ? tick / 60 : tick).rounded()).quotientAndRemainder(dividingBy: 60)
        return "\(whole):\(part < 10 ? "0" : "")\(part)"
    }
}
