import Foundation

/// An SVG document under construction, in pixels from the upper left corner.
package struct SVGCanvas {
    private var elements: [String] = []
    package let width, height: Double

    package init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    package enum Anchor: String { case start, middle, end }

    package mutating func rectangle(
        _ frame: Frame, fill: String, stroke: String = "none", width: Double = 1, opacity: Double = 1,
        title: String? = nil
    ) {
        let shape =
            "<rect x=\"\(n(frame.x))\" y=\"\(n(frame.y))\" width=\"\(n(frame.width))\" height=\"\(n(frame.height))\" "
            + "fill=\"\(fill)\" stroke=\"\(stroke)\" stroke-width=\"\(n(width))\" opacity=\"\(n(opacity))\""
        elements.append(title.map { "\(shape)><title>\(SVGCanvas.escaped($0))</title></rect>" } ?? shape + "/>")
    }

    package mutating func line(
        _ points: [(x: Double, y: Double)], stroke: String, width: Double, dash: String? = nil, opacity: Double = 1
    ) {
        let path = points.map { "\(n($0.x)),\(n($0.y))" }.joined(separator: " ")
        let dashes = dash.map { " stroke-dasharray=\"\($0)\"" } ?? ""
        elements.append(
            "<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(stroke)\" stroke-width=\"\(n(width))\" "
                + "stroke-linejoin=\"round\" stroke-linecap=\"round\"\(dashes)\(opacity < 1 ? " opacity=\"\(n(opacity))\"" : "")/>"
        )
    }

    package mutating func polygon(_ points: [(x: Double, y: Double)], fill: String, opacity: Double = 1) {
        let path = points.map { "\(n($0.x)),\(n($0.y))" }.joined(separator: " ")
        elements.append("<polygon points=\"\(path)\" fill=\"\(fill)\" opacity=\"\(n(opacity))\"/>")
    }

    package mutating func circle(
        x: Double, y: Double, radius: Double, fill: String, stroke: String = "none", width: Double = 1
    ) {
        elements.append(
            "<circle cx=\"\(n(x))\" cy=\"\(n(y))\" r=\"\(n(radius))\" fill=\"\(fill)\" stroke=\"\(stroke)\" stroke-width=\"\(n(width))\"/>"
        )
    }

    package mutating func text(
        _ text: String, x: Double, y: Double, size: Double = 12, fill: String = Ink.text, anchor: Anchor = .start,
        bold: Bool = false, turned: Bool = false
    ) {
        let rotation = turned ? " transform=\"rotate(-90 \(n(x)) \(n(y)))\"" : ""
        elements.append(
            "<text x=\"\(n(x))\" y=\"\(n(y))\" font-size=\"\(n(size))\" fill=\"\(fill)\" text-anchor=\"\(anchor.rawValue)\""
                + (bold ? " font-weight=\"600\"" : "") + "\(rotation)>\(SVGCanvas.escaped(text))</text>")
    }

    package mutating func image(_ image: PNGImage, in frame: Frame) {
        elements.append(
            "<image x=\"\(n(frame.x))\" y=\"\(n(frame.y))\" width=\"\(n(frame.width))\" height=\"\(n(frame.height))\" "
                + "preserveAspectRatio=\"none\" href=\"data:image/png;base64,\(Data(image.bytes).base64EncodedString())\"/>"
        )
    }

    package var document: String {
        let opening =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(n(width))\" height=\"\(n(height))\" viewBox=\"0 0 \(n(width)) \(n(height))\" "
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

/// A colour in sRGB.
package struct Colour: Sendable, Equatable {
    package let red, green, blue: UInt8

    package init(_ hex: UInt32) {
        red = UInt8(truncatingIfNeeded: hex >> 16)
        green = UInt8(truncatingIfNeeded: hex >> 8)
        blue = UInt8(truncatingIfNeeded: hex)
    }

    /// 256 steps through `stops`, evenly spaced.
    package static func ramp(_ stops: [Colour]) -> [Colour] {
        (0..<256).map { step in
            let place = Double(step) / 255 * Double(stops.count - 1)
            let i = min(Int(place), stops.count - 2)
            return stops[i].mixed(with: stops[i + 1], share: place - Double(i))
        }
    }

    /// From silence to full level: dark blue over violet and orange to pale yellow, lightness rising all the way.
    package static let levels = ramp(
        [0x0B0B26, 0x2D1160, 0x721F81, 0xB6377A, 0xF0605D, 0xFEAF77, 0xFCFDBF].map(Colour.init))

    private func mixed(with other: Colour, share: Double) -> Colour {
        func mix(_ a: UInt8, _ b: UInt8) -> UInt32 {
            let (start, end) = (Double(a), Double(b))
            let value: Double = start + (end - start) * share
            return UInt32(value.rounded())
        }
        return Colour(mix(red, other.red) << 16 | mix(green, other.green) << 8 | mix(blue, other.blue))
    }
}

/// The picture's colours. The data colours are those of Okabe and Ito (2008), distinguishable by colour-blind eyes too.
package enum Ink {
    package static let text = "#22262B"
    package static let faint = "#6B7280"
    package static let grid = "#E2E5EA"
    package static let paper = "#FFFFFF"
    package static let panel = "#F7F8FA"
    package static let direct = "#0072B2"
    package static let reverb = "#D55E00"
    package static let voice = "#CC3377"
    package static let loop = "#009E73"
    package static let listener = "#22262B"
    package static let samples = direct
    package static let loudness = reverb
    package static let clipping = "#D00000"
}

/// A rectangle on the canvas, in pixels.
package struct Frame {
    package let x, y, width, height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package var right: Double { x + width }
    package var bottom: Double { y + height }
}

/// A linear map from values to pixels.
package struct Axis {
    package let low, high, start, end: Double

    package init(low: Double, high: Double, start: Double, end: Double) {
        self.low = low
        self.high = high
        self.start = start
        self.end = end
    }

    package func callAsFunction(_ value: Double) -> Double { start + (value - low) / (high - low) * (end - start) }
    /// The value kept within the axis.
    package func clamped(_ value: Double) -> Double { self(min(max(value, low), high)) }
}
