import OssicleCore

/// A room in the shape of a box, and what its six walls leave of a sound.
package struct BoxRoom: Hashable, Sendable {
    /// Lowest corner and size along the frame's axes, metres.
    package let corner: Vector
    package let size: Vector
    /// Amplitude factor of one reflection, by wall: low and high x, low and high y, low and high z.
    package let walls: [OctaveBands]
    /// The same numbers for the same walls from update to update; they make up the paths' identities.
    package let identities: [UInt64]
    /// Which way the box stands; its scale is not used.
    package let frame: Pose

    /// - Parameters:
    ///   - walls: six; a list of any other length counts as walls that reflect everything.
    ///   - identities: six; a list of any other length counts as 1…6.
    ///   - frame: the axes of the world unless said otherwise.
    package init(corner: Vector, size: Vector, walls: [OctaveBands], identities: [UInt64] = [], frame: Pose = .identity)
    {
        (self.corner, self.size, self.frame) = (corner, size, frame)
        self.walls = walls.count == 6 ? walls : [OctaveBands](repeating: .ones, count: 6)
        self.identities = identities.count == 6 ? identities : [1, 2, 3, 4, 5, 6]
    }

    /// A source reflected in the walls.
    package struct Image: Hashable, Sendable {
        /// Reflections along each axis; the sign says which way it lies.
        package let index: SIMD3<Int>
        package let position: Vector
        fileprivate let frame: Pose
        package var order: Int { abs(index.x) + abs(index.y) + abs(index.z) }

        /// A direction in which the source sends, as the image does: turned round along each axis that was reflected an
        /// odd number of times.
        package func mirrored(_ direction: Vector) -> Vector {
            let d = frame.components(of: direction)
            return frame.vector(
                Vector(index.x & 1 == 0 ? d.x : -d.x, index.y & 1 == 0 ? d.y : -d.y, index.z & 1 == 0 ? d.z : -d.z))
        }
    }

    /// The indices of all images of orders 1…`order`, lowest order first; 4n² + 2 of order n.
    package static func indices(upTo order: Int) -> [SIMD3<Int>] {
        var indices: [SIMD3<Int>] = []
        for n in stride(from: 1, through: order, by: 1) {
            forEachIndex(ofOrder: n) { indices.append(SIMD3($0, $1, $2)) }
        }
        return indices
    }

    /// Indices of one order, by x, then y, then z.
    @inline(__always)
    static func forEachIndex(ofOrder n: Int, _ visit: (Int, Int, Int) -> Void) {
        for x in -n...n {
            let left = n - abs(x)
            for y in -left...left {
                let z = left - abs(y)
                visit(x, y, -z)
                if z > 0 { visit(x, y, z) }
            }
        }
    }

    /// Image sources after Allen and Berkley (JASA 65, 1979): i·L + s for an even, (i + 1)·L − s for an odd number of
    /// reflections.
    package func image(of source: Vector, _ index: SIMD3<Int>) -> Image {
        let s = frame.toLocalUnscaled(source) - corner
        let (x, y, z) = (
            BoxRoom.mirrored(s.x, index.x, size: size.x), BoxRoom.mirrored(s.y, index.y, size: size.y),
            BoxRoom.mirrored(s.z, index.z, size: size.z)
        )
        let place = corner + Vector(x, y, z)
        return Image(index: index, position: frame.position + frame.vector(place), frame: frame)
    }

    /// Along one axis, from the lower wall: where a source at `s` is seen after |i| reflections.
    @inline(__always)
    static func mirrored(_ s: Double, _ i: Int, size: Double) -> Double {
        i & 1 == 0 ? Double(i) * size + s : Double(i + 1) * size - s
    }

    /// What the walls leave of an image's sound: one factor for each reflection along the path.
    package func gains(of index: SIMD3<Int>) -> OctaveBands {
        gains(index.x, axis: 0) * gains(index.y, axis: 1) * gains(index.z, axis: 2)
    }

    func gains(_ index: Int, axis: Int) -> OctaveBands {
        var gains = OctaveBands.ones
        // The walls of an axis take turns, and the one on the image's side comes first.
        let (far, near) = ((abs(index) + 1) / 2, abs(index) / 2)
        let (low, high) = index > 0 ? (near, far) : (far, near)
        for _ in 0..<low { gains = gains * walls[2 * axis] }
        for _ in 0..<high { gains = gains * walls[2 * axis + 1] }
        return gains
    }

    /// Whether a point is in the room or on a wall.
    package func contains(_ point: Vector) -> Bool {
        let p = frame.toLocalUnscaled(point) - corner
        return p.x >= 0 && p.y >= 0 && p.z >= 0 && p.x <= size.x && p.y <= size.y && p.z <= size.z
    }
}

extension Pose {
    /// A direction along right, up and back; and the way back.
    func components(of direction: Vector) -> Vector {
        Vector(direction.dot(right), direction.dot(up), direction.dot(back))
    }
    func vector(_ components: Vector) -> Vector { right * components.x + up * components.y + back * components.z }
}

