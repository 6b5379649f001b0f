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

    mutating func rectangle(
        _ frame: Frame, fill: String, stroke: String = "none", width: Double = 1, opacity: Double = 1,
        title: String? = nil
    ) {
        let shape =
            "<rect x=\"\(n(frame.x))\" y=\"\(n(frame.y))\" width=\"\(n(frame.width))\" height=\"\(n(frame.height))\" "
            + "fill=\"\(fill)\" stroke=\"\(stroke)\" stroke-width=\"\(n(width))\" opacity=\"\(n(opacity))\""
        elements.append(title.map { "\(shape)><title>\(SVGCanvas.escaped($0))</title></rect>" } ?? shape + "/>")
    }

    mutating func line(
        _ points: [(x: Double, y: Double)], stroke: String, width: Double, dash: String? = nil, opacity: Double = 1
    ) {
        let path = points.map { "\(n($0.x)),\(n($0.y))" }.joined(separator: " ")
        let dashes = dash.map { " stroke-dasharray=\"\($0)\"" } ?? ""
        elements.append(
            "<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(stroke)\" stroke-width=\"\(n(width))\" "
                + "stroke-linejoin=\"round\" stroke-linecap=\"round\"\(dashes)\(opacity < 1 ? " opacity=\"\(n(opacity))\"" : "")/>"
        )
    }

    mutating func polygon(_ points: [(x: Double, y: Double)], fill: String, opacity: Double = 1) {
        let path = points.map { "\(n($0.x)),\(n($0.y))" }.joined(separator: " ")
        elements.append("<polygon points=\"\(path)\" fill=\"\(fill)\" opacity=\"\(n(opacity))\"/>")
    }

    mutating func circle(x: Double, y: Double, radius: Double, fill: String, stroke: String = "none", width: Double = 1)
    {
        elements.append(
            "<circle cx=\"\(n(x))\" cy=\"\(n(y))\" r=\"\(n(radius))\" fill=\"\(fill)\" stroke=\"\(stroke)\" stroke-width=\"\(n(width))\"/>"
        )
    }

    mutating func text(
        _ text: String, x: Double, y: Double, size: Double = 12, fill: String = Ink.text, anchor: Anchor = .start,
        bold: Bool = false, turned: Bool = false
    ) {
        let rotation = turned ? " transform=\"rotate(-90 \(n(x)) \(n(y)))\"" : ""
        elements.append(
            "<text x=\"\(n(x))\" y=\"\(n(y))\" font-size=\"\(n(size))\" fill=\"\(fill)\" text-anchor=\"\(anchor.rawValue)\""
                + (bold ? " font-weight=\"600\"" : "") + "\(rotation)>\(SVGCanvas.escaped(text))</text>")
    }

    mutating func image(_ image: PNGImage, in frame: Frame) {
        elements.append(
            "<image x=\"\(n(frame.x))\" y=\"\(n(frame.y))\" width=\"\(n(frame.width))\" height=\"\(n(frame.height))\" "
                + "preserveAspectRatio=\"none\" href=\"data:image/png;base64,\(Data(image.bytes).base64EncodedString())\"/>"
        )
    }

    var document: String {
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
struct Colour: Sendable, Equatable {
    let red, green, blue: UInt8

    init(_ hex: UInt32) {
        red = UInt8(truncatingIfNeeded: hex >> 16)
        green = UInt8(truncatingIfNeeded: hex >> 8)
        blue = UInt8(truncatingIfNeeded: hex)
    }

    /// 256 steps through `stops`, evenly spaced.
    static func ramp(_ stops: [Colour]) -> [Colour] {
        (0..<256).map { step in
            let place = Double(step) / 255 * Double(stops.count - 1)
            let i = min(Int(place), stops.count - 2)
            return stops[i].mixed(with: stops[i + 1], share: place - Double(i))
        }
    }

    /// From silence to full level: dark blue over violet and orange to pale yellow, lightness rising all the way.
    static let levels = ramp([0x0B0B26, 0x2D1160, 0x721F81, 0xB6377A, 0xF0605D, 0xFEAF77, 0xFCFDBF].map(Colour.init))

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
enum Ink {
    static let text = "#22262B"
    static let faint = "#6B7280"
    static let grid = "#E2E5EA"
    static let paper = "#FFFFFF"
    static let panel = "#F7F8FA"
    static let direct = "#0072B2"
    static let reverb = "#D55E00"
    static let voice = "#CC3377"
    static let loop = "#009E73"
    static let listener = "#22262B"
    static let samples = direct
    static let loudness = reverb
    static let clipping = "#D00000"
}

/// A rectangle on the canvas, in pixels.
struct Frame {
    let x, y, width, height: Double
    var right: Double { x + width }
    var bottom: Double { y + height }
}

/// A linear map from values to pixels.
struct Axis {
    let low, high, start, end: Double
    func callAsFunction(_ value: Double) -> Double { start + (value - low) / (high - low) * (end - start) }
    /// The value kept within the axis.
    func clamped(_ value: Double) -> Double { self(min(max(value, low), high)) }
}

/// A stretch of sound in brief, to be joined with the one behind it.
protocol Joinable {
    mutating func join(_ later: Self)
}

/// What happens over time in a limited number of columns, however long it lasts: when they are full, neighbours are
/// joined, and each column stands for twice the time from then on.
struct Columns<Element: Joinable> {
    /// All are of the same width, but the last may stand for less.
    private(set) var elements: [Element] = []
    private let capacity: Int
    /// How many of the appended elements a column joins, and how many the last one has.
    private var span = 1, filled = 0

    /// - Parameter capacity: columns at most, at least 2; half of that at least, once there have been as many.
    init(capacity: Int) { self.capacity = max(capacity, 2) / 2 * 2 }

    mutating func append(_ element: Element) {
        if filled == span, elements.count == capacity { halve() }
        if elements.isEmpty || filled == span {
            elements.append(element)
            filled = 1
        } else {
            elements[elements.count - 1].join(element)
            filled += 1
        }
    }

    private mutating func halve() {
        for index in 0..<capacity / 2 {
            var joined = elements[2 * index]
            joined.join(elements[2 * index + 1])
            elements[index] = joined
        }
        elements.removeLast(capacity / 2)
        span *= 2
        filled = span
    }
}
