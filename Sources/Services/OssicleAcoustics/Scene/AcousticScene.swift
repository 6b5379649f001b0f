import OssicleCore

/// All that sound can meet at one moment: occluders and air. An immutable value; whoever holds one may compute on any thread.
///
/// Two levels of trees: each geometry has its own, made once, and the scene has one over the placed boxes, made here. A door that
/// moves makes a new scene for the price of the top level.
package struct AcousticScene: Sendable {
    /// One reference: tracers, which hold a scene, are handed on with every ray.
    private let contents: Contents

    private final class Contents: Sendable {
        let occluders: [Occluder]
        let medium: Medium
        let placed: PlacedMeshes

        init(_ occluders: [Occluder], _ medium: Medium) {
            (self.occluders, self.medium, placed) = (occluders, medium, PlacedMeshes(occluders))
        }
    }

    package init(occluders: [Occluder] = [], medium: Medium = Medium()) { contents = Contents(occluders, medium) }

    /// In the order given, which is the order of every result.
    package var occluders: [Occluder] { contents.occluders }
    package var medium: Medium { contents.medium }
    var placed: PlacedMeshes { contents.placed }

    /// Whether the box of any occluder reaches into a box.
    func isOccupied(_ box: Bounds) -> Bool { placed.areIn(box) }

    /// Whether any surface may reach into a ball.
    func isOccupied(ballAt centre: Vector, radius: Double) -> Bool { placed.areIn(ballAt: centre, radius: radius) }
}
