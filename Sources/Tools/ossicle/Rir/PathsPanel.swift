import OssicleAcoustics
import OssicleCore
import OssicleResponses

/// The scene from above with the ways sound takes, the fainter the quieter.
struct PathsPanel {
    let result: RirResult
    let scene: RirScene

    /// Ways drawn at most, the loudest.
    private static let most = 48
    /// dB below the loudest way at which a line has faded to its palest.
    private static let range = 30.0

    private struct Way {
        let places: [Vector]
        let ink: String
        let loudness: Double
    }

    func draw(on canvas: inout SVGCanvas, in frame: Frame) {
        let (source, listener) = (result.pair.source, result.pair.listener.position)
        let outline = SceneOutline(scene.occluders, including: [source, listener])
        let plan = Plan(outline: (outline.low, outline.high), in: frame)
        canvas.text("Ways of sound, from above", x: frame.x, y: frame.y - 16, size: 14, bold: true)
        canvas.rectangle(plan.frame(from: outline.low, to: outline.high), fill: Ink.panel)
        for edge in outline.edges {
            canvas.line([plan.point(edge.from), plan.point(edge.to)], stroke: "#8B93A1", width: 1.4)
        }
        let ways = ways.sorted { $0.loudness < $1.loudness }.suffix(Self.most)
        let loudest = ways.last?.loudness ?? 1
        for way in ways {
            let below = min(max(-Decibels.of(energy: way.loudness / loudest) / Self.range, 0), 1)
            canvas.line(
                way.places.map(plan.point), stroke: way.ink, width: 2.4 - 1.6 * below, opacity: 0.95 - 0.75 * below)
        }
        mark(source, "source", ink: Ink.source, below: -12, on: &canvas, plan: plan)
        drawListener(on: &canvas, plan)
        plan.drawScale(on: &canvas)
        legend(on: &canvas, right: frame.right, y: frame.y - 16)
    }

    private var ways: [Way] {
        guard let acoustics = result.acoustics.first else { return [] }
        let (source, listener) = (result.pair.source, result.pair.listener.position)
        let (gains, distance) = (acoustics.direct.bandGains, acoustics.direct.effectiveDistance)
        let straight = (4...6).reduce(0.0) { $0 + Double(gains[$1] * gains[$1]) } / 3 / max(distance * distance, 1e-6)
        return [Way(places: [source, listener], ink: Ink.direct, loudness: straight)].filter { $0.loudness > 0 }
            + (acoustics.diffractions + acoustics.reflections).map { path in
                Way(places: [source] + path.corners + [listener], ink: Self.ink(path.kind), loudness: path.loudness)
            }.filter { $0.loudness > 0 }
    }

    private static func ink(_ kind: SoundPath.Kind) -> String {
        switch kind {
        case .reflection(let order): Ink.orders[min(max(order, 0), Ink.orders.count - 1)]
        case .diffraction, .diffractedReflection: Ink.bent
        }
    }

    private func mark(
        _ place: Vector, _ name: String, ink: String, below distance: Double, on canvas: inout SVGCanvas, plan: Plan
    ) {
        let (x, y) = plan.point(place)
        canvas.circle(x: x, y: y, radius: 6.5, fill: ink, stroke: Ink.paper, width: 1.5)
        canvas.text(name, x: x, y: y + distance, size: 12, fill: ink, anchor: .middle, bold: true)
    }

    /// A head with its nose, turned as the listener is.
    private func drawListener(on canvas: inout SVGCanvas, _ plan: Plan) {
        let pose = result.pair.listener
        let (x, y) = plan.point(pose.position)
        if let ahead = Vector(pose.forward.x, 0, pose.forward.z).direction {
            let aside = (x: -ahead.z, y: ahead.x)
            canvas.polygon(
                [
                    (x + 14 * ahead.x, y + 14 * ahead.z), (x + 5 * (ahead.x + aside.x), y + 5 * (ahead.z + aside.y)),
                    (x + 5 * (ahead.x - aside.x), y + 5 * (ahead.z - aside.y)),
                ], fill: Ink.listener)
        }
        mark(pose.position, "listener", ink: Ink.listener, below: 22, on: &canvas, plan: plan)
    }

    private func legend(on canvas: inout SVGCanvas, right: Double, y: Double) {
        var x = right
        let entries = [
            ("edges", Ink.bent), ("3 mirrors", Ink.orders[3]), ("2", Ink.orders[2]), ("1", Ink.orders[1]),
            ("direct", Ink.orders[0]),
        ]
        for (name, ink) in entries {
            let width = 7 * Double(name.count)
            x -= width
            canvas.text(name, x: x, y: y, size: 11)
            x -= 20
            canvas.line([(x, y - 4), (x + 14, y - 4)], stroke: ink, width: 3)
            x -= 10
        }
    }
}
