import OssicleCore

/// All that sound can meet at one moment: occluders and air. An immutable value; any holder may compute on any
/// thread.
///
/// Two levels of trees: each geometry has its own, made once, and the scene has one over the placed boxes, made here. A
/// door that moves makes a new scene for the price of the top level.
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

    /// Whether any surface may reach into a ball.
    func isOccupied(ballAt centre: Vector, radius: Double) -> Bool { placed.areIn(ballAt: centre, radius: radius) }
}

/// Something solid in the scene: a shared geometry, where it stands, and what its elements are made of.
package struct Occluder: Sendable {
    /// The same number for the same object from update to update.
    package let id: UInt64
    package let name: String
    package let geometry: MeshGeometry
    /// Moving it costs nothing but the top of the scene's tree.
    package var pose: Pose
    /// Material of each element of the mesh.
    package let materials: [AcousticMaterial]
    /// Share of the energy each element lets through, kept because every ray needs it.
    let transmitted: [OctaveBands]

    /// - Parameter materials: one per element, in order. An element without one is made of `MaterialLibrary.opaque`,
    ///   concrete: who places an occluder wants it to be heard.
    package init(
        id: UInt64, name: String, geometry: MeshGeometry, pose: Pose = .identity, materials: [AcousticMaterial?]
    ) {
        self.id = id
        self.name = name
        self.geometry = geometry
        self.pose = pose
        self.materials = (0..<geometry.mesh.elementCount).map {
            $0 < materials.count ? materials[$0] ?? MaterialLibrary.opaque : MaterialLibrary.opaque
        }
        transmitted = self.materials.map(\.transmittedEnergy)
    }

    /// An occluder of one material throughout.
    package init(
        id: UInt64, name: String, geometry: MeshGeometry, pose: Pose = .identity, material: AcousticMaterial? = nil
    ) {
        self.init(
            id: id, name: name, geometry: geometry, pose: pose,
            materials: Array(repeating: material, count: geometry.mesh.elementCount))
    }

    /// Box around the placed geometry; empty for a pose that is no place or has no size, which takes the occluder out
    /// of the scene.
    package var bounds: Bounds {
        let box = geometry.bounds
        guard !box.isEmpty, pose.scale.isFinite, pose.scale.magnitude > 1e-9 else { return .empty }
        var result = Bounds.empty
        for corner in 0..<8 {
            let local = Vector(
                corner & 1 == 0 ? box.lower.x : box.upper.x, corner & 2 == 0 ? box.lower.y : box.upper.y,
                corner & 4 == 0 ? box.lower.z : box.upper.z)
            let world = pose.toWorld(local)
            guard world.isFinite else { return .empty }
            result.include(world)
        }
        return result
    }
}
