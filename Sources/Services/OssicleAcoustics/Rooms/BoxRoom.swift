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
    package init(corner: Vector, size: Vector, walls: [OctaveBands], identities: [UInt64] = [], frame: Pose = .identity) {
        (self.corner, self.size, self.frame) = (corner, size, frame)
        self.walls = walls.count == 6 ? walls : [OctaveBands](repeating: .ones, count: 6)
        self.identities = identities.count == 6 ? identities : [1, 2, 3, 4, 5, 6]
    }

    /// A source mirrored in the walls.
    package struct Image: Hashable, Sendable {
        /// Mirrorings along each axis; the sign says which way it lies.
        package let index: SIMD3<Int>
        package let position: Vector
        fileprivate let frame: Pose
        package var order: Int { abs(index.x) + abs(index.y) + abs(index.z) }

        /// A direction in which the source sends, as the image does: turned round along each axis that was mirrored an odd number of times.
        package func mirrored(_ direction: Vector) -> Vector {
            let d = frame.components(of: direction)
            return frame.vector(Vector(index.x & 1 == 0 ? d.x : -d.x, index.y & 1 == 0 ? d.y : -d.y, index.z & 1 == 0 ? d.z : -d.z))
        }
    }

    /// The indices of all images of orders 1…`order`, lowest order first; 4n² + 2 of order n.
    package static func indices(upTo order: Int) -> [SIMD3<Int>] {
        var indices: [SIMD3<Int>] = []
        for n in stride(from: 1, through: order, by: 1) { forEachIndex(ofOrder: n) { indices.append(SIMD3($0, $1, $2)) } }
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

    /// Image sources after Allen and Berkley (JASA 65, 1979): i·L + s for an even, (i + 1)·L − s for an odd number of mirrorings.
    package func image(of source: Vector, _ index: SIMD3<Int>) -> Image {
        let s = frame.toLocalUnscaled(source) - corner
        let (x, y, z) = (BoxRoom.mirrored(s.x, index.x, size.x), BoxRoom.mirrored(s.y, index.y, size.y), BoxRoom.mirrored(s.z, index.z, size.z))
        let place = corner + Vector(x, y, z)
        return Image(index: index, position: frame.position + frame.vector(place), frame: frame)
    }

    /// Along one axis, from the lower wall: where a source at `s` is seen after |i| mirrorings.
    @inline(__always)
    static func mirrored(_ s: Double, _ i: Int, _ size: Double) -> Double { i & 1 == 0 ? Double(i) * size + s : Double(i + 1) * size - s }

    /// What the walls leave of an image's sound: one factor for each reflection on the way.
    package func gains(of index: SIMD3<Int>) -> OctaveBands { gains(index.x, axis: 0) * gains(index.y, axis: 1) * gains(index.z, axis: 2) }

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
    func components(of direction: Vector) -> Vector { Vector(direction.dot(right), direction.dot(up), direction.dot(back)) }
    func vector(_ components: Vector) -> Vector { right * components.x + up * components.y + back * components.z }
}
