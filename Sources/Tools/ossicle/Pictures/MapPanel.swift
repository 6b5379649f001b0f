import OssicleAcoustics
import OssicleCore

/// The scene from above: walls and things at the height of the ears, the tracks of the sources with marks of time, the
/// listener with the direction of the nose.
struct MapPanel {
    let map: SceneMap
    let recording: Recording

    func draw(on canvas: inout SVGCanvas, in frame: Frame) {
        let plan = Plan(outline: (map.low, map.high), in: frame)
        canvas.text("The scene from above", x: frame.x, y: frame.y - 12, size: 14, bold: true)
        canvas.rectangle(plan.frame(from: map.low, to: map.high), fill: Ink.panel)
        for occluder in map.standing {
            let ink = Ink.fill(ofMaterial: occluder.materials.first.flatMap { $0 }?.name ?? "")
            for top in map.tops(of: occluder) {
                let corners = top.map(plan.point)
                canvas.polygon(corners, fill: ink)
                // Neighbouring triangles would show a seam.
                canvas.line(corners + [corners[0]], stroke: ink, width: 0.6)
            }
        }
        for edge in map.edges {
            canvas.line([plan.point(edge.from), plan.point(edge.to)], stroke: Ink.faint, width: 0.4)
        }
        for thing in map.things {
            let (x, y) = plan.point(Vector(thing.low.x, 0, (thing.low.z + thing.high.z) / 2))
            canvas.text(thing.name, x: x - 6, y: y + 4, size: 11, fill: Ink.faint, anchor: .end)
        }
        for (index, source) in recording.sources.enumerated() {
            draw(source, ink: Ink.sources[index % Ink.sources.count], on: &canvas, plan)
        }
        drawListener(on: &canvas, plan)
        plan.drawScale(on: &canvas)
    }

    private func draw(_ source: String, ink: String, on canvas: inout SVGCanvas, _ plan: Plan) {
        let track = recording.track(of: source)
        guard let first = track.first else { return }
        let (x, y) = plan.point(first.place)
        guard recording.moves(source) else {
            canvas.circle(x: x, y: y, radius: 7, fill: ink)
            canvas.text(source, x: x + 12, y: y + 4, size: 12, fill: ink)
            return
        }
        canvas.line(track.map { plan.point($0.place) }, stroke: ink, width: 2.5)
        let step = max(1, (recording.seconds / 10).rounded(.up))
        for second in stride(from: 0, through: recording.seconds, by: step) {
            guard let there = track.last(where: { $0.time <= second }) ?? track.first else { continue }
            let (x, y) = plan.point(there.place)
            canvas.circle(x: x, y: y, radius: 4.5, fill: Ink.paper, stroke: ink, width: 2)
            canvas.text(
                Text.number(second, decimals: 0) + (second == 0 ? " s" : ""), x: x, y: y - 9, size: 11, fill: ink,
                anchor: .middle)
        }
        canvas.text(source, x: x, y: y + 20, size: 12, fill: ink, anchor: .middle, bold: true)
    }

    private func drawListener(on canvas: inout SVGCanvas, _ plan: Plan) {
        let (x, y) = plan.point(map.listener.position)
        if let ahead = Vector(map.listener.forward.x, 0, map.listener.forward.z).direction {
            func point(_ along: Double, _ aside: Double) -> (x: Double, y: Double) {
                (x + along * ahead.x - aside * ahead.z, y + along * ahead.z + aside * ahead.x)
            }
            canvas.polygon([point(7, -5), point(7, 5), point(17, 0)], fill: Ink.listener)
        }
        canvas.circle(x: x, y: y, radius: 8, fill: Ink.listener)
        canvas.text("listener", x: x, y: y + 23, size: 12, anchor: .middle, bold: true)
    }
}

extension Ink {
    /// One after the other.
    static let sources = [voice, loop, direct, reverb, "#E69F00"]

    /// - Parameter name: of the materials' library.
    fileprivate static func fill(ofMaterial name: String) -> String {
        switch name.lowercased() {
        case let name where name.contains("brick"): "#9B6A5B"
        case let name where name.contains("wood"): "#8A6A3B"
        case let name where name.contains("cardboard"): "#D8B27A"
        case let name where name.contains("glass"): "#9CC4D4"
        default: "#A9B0BA"
        }
    }
}

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
        canvas.line(
            [(corner.x, y - 4), (corner.x, y), (corner.x + length, y), (corner.x + length, y - 4)], stroke: Ink.faint,
            width: 1.2)
        canvas.text(
            "\(Text.number(metres, decimals: metres < 1 ? 1 : 0)) m", x: corner.x + length + 8, y: y + 2, size: 11,
            fill: Ink.faint)
    }
}
