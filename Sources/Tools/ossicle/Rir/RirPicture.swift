import OssicleAcoustics
import OssicleCore
import OssicleResponses

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
        let (source, listener) = (Metres.text(result.pair.source), Metres.text(result.pair.listener.position))
        canvas.text(
            "\(scene.title) · source \(source) m, listener \(listener) m · \(details)", x: 40, y: 64, size: 13,
            fill: Ink.faint)
        DecayPanel(response: result.squared, metrics: result.metrics).draw(
            on: &canvas, in: Frame(x: 90, y: 128, width: 460, height: 300))
        PathsPanel(result: result, scene: scene).draw(on: &canvas, in: Frame(x: 640, y: 128, width: 520, height: 330))
        DirectionPanel(result: result).draw(on: &canvas, in: Frame(x: 90, y: 526, width: 1070, height: 290))
        return canvas.document
    }
}

extension Ink {
    /// The octave bands, low to high: from violet over green to red, dark enough for paper.
    static let bands = [
        "#4A2377", "#3B57B5", "#2A86C8", "#1AA3A0", "#2FA45B", "#7C9F1F", "#C29A0B", "#E07A16", "#CC4A1C", "#8F1D14",
    ]
    static let source = voice
    static let early = "#EFA774"
    static let late = "#BFE0F5"
    static let bent = "#CC79A7"
    /// Paths by how many mirrors they take.
    static let orders = [direct, reverb, "#E69F00", loop]
}

/// The edges of a scene's surfaces: where a surface ends or turns, not where triangles of one plane meet.
struct SceneOutline {
    let edges: [(from: Vector, to: Vector)]
    let low, high: Vector

    /// More than these are not drawn.
    private static let most = 20_000
    /// Corners nearer to each other than this are one, metres.
    fileprivate static let hair = 1e-4

    fileprivate struct Edge: Hashable {
        let from, to: SIMD3<Int>
    }

    init(_ occluders: [Occluder], including places: [Vector]) {
        var (low, high) = (Vector(repeating: .infinity), Vector(repeating: -.infinity))
        for place in places + occluders.flatMap({ [$0.bounds.lower, $0.bounds.upper] }).filter(\.isFinite) {
            (low, high) = (pointwiseMin(low, place), pointwiseMax(high, place))
        }
        (self.low, self.high) = (low, high)
        edges = occluders.flatMap(SceneOutline.edges)
    }

    private static func edges(of occluder: Occluder) -> [(from: Vector, to: Vector)] {
        let mesh = occluder.geometry.mesh
        guard mesh.triangles.count <= most else { return [] }
        var normals: [Edge: [Vector]] = [:]
        var order: [(key: Edge, from: Vector, to: Vector)] = []
        for triangle in mesh.triangles.indices {
            let corners = [mesh.corners(triangle).0, mesh.corners(triangle).1, mesh.corners(triangle).2].map(
                occluder.pose.toWorld)
            guard let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).direction else { continue }
            for side in 0..<3 {
                let (a, b) = (corners[side], corners[(side + 1) % 3])
                let key = Edge(a, b)
                if normals[key] == nil { order.append((key, a, b)) }
                normals[key, default: []].append(normal)
            }
        }
        return order.filter { edge in
            let meeting = normals[edge.key] ?? []
            return meeting.count != 2 || meeting[0].dot(meeting[1]).magnitude < 0.999
        }.map { ($0.from, $0.to) }
    }
}

extension SceneOutline.Edge {
    /// The same from either end.
    fileprivate init(_ a: Vector, _ b: Vector) {
        func grid(_ v: Vector) -> SIMD3<Int> {
            let steps = (v / SceneOutline.hair).rounded(.toNearestOrEven)
            return SIMD3(Int(steps.x), Int(steps.y), Int(steps.z))
        }
        let (p, q) = (grid(a), grid(b))
        (from, to) = (p.x, p.y, p.z) < (q.x, q.y, q.z) ? (p, q) : (q, p)
    }
}
