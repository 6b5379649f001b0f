import OssicleCore

/// Metres of a scene to pixels of a map from above, at one scale for both directions: x to the right, z down.
struct Plan {
    private let scale: Double
    private let origin: (x: Double, y: Double)
    private let corner: (x: Double, y: Double)

    init(outline: (low: Vector, high: Vector), in frame: Frame) {
        let size = outline.high - outline.low
        scale = min(frame.width / max(size.x, 1e-3), (frame.height - 24) / max(size.z, 1e-3))
        origin = (frame.x - outline.low.x * scale, frame.y - outline.low.z * scale)
        corner = (frame.x, frame.y + size.z * scale)
    }

    func point(_ place: Vector) -> (x: Double, y: Double) { (origin.x + place.x * scale, origin.y + place.z * scale) }

    func frame(from low: Vector, to high: Vector) -> Frame {
        let (x, y) = point(low)
        return Frame(x: x, y: y, width: (high.x - low.x) * scale, height: (high.z - low.z) * scale)
    }

    /// A bar of one metre; of more where that would be a dot, of less where it would not fit.
    func drawScale(on canvas: inout SVGCanvas) {
        let metres = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].first { $0 * scale >= 32 } ?? 1000
        let (y, length) = (corner.y + 14, metres * scale)
        canvas.line([(corner.x, y - 4), (corner.x, y), (corner.x + length, y), (corner.x + length, y - 4)], stroke: Ink.faint, width: 1.2)
        canvas.text("\(Text.number(metres, decimals: metres < 1 ? 1 : 0)) m", x: corner.x + length + 8, y: y + 2, size: 11, fill: Ink.faint)
    }
}
