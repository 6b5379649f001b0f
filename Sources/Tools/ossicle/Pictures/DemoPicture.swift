/// The demo on one page: the map, the levels, what hid the voice, and the spectrum of what was heard.
enum DemoPicture {
    static func svg(of recording: Recording, in scene: DemoScene, seed: UInt64) -> String {
        var canvas = SVGCanvas(width: 1200, height: 800)
        canvas.rectangle(Frame(x: 0, y: 0, width: 1200, height: 800), fill: Ink.paper)
        canvas.text("ossicle demo", x: 40, y: 40, size: 22, bold: true)
        canvas.text("a voice walks from the hall through an open door and behind a cardboard box; music plays in the hall · "
            + "\(Text.number(recording.seconds, decimals: 1)) s, seed \(seed)", x: 205, y: 40, size: 13, fill: Ink.faint)
        MapPanel(scene: scene, recording: recording).draw(on: &canvas, in: Frame(x: 40, y: 90, width: 560, height: 330))
        LevelPanel(recording: recording).draw(on: &canvas, in: Frame(x: 690, y: 90, width: 470, height: 232))
        SightPanel(recording: recording, source: "voice").draw(on: &canvas, in: Frame(x: 690, y: 342, width: 470, height: 50))
        let spectrogram = Spectrogram(of: [recording.left, recording.right], sampleRate: Double(recording.sampleRate), rows: 200)
        SpectrogramPanel(title: "Spectrum of both ears together", spectrogram: spectrogram, seconds: recording.seconds)
            .draw(on: &canvas, in: Frame(x: 90, y: 490, width: 1000, height: 250))
        return canvas.document
    }
}
