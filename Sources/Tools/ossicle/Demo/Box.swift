import OssicleCore

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

    init(_ name: String, _ kind: Kind, _ material: Material, x: ClosedRange<Double>, y: ClosedRange<Double>, z: ClosedRange<Double>) {
        self.name = name
        self.kind = kind
        self.material = material
        low = Vector(x.lowerBound, y.lowerBound, z.lowerBound)
        high = Vector(x.upperBound, y.upperBound, z.upperBound)
    }

    var centre: Vector { (low + high) * 0.5 }
    var size: Vector { high - low }
}
