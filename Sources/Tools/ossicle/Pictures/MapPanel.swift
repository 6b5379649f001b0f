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
            canvas.rectangle(plan.frame(from: box.low, to: box.high), fill: Ink.fill(of: box.material), title: "\(box.name), \(box.material.rawValue)")
        }
        for room in scene.rooms {
            let (x, y) = plan.point(room.centre)
            canvas.text(room.name, x: x, y: y, size: 13, fill: Ink.faint, anchor: .middle)
        }
        label("cardboard box", of: scene.boxes.first { $0.name == "cardboard box" }, on: &canvas, plan)
        drawWalk(on: &canvas, plan)
        drawListener(on: &canvas, plan)
        let (x, y) = plan.point(scene.loop)
        canvas.circle(x: x, y: y, radius: 7, fill: Ink.loop)
        canvas.text("music", x: x + 12, y: y + 4, size: 12, fill: Ink.loop)
        plan.drawScale(on: &canvas)
    }

    private func label(_ text: String, of box: Box?, on canvas: inout SVGCanvas, _ plan: Plan) {
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
            canvas.text(Text.number(second, decimals: 0) + (second == 0 ? " s" : ""), x: x, y: y - 9, size: 11, fill: Ink.voice, anchor: .middle)
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
