import Synchronization

/// Finds a geometry's edges when somebody first asks, once.
final class EdgeCache: Sendable {
    private let found = Mutex<EdgeSet?>(nil)

    func edges(_ make: () -> EdgeSet) -> EdgeSet {
        found.withLock { known in
            let edges = known ?? make()
            known = edges
            return edges
        }
    }
}

extension MeshGeometry {
    /// Its diffracting edges. The first call takes as long as the mesh is large: some tenths of a second for 200 000 triangles.
    package var edges: EdgeSet { edgeCache.edges { EdgeSet(mesh) } }
}
