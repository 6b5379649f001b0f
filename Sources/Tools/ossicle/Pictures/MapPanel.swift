import OssicleCore

/// The scene from above: walls and things at the height of the ears, the way of the voice with a mark each second, the
/// listener with the direction of the nose, the music.
struct MapPanel {
    let scene: DemoScene
    let recording: Recording

    func draw(on canvas: inout SVGCanvas, in frame: Frame) {
        let plan = Plan(outline: scene.outline, in: frame)
        canvas.text("The scene from above", x: frame.x, y: frame.y - 12, size: 14, bold: true)
        canvas.rectangle(plan.frame(from: scene.outline.low, to: scene.outline.high), fill: Ink.panel)
        for box in scene.boxes where box.kind != .slab {
            canvas.rectangle(
                plan.frame(from: box.low, to: box.high), fill: Ink.fill(of: box.material),
                title: "\(box.name), \(box.material.rawValue)")
        }
        for room in scene.rooms {
            let (x, y) = plan.point(room.centre)
            canvas.text(room.name, x: x, y: y, size: 13, fill: Ink.faint, anchor: .middle)
        }
        label("cardboard box", of: scene.boxes.first { $0.name == "cardboard box" }, on: &canvas, plan: plan)
        drawWalk(on: &canvas, plan)
        drawListener(on: &canvas, plan)
        let (x, y) = plan.point(scene.loop)
        canvas.circle(x: x, y: y, radius: 7, fill: Ink.loop)
        canvas.text("music", x: x + 12, y: y + 4, size: 12, fill: Ink.loop)
        plan.drawScale(on: &canvas)
    }

    private func label(_ text: String, of box: Box?, on canvas: inout SVGCanvas, plan: Plan) {
        guard let box else { return }
        let (x, y) = plan.point(Vector(box.low.x, 0, box.centre.z))
        canvas.text(text, x: x - 6, y: y + 4, size: 11, fill: Ink.faint, anchor: .end)
    }

    private func drawWalk(on canvas: inout SVGCanvas, _ plan: Plan) {
        canvas.line(scene.walk.points.map(plan.point), stroke: Ink.voice, width: 2.5)
        let step = max(1, (recording.seconds / 10).rounded(.up))
        for second in stride(from: 0, through: recording.seconds, by: step) {
            let (x, y) = plan.point(scene.walk.position(at: second / recording.seconds))
            canvas.circle(x: x, y: y, radius: 4.5, fill: Ink.paper, stroke: Ink.voice, width: 2)
            canvas.text(
                Text.number(second, decimals: 0) + (second == 0 ? " s" : ""), x: x, y: y - 9, size: 11, fill: Ink.voice,
                anchor: .middle)
        }
        let (x, y) = plan.point(scene.walk.position(at: 0))
        canvas.text("voice", x: x, y: y + 20, size: 12, fill: Ink.voice, anchor: .middle, bold: true)
    }

    private func drawListener(on canvas: inout SVGCanvas, _ plan: Plan) {
        let (x, y) = plan.point(scene.listener)
        canvas.polygon([(x - 5, y - 7), (x + 5, y - 7), (x, y - 17)], fill: Ink.listener)
        canvas.circle(x: x, y: y, radius: 8, fill: Ink.listener)
        canvas.text("listener", x: x, y: y + 23, size: 12, anchor: .middle, bold: true)
    }
}

extension Ink {
    fileprivate static func fill(of material: Box.Material) -> String {
        switch material {
        case .brick: "#9B6A5B"
        case .drywall: "#A9B0BA"
        case .wood: "#8A6A3B"
        case .cardboard: "#D8B27A"
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
