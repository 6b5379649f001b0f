/// How much of one source the listener sees over time, and what stands in the way.
struct SightPanel {
    let recording: Recording
    let source: String

    func draw(on canvas: inout SVGCanvas, in frame: Frame) {
        let time = TimeAxis(seconds: recording.seconds, in: frame)
        let share = Axis(low: 0, high: 1, start: frame.bottom, end: frame.y)
        canvas.rectangle(frame, fill: Ink.panel)
        time.drawGrid(on: &canvas, in: frame)
        let states = recording.moments.compactMap { moment in
            moment.paths.first { $0.source == source }.map { (time: moment.time, state: $0) }
        }
        if let first = states.first, let last = states.last {
            let outline = states.map { (time.axis($0.time), share($0.state.visibleShare)) }
            canvas.polygon([(time.axis(first.time), frame.bottom)] + outline + [(time.axis(last.time), frame.bottom)], fill: Ink.voice, opacity: 0.35)
            canvas.line(outline, stroke: Ink.voice, width: 1.5)
        }
        for span in spans(of: states) {
            let middle = time.axis((span.start + span.end) / 2)
            if time.axis(span.end) - time.axis(span.start) > 6.5 * Double(span.name.count) {
                canvas.text(span.name, x: middle, y: (frame.y + frame.bottom) / 2 + 4, size: 11, anchor: .middle)
            }
        }
        for (value, label) in [(0.0, "0"), (1, "100")] {
            canvas.text(label, x: frame.x - 8, y: share(value) + 4, size: 11, fill: Ink.faint, anchor: .end)
        }
        canvas.text("seen / %", x: frame.x - 44, y: (frame.y + frame.bottom) / 2, size: 11, fill: Ink.faint, anchor: .middle, turned: true)
        time.drawLabels(on: &canvas, below: frame)
    }

    /// Stretches of time with the same strongest obstacle.
    private func spans(of states: [(time: Double, state: PathState)]) -> [(name: String, start: Double, end: Double)] {
        var spans: [(name: String, start: Double, end: Double)] = []
        for (time, state) in states {
            let name = state.obstacles.max { $0.loss < $1.loss }?.name ?? "in sight"
            if spans.last?.name == name { spans[spans.count - 1].end = time } else { spans.append((name, time, time)) }
        }
        return spans
    }
}
