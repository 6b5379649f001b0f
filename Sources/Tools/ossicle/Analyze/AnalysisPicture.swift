import OssicleCore

/// An analysis on one page: waveform and spectrogram as `ossicle info` draws them, below third octaves, directions over
/// time and the decay by octaves.
struct AnalysisPicture {
    let analysis: SoundAnalysis

    var svg: String {
        guard let sound = analysis.facts.picture else { return "" }
        let name = analysis.facts.path.split(separator: "/").last.map(String.init) ?? analysis.facts.path
        return sound.svg(title: Text.oneLine(name), details: [details], below: 320) { canvas, frame in
            let half = (frame.width - 90) / 2
            drawSpectrum(on: &canvas, in: Frame(x: frame.x, y: frame.y, width: half, height: frame.height))
            let right = Frame(x: frame.x + half + 90, y: frame.y, width: half, height: frame.height)
            if analysis.decay != nil {
                drawDecay(on: &canvas, in: right)
            } else if analysis.receiver != nil {
                drawDirections(on: &canvas, in: right)
            }
        }
    }

    private var details: String {
        let loudness = analysis.loudness?.integrated.map { "\(Text.number($0, decimals: 1)) LUFS" }
        let peak = analysis.channels.compactMap(\.peak).max().map { "peak \(Text.number($0, decimals: 1)) dBFS" }
        return ([loudness, peak].compactMap(\.self) + ["\(Text.number(analysis.facts.seconds, decimals: 3)) s"])
            .joined(separator: " · ")
    }

    private func drawFrame(
        _ title: String, _ unit: String, _ levels: [Double], _ axis: Axis, on canvas: inout SVGCanvas, in frame: Frame
    ) {
        canvas.text(title, x: frame.x, y: frame.y - 12, size: 14, bold: true)
        canvas.rectangle(frame, fill: Ink.panel)
        for level in levels {
            canvas.line([(frame.x, axis(level)), (frame.right, axis(level))], stroke: Ink.grid, width: 1)
            canvas.text(
                Text.length(level).replacing("-", with: "−"), x: frame.x - 8, y: axis(level) + 4, size: 11,
                fill: Ink.faint, anchor: .end)
        }
        canvas.text(
            unit, x: frame.x - 44, y: (frame.y + frame.bottom) / 2, size: 11, fill: Ink.faint, anchor: .middle,
            turned: true)
    }

    private func drawSpectrum(on canvas: inout SVGCanvas, in frame: Frame) {
        let bands = analysis.spectrum
        let top = ((bands.compactMap(\.level).max() ?? 0) / 10).rounded(.up) * 10
        let axis = Axis(low: top - 80, high: top, start: frame.bottom, end: frame.y)
        drawFrame(
            "Third octaves", "dB re full scale", Array(stride(from: top - 80, through: top, by: 20)), axis, on: &canvas,
            in: frame)
        let width = frame.width / Double(max(bands.count, 1))
        for (index, band) in bands.enumerated() {
            let x = frame.x + Double(index) * width
            if let level = band.level, level > top - 80 {
                canvas.rectangle(
                    Frame(
                        x: x + 1, y: axis.clamped(level), width: width - 2, height: frame.bottom - axis.clamped(level)),
                    fill: Ink.samples, title: "\(Text.length(band.frequency)) Hz: \(Text.number(level, decimals: 1)) dB"
                )
            }
            if [63, 250, 1000, 4000, 16_000].contains(band.frequency) {
                canvas.text(
                    band.frequency < 1000
                        ? Text.length(band.frequency) : "\(Text.length(band.frequency / 1000))k", x: x + width / 2,
                    y: frame.bottom + 16, size: 11, fill: Ink.faint, anchor: .middle)
            }
        }
        canvas.text("Hz", x: frame.right, y: frame.bottom + 32, size: 11, fill: Ink.faint, anchor: .end)
    }

    /// Azimuth by time, the fainter the more diffuse.
    private func drawDirections(on canvas: inout SVGCanvas, in frame: Frame) {
        let isAround = analysis.directions.contains { abs($0.azimuth) > 90 }, most = isAround ? 180.0 : 90
        let axis = Axis(low: -most, high: most, start: frame.bottom, end: frame.y)
        let time = TimeAxis(seconds: analysis.facts.seconds, in: frame)
        drawFrame(
            "Direction", "degrees to the left", Array(stride(from: -most, through: most, by: most / 2)), axis,
            on: &canvas, in: frame)
        time.drawGrid(on: &canvas, in: frame)
        for point in analysis.directions {
            canvas.circle(
                x: time.axis(point.time), y: axis(point.azimuth), radius: 1.2 + 3 * (1 - point.diffuseness),
                fill: Ink.voice)
            if let elevation = point.elevation {
                canvas.circle(x: time.axis(point.time), y: axis(elevation), radius: 1.2, fill: Ink.loop)
            }
        }
        time.drawLabels(on: &canvas, below: frame)
        canvas.text("azimuth", x: frame.right - 110, y: frame.y - 12, size: 12, fill: Ink.voice)
        if analysis.directions.contains(where: { $0.elevation != nil }) {
            canvas.text("elevation", x: frame.right - 54, y: frame.y - 12, size: 12, fill: Ink.loop)
        }
    }

    private func drawDecay(on canvas: inout SVGCanvas, in frame: Frame) {
        let bands = analysis.decay?.bands ?? []
        let longest = bands.flatMap { [$0.edt, $0.t20, $0.t30] }.compactMap(\.self).max() ?? 1
        let step = [0.1, 0.2, 0.5, 1, 2, 5, 10].first { longest / $0 <= 6 } ?? 20
        let axis = Axis(low: 0, high: (longest / step).rounded(.up) * step, start: frame.bottom, end: frame.y)
        drawFrame(
            "Decay by 60 dB", "s", Array(stride(from: 0, through: axis.high + step / 2, by: step)), axis, on: &canvas,
            in: frame)
        let width = frame.width / Double(max(bands.count, 1))
        let series: [(String, String, (ResponseDecay.Band) -> Double?)] = [
            ("EDT", Ink.loop, { $0.edt }), ("T20", Ink.direct, { $0.t20 }), ("T30", Ink.reverb, { $0.t30 }),
        ]
        for (index, (name, ink, value)) in series.enumerated() {
            let points = bands.enumerated().compactMap { place, band in
                value(band).map { (x: frame.x + (Double(place) + 0.5) * width, y: axis.clamped($0)) }
            }
            canvas.line(points, stroke: ink, width: 1.8)
            for point in points { canvas.circle(x: point.x, y: point.y, radius: 3, fill: ink) }
            canvas.text(name, x: frame.right - 110 + 40 * Double(index), y: frame.y - 12, size: 12, fill: ink)
        }
        for (place, band) in bands.enumerated() {
            canvas.text(
                band.frequency < 1000 ? Text.length(band.frequency) : "\(Text.length(band.frequency / 1000))k",
                x: frame.x + (Double(place) + 0.5) * width, y: frame.bottom + 16, size: 11, fill: Ink.faint,
                anchor: .middle)
        }
        canvas.text("Hz", x: frame.right, y: frame.bottom + 32, size: 11, fill: Ink.faint, anchor: .end)
    }
}
