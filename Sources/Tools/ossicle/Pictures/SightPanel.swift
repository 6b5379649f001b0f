import OssicleCore
import OssicleRendering

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
            canvas.polygon(
                [(time.axis(first.time), frame.bottom)] + outline + [(time.axis(last.time), frame.bottom)],
                fill: Ink.voice, opacity: 0.35)
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
        canvas.text(
            "seen / %", x: frame.x - 44, y: (frame.y + frame.bottom) / 2, size: 11, fill: Ink.faint, anchor: .middle,
            turned: true)
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

/// Direct and reverberant level over time, in dB relative to full scale.
struct LevelPanel {
    let recording: Recording
    private static let range = -80.0...0.0
    /// Length of the running mean, seconds: short enough for syllables, long enough for a readable line.
    private static let window = 0.06

    func draw(on canvas: inout SVGCanvas, in frame: Frame) {
        let level = Axis(
            low: LevelPanel.range.lowerBound, high: LevelPanel.range.upperBound, start: frame.bottom, end: frame.y)
        let time = TimeAxis(seconds: recording.seconds, in: frame)
        canvas.rectangle(frame, fill: Ink.panel)
        time.drawGrid(on: &canvas, in: frame)
        for decibels in stride(from: LevelPanel.range.lowerBound, through: LevelPanel.range.upperBound, by: 20) {
            canvas.line([(frame.x, level(decibels)), (frame.right, level(decibels))], stroke: Ink.grid, width: 1)
            canvas.text(
                Text.number(decibels, decimals: 0), x: frame.x - 8, y: level(decibels) + 4, size: 11, fill: Ink.faint,
                anchor: .end)
        }
        canvas.text(
            "level / dB re full scale", x: frame.x - 44, y: (frame.y + frame.bottom) / 2, size: 11, fill: Ink.faint,
            anchor: .middle, turned: true)
        canvas.text("What reaches the ears", x: frame.x, y: frame.y - 12, size: 14, bold: true)

        let (axis, series) = (
            time.axis, [(Ink.reverb, \SceneMoment.reverbPower), (Ink.direct, \SceneMoment.directPower)]
        )
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

    private func smoothed(_ energy: KeyPath<SceneMoment, Double>) -> [(time: Double, level: Double)] {
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

/// The demo on one page: the map, the levels, what hid the voice, and the spectrum of what was heard.
enum DemoPicture {
    static func svg(of recording: Recording, in map: SceneMap, seed: UInt64) -> String {
        var canvas = SVGCanvas(width: 1200, height: 800)
        canvas.rectangle(Frame(x: 0, y: 0, width: 1200, height: 800), fill: Ink.paper)
        canvas.text("ossicle demo", x: 40, y: 40, size: 22, bold: true)
        canvas.text(
            "a voice walks from the hall through an open door and behind a cardboard box; music plays in the hall · "
                + "\(Text.number(recording.seconds, decimals: 1)) s, seed \(seed)", x: 205, y: 40, size: 13,
            fill: Ink.faint)
        MapPanel(map: map, recording: recording).draw(on: &canvas, in: Frame(x: 40, y: 90, width: 560, height: 330))
        LevelPanel(recording: recording).draw(on: &canvas, in: Frame(x: 690, y: 90, width: 470, height: 232))
        SightPanel(recording: recording, source: "voice").draw(
            on: &canvas, in: Frame(x: 690, y: 342, width: 470, height: 50))
        let spectrogram = Spectrogram(
            of: [recording.left, recording.right], sampleRate: Double(recording.sampleRate), rows: 200)
        SpectrogramPanel(title: "Spectrum of both ears together", spectrogram: spectrogram, seconds: recording.seconds)
            .draw(on: &canvas, in: Frame(x: 90, y: 490, width: 1000, height: 250))
        return canvas.document
    }
}
