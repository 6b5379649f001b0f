import OssicleCore

/// Direct and reverberant level over time, in dB relative to full scale.
struct LevelPanel {
    let recording: Recording
    private static let range = -80.0...0.0
    /// Length of the running mean, seconds: short enough for syllables, long enough for a readable line.
    private static let window = 0.06

    func draw(on canvas: inout SVGCanvas, in frame: Frame) {
        let level = Axis(low: LevelPanel.range.lowerBound, high: LevelPanel.range.upperBound, start: frame.bottom, end: frame.y)
        let time = TimeAxis(seconds: recording.seconds, in: frame)
        canvas.rectangle(frame, fill: Ink.panel)
        time.drawGrid(on: &canvas, in: frame)
        for decibels in stride(from: LevelPanel.range.lowerBound, through: LevelPanel.range.upperBound, by: 20) {
            canvas.line([(frame.x, level(decibels)), (frame.right, level(decibels))], stroke: Ink.grid, width: 1)
            canvas.text(Text.number(decibels, decimals: 0), x: frame.x - 8, y: level(decibels) + 4, size: 11, fill: Ink.faint, anchor: .end)
        }
        canvas.text("level / dB re full scale", x: frame.x - 44, y: (frame.y + frame.bottom) / 2, size: 11, fill: Ink.faint, anchor: .middle, turned: true)
        canvas.text("What reaches the ears", x: frame.x, y: frame.y - 12, size: 14, bold: true)

        let (axis, series) = (time.axis, [(Ink.reverb, \Recording.Moment.reverbEnergy), (Ink.direct, \Recording.Moment.directEnergy)])
        for (ink, energy) in series {
            canvas.line(smoothed(energy).map { (axis($0.time), level.clamped($0.level)) }, stroke: ink, width: 1.8)
        }
        legend(on: &canvas, rightOf: frame.right, y: frame.y - 12)
    }

    private func legend(on canvas: inout SVGCanvas, rightOf right: Double, y: Double) {
        for (x, ink, name) in [(right - 174, Ink.direct, "direct"), (right - 94, Ink.reverb, "reverberant")] {
            canvas.line([(x, y - 4), (x + 18, y - 4)], stroke: ink, width: 3)
            canvas.text(name, x: x + 24, y: y, size: 12)
        }
    }

    private func smoothed(_ energy: KeyPath<Recording.Moment, Double>) -> [(time: Double, level: Double)] {
        let moments = recording.moments
        var (first, sum) = (0, 0.0)
        return moments.indices.map { i in
            sum += moments[i][keyPath: energy]
            while moments[first].time < moments[i].time - LevelPanel.window {
                sum -= moments[first][keyPath: energy]
                first += 1
            }
            let mean = max(sum / Double(i - first + 1), 1e-12)
            return (moments[i].time, Decibels.of(energy: mean))
        }
    }
}
