import OssicleAcoustics
import OssicleCore
import OssicleScenes

/// A scene from above: what stands at the height of the listener's ears.
struct SceneMap: Sendable {
    let listener: Pose
    let low, high: Vector
    /// Occluders that reach from below the ears to above them.
    let standing: [Occluder]
    /// Their edges.
    let edges: [(from: Vector, to: Vector)]

    init(_ scene: SceneDocument) {
        let placements = ScenePoses(scene).placements, occluders = scene.occluders(placements)
        let listener = placements.first { scene.nodes[$0.node].roles.listener != nil }?.pose ?? Pose()
        let sources = placements.filter { scene.nodes[$0.node].roles.source != nil }.map(\.pose.position)
        let outline = SceneOutline(occluders, including: sources + [listener.position])
        let height = listener.position.y
        standing = occluders.filter { $0.bounds.lower.y < height && $0.bounds.upper.y > height }
        edges = SceneOutline(standing, including: []).edges
        (self.listener, low, high) = (listener, outline.low, outline.high)
    }

    /// Things small enough to have their name beside them, by it; no boards.
    var things: [(name: String, low: Vector, high: Vector)] {
        let size = high - low
        return standing.map { ($0.name, $0.bounds.lower, $0.bounds.upper) }.filter {
            max($0.2.x - $0.1.x, $0.2.z - $0.1.z) < 0.12 * max(size.x, size.z)
                && min($0.2.x - $0.1.x, $0.2.z - $0.1.z) > 0.1
        }
    }

    /// Where thin walls stand across the x axis, inside the outline.
    var partitions: [Double] {
        standing.filter {
            let (low, high) = ($0.bounds.lower, $0.bounds.upper)
            return high.x - low.x < 0.3 && high.z - low.z > 1 && low.x > self.low.x + 0.5 && high.x < self.high.x - 0.5
        }.map { ($0.bounds.lower.x + $0.bounds.upper.x) / 2 }
    }

    /// The faces of an occluder that look up, in the world.
    func tops(of occluder: Occluder) -> [[Vector]] {
        let mesh = occluder.geometry.mesh
        return mesh.triangles.indices.compactMap { index in
            let corners = mesh.corners(index)
            let places = [corners.0, corners.1, corners.2].map(occluder.pose.toWorld)
            let normal = (places[1] - places[0]).cross(places[2] - places[0]).direction
            return (normal?.y ?? 0) > 0.5 ? places : nil
        }
    }
}
