import OssicleCore

/// The bundled scene: two rooms, an open door between them, a voice that walks, music in the far room.
///
/// Metres, x right, y up, −z forward: seen from above, the study with the listener is on the left and the hall on the right.
/// The partition and its door stand at x = 0. The listener sits and looks along −z, across the way the voice takes.
struct DemoScene: Sendable {
    let boxes: [Box] = [
        Box("floor", .slab, .wood, x: -4.5...4.5, y: -0.1...0, z: -2.5...2.5),
        Box("ceiling", .slab, .drywall, x: -4.5...4.5, y: 2.6...2.7, z: -2.5...2.5),
        Box("west wall", .wall, .brick, x: -4.7...(-4.5), y: -0.1...2.7, z: -2.7...2.7),
        Box("east wall", .wall, .brick, x: 4.5...4.7, y: -0.1...2.7, z: -2.7...2.7),
        Box("north wall", .wall, .brick, x: -4.5...4.5, y: -0.1...2.7, z: -2.7...(-2.5)),
        Box("south wall", .wall, .brick, x: -4.5...4.5, y: -0.1...2.7, z: 2.5...2.7),
        Box("north partition", .wall, .drywall, x: -0.06...0.06, y: 0...2.6, z: -2.5...0.1),
        Box("south partition", .wall, .drywall, x: -0.06...0.06, y: 0...2.6, z: 1.1...2.5),
        Box("lintel", .slab, .drywall, x: -0.06...0.06, y: 2.1...2.6, z: 0.1...1.1),
        Box("door", .thing, .wood, x: 0.06...1.02, y: 0...2.05, z: 0.06...0.1),
        Box("cardboard box", .thing, .cardboard, x: -2.5...(-1.9), y: 0...1.7, z: 0.05...0.55),
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
