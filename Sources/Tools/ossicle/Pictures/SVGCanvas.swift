import Foundation

/// An SVG document under construction, in pixels from the upper left corner.
struct SVGCanvas {
    private var elements: [String] = []
    let width, height: Double

    init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    enum Anchor: String { case start, middle, end }

    mutating func rectangle(_ frame: Frame, fill: String, stroke: String = "none", width: Double = 1, opacity: Double = 1, title: String? = nil) {
        let shape = "<rect x=\"\(n(frame.x))\" y=\"\(n(frame.y))\" width=\"\(n(frame.width))\" height=\"\(n(frame.height))\" "
            + "fill=\"\(fill)\" stroke=\"\(stroke)\" stroke-width=\"\(n(width))\" opacity=\"\(n(opacity))\""
        elements.append(title.map { "\(shape)><title>\(SVGCanvas.escaped($0))</title></rect>" } ?? shape + "/>")
    }

    mutating func line(_ points: [(x: Double, y: Double)], stroke: String, width: Double, dash: String? = nil, opacity: Double = 1) {
        let path = points.map { "\(n($0.x)),\(n($0.y))" }.joined(separator: " ")
        let dashes = dash.map { " stroke-dasharray=\"\($0)\"" } ?? ""
        elements.append("<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(stroke)\" stroke-width=\"\(n(width))\" "
            + "stroke-linejoin=\"round\" stroke-linecap=\"round\"\(dashes)\(opacity < 1 ? " opacity=\"\(n(opacity))\"" : "")/>")
    }

    mutating func polygon(_ points: [(x: Double, y: Double)], fill: String, opacity: Double = 1) {
        let path = points.map { "\(n($0.x)),\(n($0.y))" }.joined(separator: " ")
        elements.append("<polygon points=\"\(path)\" fill=\"\(fill)\" opacity=\"\(n(opacity))\"/>")
    }

    mutating func circle(x: Double, y: Double, radius: Double, fill: String, stroke: String = "none", width: Double = 1) {
        elements.append("<circle cx=\"\(n(x))\" cy=\"\(n(y))\" r=\"\(n(radius))\" fill=\"\(fill)\" stroke=\"\(stroke)\" stroke-width=\"\(n(width))\"/>")
    }

    mutating func text(_ text: String, x: Double, y: Double, size: Double = 12, fill: String = Ink.text, anchor: Anchor = .start,
                       bold: Bool = false, turned: Bool = false) {
        let rotation = turned ? " transform=\"rotate(-90 \(n(x)) \(n(y)))\"" : ""
        elements.append("<text x=\"\(n(x))\" y=\"\(n(y))\" font-size=\"\(n(size))\" fill=\"\(fill)\" text-anchor=\"\(anchor.rawValue)\""
            + (bold ? " font-weight=\"600\"" : "") + "\(rotation)>\(SVGCanvas.escaped(text))</text>")
    }

    mutating func image(_ image: PNGImage, in frame: Frame) {
        elements.append("<image x=\"\(n(frame.x))\" y=\"\(n(frame.y))\" width=\"\(n(frame.width))\" height=\"\(n(frame.height))\" "
            + "preserveAspectRatio=\"none\" href=\"data:image/png;base64,\(Data(image.bytes).base64EncodedString())\"/>")
    }

    var document: String {
        let opening = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(n(width))\" height=\"\(n(height))\" viewBox=\"0 0 \(n(width)) \(n(height))\" "
            + "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">"
        return ([opening] + elements + ["</svg>", ""]).joined(separator: "\n")
    }

    private func n(_ value: Double) -> String {
        guard abs(value) < 1e9 else { return "0" }
        let hundredths = (value * 100).rounded() / 100
        return hundredths == hundredths.rounded() ? String(Int(hundredths)) : String(hundredths)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