extension BoxRoom {
    /// A room of no particular place: the box stands around the listener and moves along.
    ///
    /// The listener stands off the middle, as one does, so that no two walls answer at once, with the ears at 1.6 m or
    /// at 0.4 of a lower room. A source beyond a wall pushes that wall out, half a metre behind itself: an echo never
    /// comes before the sound.
    ///
    /// - Parameters:
    ///   - size: metres, along x, y (up) and z.
    ///   - wall: amplitude factor of one reflection.
    package init(around listener: Vector, source: Vector, size: Vector, wall: OctaveBands) {
        let before = Vector(size.x * 0.46, min(1.6, size.y * 0.4), size.z * 0.57)
        let low = pointwiseMin(listener - before, source - BoxRoom.clearance)
        let high = pointwiseMax(listener - before + size, source + BoxRoom.clearance)
        self.init(corner: low, size: high - low, walls: [OctaveBands](repeating: wall, count: 6))
    }

    /// Metres between a source and a wall it would otherwise stand behind.
    private static let clearance = Vector(repeating: 0.5)

    /// What one reflection leaves where sound decays by 60 dB in `t60` seconds and meets a wall every `meanFreeTime`
    /// seconds: 10^(−3 τ/T).
    package static func wall(t60: OctaveBands, meanFreeTime: Double) -> OctaveBands {
        t60.map { $0 > 0 ? Float(DeterministicMath.pow(10, -3 * meanFreeTime / Double($0))) : 0 }
    }
}

extension BoxRoom {
    /// The room a closed box makes, however it stands, whichever way it is wound and however many triangles its walls
    /// have.
    ///
    /// Nil for any other shape, where a wall is of several materials, and where one reflects by the angle.
    package init?(inside occluder: Occluder) { self.init(inside: occluder, ReflectorMesh(occluder.geometry)) }

    init?(inside occluder: Occluder, _ mesh: ReflectorMesh) {
        guard mesh.patches.count == 6, mesh.geometry.pieces.count == 1, let shell = mesh.geometry.pieces.first,
            shell.isClosed, shell.outward != 0, !occluder.bounds.isEmpty,
            !occluder.materials.contains(where: \.isLocallyReacting)
        else { return nil }
        let inward = -Double(shell.outward)
        guard let axes = BoxRoom.axes(mesh.patches.map { $0.plane.normal * inward }) else { return nil }
        let patches = axes.flatMap { [$0.low, $0.high] }.map { mesh.patches[$0] }
        // Seen from within: the low wall looks up the axis, the high one down it.
        let low = (0..<3).map { patches[2 * $0].plane.offset * inward }
        let size = (0..<3).map { -patches[2 * $0 + 1].plane.offset * inward - low[$0] }
        guard size.allSatisfy({ $0 > 4 * mesh.tolerance }),
            patches.indices.allSatisfy({ wall in
                let rectangle = size[(wall / 2 + 1) % 3] * size[(wall / 2 + 2) % 3]
                return abs(patches[wall].area - rectangle) <= 1e-4 * rectangle && patches[wall].element != nil
            })
        else { return nil }
        let pose = occluder.pose
        let scale = pose.scale.magnitude
        let turned = axes.map { pose.vector(mesh.patches[$0.low].plane.normal) * (pose.scale < 0 ? -inward : inward) }
        self.init(
            corner: Vector(low[0], low[1], low[2]) * scale, size: Vector(size[0], size[1], size[2]) * scale,
            walls: patches.map { patch in
                let material = occluder.materials[Int(patch.element ?? 0)]
                return OctaveBands.reflector(reflected: material.reflectedEnergy, scattered: material.scattering)
            },
            identities: axes.flatMap { [$0.low, $0.high] }.map { ReflectorFace.identity(of: occluder, patch: $0) },
            frame: Pose(position: pose.position, right: turned[0], up: turned[1], back: turned[2]))
    }

    /// Those of a scene's boxes into which nothing else reaches.
    static func emptyRooms(_ set: ReflectorSet) -> [BoxRoom] {
        let boxes = set.occluders.map(\.bounds)
        let tree = BoxTree(boxes, leafSize: 1)
        return set.occluders.indices.compactMap { index in
            guard let room = BoxRoom(inside: set.occluders[index], set.meshes[index]) else { return nil }
            let isShared = tree.view.search({ boxes[index].meets($0, $1) }) {
                let other = Int(tree.order[$0])
                return other != index && boxes[other].meets(boxes[index].lower, boxes[index].upper)
            }
            return isShared ? nil : room
        }
    }

    /// Three pairs of opposite walls at right angles, each as the local axis it comes nearest to.
    private static func axes(_ normals: [Vector]) -> [(low: Int, high: Int)]? {
        var axes: [(low: Int, high: Int)] = []
        for axis in 0..<3 {
            let free = normals.indices.filter { wall in !axes.contains { $0.low == wall || $0.high == wall } }
            guard let low = free.max(by: { normals[$0][axis] < normals[$1][axis] }),
                let high = free.first(where: { normals[$0].dot(normals[low]) < -1 + 1e-9 })
            else { return nil }
            axes.append((low, high))
        }
        let isSquare = (0..<3).allSatisfy {
            normals[axes[$0].low].dot(normals[axes[($0 + 1) % 3].low]).magnitude < 1e-6
        }
        return isSquare ? axes : nil
    }
}
