import OssicleCore

extension BoxRoom {
    /// The room a closed box with inward normals makes, however it stands and however many triangles its walls have.
    ///
    /// Nil for any other shape, and where a wall is of several materials.
    package init?(inside occluder: Occluder) { self.init(inside: occluder, ReflectorMesh(occluder.geometry)) }

    init?(inside occluder: Occluder, _ mesh: ReflectorMesh) {
        guard mesh.patches.count == 6, mesh.geometry.pieces == [.init(isClosed: true, outward: -1)], !occluder.bounds.isEmpty,
              let axes = BoxRoom.axes(mesh.patches) else { return nil }
        let patches = axes.flatMap { [$0.low, $0.high] }.map { mesh.patches[$0] }
        // Both walls look into the room: the low one up the axis, the high one down it.
        let low = (0..<3).map { patches[2 * $0].plane.offset }
        let size = (0..<3).map { -patches[2 * $0 + 1].plane.offset - low[$0] }
        guard size.allSatisfy({ $0 > 4 * mesh.tolerance }), patches.indices.allSatisfy({ wall in
            let rectangle = size[(wall / 2 + 1) % 3] * size[(wall / 2 + 2) % 3]
            return abs(patches[wall].area - rectangle) <= 1e-4 * rectangle && patches[wall].element != nil
        }) else { return nil }
        let pose = occluder.pose
        let scale = pose.scale.magnitude
        let turned = axes.map { pose.vector(mesh.patches[$0.low].plane.normal) * (pose.scale < 0 ? -1 : 1) }
        self.init(corner: Vector(low[0], low[1], low[2]) * scale, size: Vector(size[0], size[1], size[2]) * scale,
                  walls: patches.map { patch in
                      let material = occluder.materials[Int(patch.element ?? 0)]
                      return OctaveBands.mirror(reflected: material.reflectedEnergy, scattered: material.scattering)
                  },
                  identities: axes.flatMap { [$0.low, $0.high] }.map { ReflectorFace.identity(of: occluder, patch: $0) },
                  frame: Pose(position: pose.position, right: turned[0], up: turned[1], back: turned[2]))
    }

    /// Those of a scene's boxes into which nothing else reaches.
    static func emptyRooms(_ set: ReflectorSet) -> [BoxRoom] {
        let boxes = set.occluders.map(\.bounds)
        return set.occluders.indices.compactMap { index in
            guard let room = BoxRoom(inside: set.occluders[index], set.meshes[index]) else { return nil }
            let isAlone = boxes.indices.allSatisfy { $0 == index || !boxes[$0].meets(boxes[index].lower, boxes[index].upper) }
            return isAlone ? room : nil
        }
    }

    /// Three pairs of opposite walls at right angles, each as the local axis it comes nearest to.
    private static func axes(_ patches: [ReflectorPatch]) -> [(low: Int, high: Int)]? {
        let normals = patches.map(\.plane.normal)
        var axes: [(low: Int, high: Int)] = []
        for axis in 0..<3 {
            let free = patches.indices.filter { wall in !axes.contains { $0.low == wall || $0.high == wall } }
            guard let low = free.max(by: { normals[$0][axis] < normals[$1][axis] }),
                  let high = free.first(where: { normals[$0].dot(normals[low]) < -1 + 1e-9 }) else { return nil }
            axes.append((low, high))
        }
        let isSquare = (0..<3).allSatisfy { normals[axes[$0].low].dot(normals[axes[($0 + 1) % 3].low]).magnitude < 1e-6 }
        return isSquare ? axes : nil
    }
}
