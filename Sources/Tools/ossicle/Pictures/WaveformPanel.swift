import OssicleCore

/// The waveform of every channel in a lane of its own: between lowest and highest sample in light, the root mean square
/// in dark ink, red marks where it clips; over all lanes the short-term loudness.
struct WaveformPanel {
    let waveform: Waveform
    /// What the lanes are called.
    let names: [String]
    let seconds: Double
    let loudness: LoudnessCurve

    func draw(on canvas: inout SVGCanvas, in frame: Frame) {
        let time = TimeAxis(seconds: seconds, in: frame)
        canvas.text("Waveform", x: frame.x, y: frame.y - 12, size: 14, bold: true)
        canvas.rectangle(frame, fill: Ink.panel)
        time.drawGrid(on: &canvas, in: frame)
        let height = frame.height / Double(max(waveform.channels.count, 1))
        for (channel, columns) in waveform.channels.enumerated() {
            let lane = Frame(x: frame.x, y: frame.y + Double(channel) * height, width: frame.width, height: height)
            if channel > 0 { canvas.line([(lane.x, lane.y), (lane.right, lane.y)], stroke: Ink.paper, width: 1.5) }
            drawLane(columns.elements, named: channel < names.count ? names[channel] : "", on: &canvas, in: lane)
        }
        canvas.text(
            "sample, full scale ±1", x: frame.x - 44, y: (frame.y + frame.bottom) / 2, size: 11, fill: Ink.faint,
            anchor: .middle, turned: true)
        loudness.draw(on: &canvas, in: frame, time: time)
        drawLegend(on: &canvas, rightOf: frame.right, y: frame.y - 12)
    }

    private func drawLane(_ columns: [Waveform.Column], named name: String, on canvas: inout SVGCanvas, in lane: Frame)
    {
        let margin = min(4, lane.height / 8)
        let sample = Axis(low: -1, high: 1, start: lane.bottom - margin, end: lane.y + margin)
        let place = Axis(low: 0, high: Double(columns.count), start: lane.x, end: lane.right)
        canvas.line([(lane.x, sample(0)), (lane.right, sample(0))], stroke: Ink.grid, width: 1)
        func area(_ low: (Waveform.Column) -> Double, _ high: (Waveform.Column) -> Double) -> [(x: Double, y: Double)] {
            let points = columns.enumerated().map { (x: place(Double($0.offset) + 0.5), column: $0.element) }
            return points.map { ($0.x, sample.clamped(high($0.column)) - 0.4) }
                + points.reversed().map { ($0.x, sample.clamped(low($0.column)) + 0.4) }
        }
        canvas.polygon(area(\.low, \.high), fill: Ink.samples, opacity: 0.45)
        canvas.polygon(area({ -$0.rootMeanSquare }, \.rootMeanSquare), fill: Ink.samples)
        for stretch in clipped(columns) {
            canvas.rectangle(
                Frame(
                    x: place(Double(stretch.lowerBound)), y: lane.y,
                    width: max(place(Double(stretch.upperBound)) - place(Double(stretch.lowerBound)), 2),
                    height: max(margin, 2)), fill: Ink.clipping, title: "clipping")
        }
        if lane.height >= 14 {
            canvas.text(name, x: lane.x - 8, y: sample(0) + 4, size: 11, fill: Ink.faint, anchor: .end)
        }
    }

    /// Neighbouring columns that clip, as ranges of their numbers.
    private func clipped(_ columns: [Waveform.Column]) -> [Range<Int>] {
        columns.indices.filter { columns[$0].isClipped }.reduce(into: []) { ranges, index in
            if let last = ranges.last, last.upperBound == index {
                ranges[ranges.count - 1] = last.lowerBound..<index + 1
            } else {
                ranges.append(index..<index + 1)
            }
        }
    }

    private func drawLegend(on canvas: inout SVGCanvas, rightOf right: Double, y: Double) {
        let isClipped = waveform.clippings > 0
        if isClipped {
            canvas.rectangle(Frame(x: right - 452, y: y - 9, width: 18, height: 5), fill: Ink.clipping)
            canvas.text("clipping", x: right - 428, y: y, size: 12)
        }
        canvas.rectangle(Frame(x: right - 366, y: y - 9, width: 18, height: 9), fill: Ink.samples, opacity: 0.45)
        canvas.rectangle(Frame(x: right - 366, y: y - 6, width: 18, height: 3), fill: Ink.samples)
        canvas.text("peak and mean", x: right - 342, y: y, size: 12)
        canvas.line([(right - 222, y - 4), (right - 204, y - 4)], stroke: Ink.loudness, width: 3)
        canvas.text("loudness of 3 s, of the whole (– –)", x: right - 198, y: y, size: 12)
    }
}

/// A sound file on one page: the waveform with its loudness, and the spectrum.
struct SoundPicture {
    let waveform: Waveform
    /// What the channels are called.
    let names: [String]
    let seconds: Double
    let loudness: LoudnessCurve
    let spectrogram: Spectrogram

    /// - Parameters:
    ///   - title: the file's name. - details: further lines. - height: of a panel more at the bottom. - more: draws it.
    func svg(
        title: String, details: [String], below height: Double = 0,
        _ more: (inout SVGCanvas, Frame) -> Void = { _, _ in }
    ) -> String {
        let lanes = max(240, 26 * Double(min(waveform.channels.count, 64)))
        let top = 96 + 20 * Double(details.count)
        let waveform = Frame(x: 80, y: top, width: 1010, height: lanes),
            spectrum = Frame(x: 80, y: top + lanes + 84, width: 1010, height: 280)
        var canvas = SVGCanvas(width: 1200, height: spectrum.bottom + 56 + (height > 0 ? height + 90 : 0))
        canvas.rectangle(Frame(x: 0, y: 0, width: canvas.width, height: canvas.height), fill: Ink.paper)
        canvas.text(title, x: 80, y: 42, size: 22, bold: true)
        for (row, line) in details.enumerated() {
            canvas.text(line, x: 80, y: 66 + 20 * Double(row), size: 13, fill: Ink.faint)
        }
        WaveformPanel(waveform: self.waveform, names: names, seconds: seconds, loudness: loudness).draw(
            on: &canvas, in: waveform)
        TimeAxis(seconds: seconds, in: waveform).drawLabels(on: &canvas, below: waveform)
        SpectrogramPanel(
            title: names.count > 1 ? "Spectrum of all channels together" : "Spectrum", spectrogram: spectrogram,
            seconds: seconds
        )
        .draw(on: &canvas, in: spectrum)
        if height > 0 { more(&canvas, Frame(x: 80, y: spectrum.bottom + 90, width: 1010, height: height)) }
        return canvas.document
    }
}
