/// How loud a sound is while it lasts: the loudness of the last three seconds (EBU Tech 3341, short-term), highest value of each column.
struct LoudnessCurve {
    private struct Point: Joinable {
        var level: Double
        mutating func join(_ later: Point) { level = max(level, later.level) }
    }

    private var points = Columns<Point>(capacity: 1200)
    /// Of the whole, in LUFS.
    var integrated = -Double.infinity

    static let range = -60.0...0.0

    /// Appends the loudness after the next stretch of sound; all stretches are equally long.
    mutating func append(_ level: Double) { points.append(Point(level: level)) }

    /// In LUFS, one after the other.
    var levels: [Double] { points.elements.map(\.level) }

    /// The curve, the integrated loudness as a dashed line, and a scale on the right.
    func draw(on canvas: inout SVGCanvas, in frame: Frame, _ time: TimeAxis) {
        let level = Axis(low: Self.range.lowerBound, high: Self.range.upperBound, start: frame.bottom, end: frame.y)
        for decibels in stride(from: Self.range.lowerBound, through: Self.range.upperBound, by: 10) {
            canvas.text(Text.number(decibels, decimals: 0), x: frame.right + 6, y: level(decibels) + 4, size: 11, fill: Ink.loudness)
        }
        canvas.text("loudness / LUFS", x: frame.right + 44, y: (frame.y + frame.bottom) / 2, size: 11, fill: Ink.loudness, anchor: .middle, turned: true)
        let place = Axis(low: 0, high: Double(max(levels.count, 1)), start: frame.x, end: frame.right)
        let points = levels.enumerated().filter { $0.element.isFinite }.map { (x: place(Double($0.offset) + 1), y: level.clamped($0.element)) }
        canvas.line(points, stroke: Ink.paper, width: 4)
        canvas.line(points, stroke: Ink.loudness, width: 2)
        guard integrated.isFinite else { return }
        canvas.line([(frame.x, level.clamped(integrated)), (frame.right, level.clamped(integrated))], stroke: Ink.loudness, width: 1, dash: "4 4")
    }
}
