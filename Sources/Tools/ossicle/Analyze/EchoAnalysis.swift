import OssicleBatch
import OssicleFiles
import OssicleVoice

/// What `ossicle analyze --echo` measures: an echo canceller's output against the recording it was made from.
struct EchoAnalysis: Encodable {
    let file: String
    let figures: EchoFigures

    private enum Key: CodingKey { case file }

    /// One object: the file beside the figures.
    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(file, forKey: .file)
        try figures.encode(to: encoder)
    }

    /// Files of any formats; more channels are mixed down, and all are brought to the rate of `microphone`.
    init(output: String, far: String, microphone: String, near: String) throws {
        let rate = try AudioFileReader(path: microphone).info.sampleRate
        guard (8000...192_000).contains(rate) else {
            throw ToolError(
                "\(microphone) has \(Text.number(rate, decimals: 0)) Hz, and echo is measured at 8000 to 192000 Hz: convert it first, with ossicle convert --rate 48000."
            )
        }
        let recording = EchoRecording(
            sampleRate: rate, far: try DrySound.samples(of: far, sampleRate: rate),
            microphone: try DrySound.samples(of: microphone, sampleRate: rate),
            near: try DrySound.samples(of: near, sampleRate: rate))
        file = output
        figures = EchoFigures(recording, output: try DrySound.samples(of: output, sampleRate: rate))
    }

    var text: String {
        func cell(_ value: Double?, _ decimals: Int, _ unit: String, scale: Double = 1) -> String {
            value.map { "\(Text.number($0 * scale, decimals: decimals)) \(unit)" } ?? "–"
        }
        let parts = figures.parts
        return """
            \(file)
              echo return loss enhancement  \(cell(figures.enhancement, 1, "dB")) from 2 s on, in \(Text.number(parts.farAlone, decimals: 1)) s of the far talker alone
              converged                     \(figures.convergence.map { "at \(Text.number($0, decimals: 2)) s" } ?? "no"), to 20 dB in every quarter of a second
              near talker                   \(cell(figures.nearChange, 2, "dB")) changed, in \(Text.number(parts.nearAlone, decimals: 1)) s alone
              later                         \(cell(figures.delay, 1, "ms", scale: 1000))
              words kept                    \(cell(figures.wordsKept, 1, "%", scale: 100)) of the energy, in \(Text.number(parts.both, decimals: 1)) s of both
            """
    }

    /// The enhancement over time, and the figures.
    var svg: String {
        var canvas = SVGCanvas(width: 900, height: 420)
        canvas.rectangle(Frame(x: 0, y: 0, width: 900, height: 420), fill: Ink.paper)
        let frame = Frame(x: 80, y: 90, width: 780, height: 270)
        let level = Axis(low: -10, high: 60, start: frame.bottom, end: frame.y)
        let time = TimeAxis(seconds: figures.seconds, in: frame)
        let name = file.split(separator: "/").last.map(String.init) ?? file
        canvas.text(Text.oneLine(name), x: frame.x, y: 34, size: 18, bold: true)
        canvas.text(
            text.split(separator: "\n").dropFirst().prefix(1).joined(), x: frame.x, y: 58, size: 12, fill: Ink.faint)
        canvas.rectangle(frame, fill: Ink.panel)
        time.drawGrid(on: &canvas, in: frame)
        for decibels in stride(from: -10.0, through: 60, by: 10) {
            canvas.line(
                [(frame.x, level(decibels)), (frame.right, level(decibels))],
                stroke: decibels == 20 ? Ink.faint : Ink.grid, width: 1, dash: decibels == 20 ? "2 4" : nil)
            canvas.text(
                Text.number(decibels, decimals: 0), x: frame.x - 8, y: level(decibels) + 4, size: 11, fill: Ink.faint,
                anchor: .end)
        }
        canvas.text(
            "echo return loss enhancement / dB", x: frame.x - 44, y: (frame.y + frame.bottom) / 2, size: 11,
            fill: Ink.faint, anchor: .middle, turned: true)
        time.drawLabels(on: &canvas, below: frame)
        for quarter in figures.course {
            let (left, right) = (time.axis(quarter.time), time.axis(quarter.time + 0.25))
            let top = level.clamped(quarter.enhancement)
            canvas.rectangle(
                Frame(
                    x: left + 1, y: min(top, level(0)), width: max(right - left - 2, 1),
                    height: (top - level(0)).magnitude),
                fill: quarter.enhancement >= 20 ? Ink.samples : Ink.voice,
                title:
                    "\(Text.number(quarter.time, decimals: 2)) s: \(Text.number(quarter.enhancement, decimals: 1)) dB")
        }
        return canvas.document
    }
}
