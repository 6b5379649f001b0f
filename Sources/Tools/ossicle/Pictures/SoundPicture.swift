/// A sound file on one page: the waveform with its loudness, and the spectrum.
struct SoundPicture {
    let waveform: Waveform
    /// What the channels are called.
    let names: [String]
    let seconds: Double
    let loudness: LoudnessCurve
    let spectrogram: Spectrogram

    /// - Parameters:
    ///   - title: the file's name. - details: further lines.
    func svg(title: String, details: [String]) -> String {
        let lanes = max(240, 26 * Double(min(waveform.channels.count, 64)))
        let top = 96 + 20 * Double(details.count)
        let waveform = Frame(x: 80, y: top, width: 1010, height: lanes), spectrum = Frame(x: 80, y: top + lanes + 84, width: 1010, height: 280)
        var canvas = SVGCanvas(width: 1200, height: spectrum.bottom + 56)
        canvas.rectangle(Frame(x: 0, y: 0, width: canvas.width, height: canvas.height), fill: Ink.paper)
        canvas.text(title, x: 80, y: 42, size: 22, bold: true)
        for (row, line) in details.enumerated() { canvas.text(line, x: 80, y: 66 + 20 * Double(row), size: 13, fill: Ink.faint) }
        WaveformPanel(waveform: self.waveform, names: names, seconds: seconds, loudness: loudness).draw(on: &canvas, in: waveform)
        TimeAxis(seconds: seconds, in: waveform).drawLabels(on: &canvas, below: waveform)
        SpectrogramPanel(title: names.count > 1 ? "Spectrum of all channels together" : "Spectrum", spectrogram: spectrogram, seconds: seconds)
            .draw(on: &canvas, in: spectrum)
        return canvas.document
    }
}
