import OssicleCore

/// A response on one page: how each band decays, the ways sound takes, and where energy comes from.
struct RirPicture {
    let result: RirResult
    let scene: RirScene
    /// What was asked for, in a line.
    let details: String

    var svg: String {
        var canvas = SVGCanvas(width: 1200, height: 840)
        canvas.rectangle(Frame(x: 0, y: 0, width: canvas.width, height: canvas.height), fill: Ink.paper)
        canvas.text("Impulse response", x: 40, y: 40, size: 22, bold: true)
        let (source, listener) = (Place.text(result.pair.source), Place.text(result.pair.listener.position))
        canvas.text("\(scene.title) · source \(source) m, listener \(listener) m · \(details)", x: 40, y: 64, size: 13, fill: Ink.faint)
        DecayPanel(response: result.squared, metrics: result.metrics).draw(on: &canvas, in: Frame(x: 90, y: 128, width: 460, height: 300))
        PathsPanel(result: result, scene: scene).draw(on: &canvas, in: Frame(x: 640, y: 128, width: 520, height: 330))
        DirectionPanel(result: result).draw(on: &canvas, in: Frame(x: 90, y: 526, width: 1070, height: 290))
        return canvas.document
    }
}

extension RirCommand {
    /// What distinguishes this response from others of the same places.
    var details: String {
        "\(quality.rawValue) quality, seed \(seed)"
    }
}

extension Ink {
    /// The octave bands, low to high: from violet over green to red, dark enough for paper.
    static let bands = ["#4A2377", "#3B57B5", "#2A86C8", "#1AA3A0", "#2FA45B", "#7C9F1F", "#C29A0B", "#E07A16", "#CC4A1C", "#8F1D14"]
    static let source = voice
    static let early = "#EFA774"
    static let late = "#BFE0F5"
    static let bent = "#CC79A7"
    /// Paths by how many mirrors they take.
    static let orders = [direct, reverb, "#E69F00", loop]
}
