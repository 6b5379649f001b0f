import OssicleCore

/// The bundled scene: two rooms, an open door between them, a voice that walks, music in the far room.
///
/// Metres, x right, y up, −z forward: seen from above, the study with the listener is on the left and the hall on the
/// right. The partition and its door stand at x = 0. The listener sits and looks along −z, across the way the voice
/// takes.
struct DemoScene: Sendable {
    let boxes: [Box] = [
        Box("floor", .slab, material: .wood, x: -4.5...4.5, y: -0.1...0, z: -2.5...2.5),
        Box("ceiling", .slab, material: .drywall, x: -4.5...4.5, y: 2.6...2.7, z: -2.5...2.5),
        Box("west wall", .wall, material: .brick, x: -4.7...(-4.5), y: -0.1...2.7, z: -2.7...2.7),
        Box("east wall", .wall, material: .brick, x: 4.5...4.7, y: -0.1...2.7, z: -2.7...2.7),
        Box("north wall", .wall, material: .brick, x: -4.5...4.5, y: -0.1...2.7, z: -2.7...(-2.5)),
        Box("south wall", .wall, material: .brick, x: -4.5...4.5, y: -0.1...2.7, z: 2.5...2.7),
        Box("north partition", .wall, material: .drywall, x: -0.06...0.06, y: 0...2.6, z: -2.5...0.1),
        Box("south partition", .wall, material: .drywall, x: -0.06...0.06, y: 0...2.6, z: 1.1...2.5),
        Box("lintel", .slab, material: .drywall, x: -0.06...0.06, y: 2.1...2.6, z: 0.1...1.1),
        Box("door", .thing, material: .wood, x: 0.06...1.02, y: 0...2.05, z: 0.06...0.1),
        Box("cardboard box", .thing, material: .cardboard, x: -2.5...(-1.9), y: 0...1.7, z: 0.05...0.55),
    ]
    let rooms: [(name: String, centre: Vector)] = [("study", Vector(-3.5, 0, 2.1)), ("hall", Vector(2.6, 0, -0.6))]

    let listener = Vector(-2.2, 1.2, 1.3)
    let loop = Vector(2.9, 1.0, -1.9)
    let walk = Walk(through: [
        Vector(3.6, 1.55, 1.7), Vector(2.2, 1.55, 1.65), Vector(0.9, 1.55, 1.15), Vector(0, 1.55, 0.6),
        Vector(-1.1, 1.55, -0.35), Vector(-2.3, 1.55, -0.95), Vector(-3.7, 1.55, -1.3),
    ])

    /// The outline of both rooms from outside to outside, in x and z.
    var outline: (low: Vector, high: Vector) {
        boxes.reduce((boxes[0].low, boxes[0].high)) { outline, box in
            (pointwiseMin(outline.0, box.low), pointwiseMax(outline.1, box.high))
        }
    }
}

/// An axis-parallel cuboid of the scene: a wall, the floor, a piece of cardboard.
struct Box: Sendable, Equatable {
    enum Kind: Sendable { case wall, slab, thing }
    /// The engine's material presets the scene is built from.
    enum Material: String, Sendable { case brick, drywall, wood, cardboard }

    let name: String
    let kind: Kind
    let material: Material
    /// Opposite corners in metres.
    let low, high: Vector

    init(
        _ name: String, _ kind: Kind, material: Material, x: ClosedRange<Double>, y: ClosedRange<Double>,
        z: ClosedRange<Double>
    ) {
        self.name = name
        self.kind = kind
        self.material = material
        low = Vector(x.lowerBound, y.lowerBound, z.lowerBound)
        high = Vector(x.upperBound, y.upperBound, z.upperBound)
    }

    var centre: Vector { (low + high) * 0.5 }
    var size: Vector { high - low }
}

/// A smooth way through given points, walked at constant speed.
///
/// A uniform Catmull–Rom spline through the points, flattened to short chords and measured along them.
struct Walk: Sendable {
    let points: [Vector]
    private let lengths: [Double]

    init(through waypoints: [Vector]) {
        var points: [Vector] = []
        for i in 0..<max(waypoints.count - 1, 0) {
            let (b, c) = (waypoints[i], waypoints[i + 1])
            let a = i > 0 ? waypoints[i - 1] : b * 2 - c
            let d = i + 2 < waypoints.count ? waypoints[i + 2] : c * 2 - b
            for step in 0..<32 { points.append(Walk.spline(a, b, c: c, d: d, at: Double(step) / 32)) }
        }
        if let last = waypoints.last { points.append(last) }
        self.points = points
        var sum = 0.0
        lengths = points.indices.map { i in
            if i > 0 { sum += (points[i] - points[i - 1]).magnitude }
            return sum
        }
    }

    /// In metres.
    var length: Double { lengths.last ?? 0 }

    /// The place after `share` (0…1) of the way.
    func position(at share: Double) -> Vector {
        guard let first = points.first, let last = points.last else { return .zero }
        let wanted = min(max(share, 0), 1) * length
        guard let i = lengths.firstIndex(where: { $0 > wanted }) else { return last }
        guard i > 0 else { return first }
        let within = (wanted - lengths[i - 1]) / (lengths[i] - lengths[i - 1])
        return points[i - 1] + (points[i] - points[i - 1]) * within
    }

    private static func spline(_ a: Vector, _ b: Vector, c: Vector, d: Vector, at t: Double) -> Vector {
        let linear: Vector = (c - a) * t
        var square: Vector = a * 2 - b * 5
        square = (square + c * 4 - d) * (t * t)
        var cube: Vector = (b - c) * 3
        cube = (cube + d - a) * (t * t * t)
        return b + (linear + square + cube) * 0.5
    }
}
