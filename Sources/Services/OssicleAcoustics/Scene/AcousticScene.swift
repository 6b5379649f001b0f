import OssicleCore

/// All that sound can meet at one moment: occluders and air. An immutable value; whoever holds one may compute on any thread.
///
/// Two levels of trees: each geometry has its own, made once, and the scene has one over the placed boxes, made here. A door that
/// moves makes a new scene for the price of the top level.
package struct AcousticScene: Sendable {
    /// In the order given, which is the order of every result.
    package let occluders: [Occluder]
    package let medium: Medium
    let placed: PlacedMeshes

    package init(occluders: [Occluder] = [], medium: Medium = Medium()) {
        self.occluders = occluders
        self.medium = medium
        placed = PlacedMeshes(occluders)
    }

    /// Whether the box of any occluder reaches into a box.
    func isOccupied(_ box: Bounds) -> Bool { placed.areIn(box) }

    /// Whether any surface may reach into a ball.
    func isOccupied(ballAt centre: Vector, radius: Double) -> Bool { placed.areIn(ballAt: centre, radius: radius) }
}
