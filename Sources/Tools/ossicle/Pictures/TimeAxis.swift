/// The time axis several panels share: a tick at whole seconds, fewer of them when the sound is long.
struct TimeAxis {
    let axis: Axis
    private let ticks: [Double]

    init(seconds: Double, in frame: Frame) {
        axis = Axis(low: 0, high: max(seconds, 1e-3), start: frame.x, end: frame.right)
        let step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 600].first { seconds / $0 <= 10 } ?? 3600
        ticks = Array(stride(from: 0, through: seconds + 1e-9, by: step))
    }

    func drawGrid(on canvas: inout SVGCanvas, in frame: Frame) {
        for tick in ticks { canvas.line([(axis(tick), frame.y), (axis(tick), frame.bottom)], stroke: Ink.grid, width: 1) }
    }

    func drawLabels(on canvas: inout SVGCanvas, below frame: Frame) {
        for tick in ticks {
            canvas.line([(axis(tick), frame.bottom), (axis(tick), frame.bottom + 4)], stroke: Ink.faint, width: 1)
            canvas.text(Text.number(tick, decimals: tick == tick.rounded() ? 0 : 1), x: axis(tick), y: frame.bottom + 18, size: 11,
                        fill: Ink.faint, anchor: .middle)
        }
        canvas.text("time / s", x: frame.right, y: frame.bottom + 34, size: 11, fill: Ink.faint, anchor: .end)
    }
}
