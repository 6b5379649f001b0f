import OssicleCore

/// A room in the shape of a box along the axes of the world, and what its six walls leave of a sound.
package struct BoxRoom: Hashable, Sendable {
    /// Lowest corner and size, metres.
    package let corner: Vector
    package let size: Vector
    /// Amplitude factor of one reflection, by wall: low and high x, low and high y, low and high z.
    package let walls: [OctaveBands]

    /// - Parameter walls: six; a list of any other length counts as walls that reflect everything.
    package init(corner: Vector, size: Vector, walls: [OctaveBands]) {
        (self.corner, self.size) = (corner, size)
        self.walls = walls.count == 6 ? walls : [OctaveBands](repeating: .ones, count: 6)
    }

    /// A source mirrored in the walls.
    package struct Image: Hashable, Sendable {
        /// Mirrorings along each axis; the sign says which way it lies.
        package let index: SIMD3<Int>
        package let position: Vector
        package var order: Int { abs(index.x) + abs(index.y) + abs(index.z) }

        /// A direction in which the source sends, as the image does: turned round along each axis that was mirrored an odd number of times.
        package func mirrored(_ direction: Vector) -> Vector {
            func turned(_ value: Double, _ index: Int) -> Double { index & 1 == 0 ? value : -value }
            return Vector(turned(direction.x, index.x), turned(direction.y, index.y), turned(direction.z, index.z))
        }
    }

    /// The indices of all images of orders 1…`order`, lowest order first; 4n² + 2 of order n.
    package static func indices(upTo order: Int) -> [SIMD3<Int>] {
        let span = -order...order
        let all = span.flatMap { x in span.flatMap { y in span.map { z in SIMD3(x, y, z) } } }
        func mirrorings(_ index: SIMD3<Int>) -> Int { abs(index.x) + abs(index.y) + abs(index.z) }
        return (1...max(order, 1)).flatMap { wanted in all.filter { mirrorings($0) == wanted } }
    }

    /// Image sources after Allen and Berkley (JASA 65, 1979): i·L + s for an even, (i + 1)·L − s for an odd number of mirrorings.
    package func image(of source: Vector, _ index: SIMD3<Int>) -> Image {
        let s = source - corner
        func mirrored(_ i: Int, _ size: Double, _ s: Double) -> Double { i & 1 == 0 ? Double(i) * size + s : Double(i + 1) * size - s }
        return Image(index: index, position: corner + Vector(mirrored(index.x, size.x, s.x), mirrored(index.y, size.y, s.y), mirrored(index.z, size.z, s.z)))
    }

    /// What the walls leave of an image's sound: one factor for each reflection on the way.
    package func gains(of index: SIMD3<Int>) -> OctaveBands {
        var gains = OctaveBands.ones
        for axis in 0..<3 {
            // The walls of an axis take turns, and the one on the image's side comes first.
            let (far, near) = ((abs(index[axis]) + 1) / 2, abs(index[axis]) / 2)
            let (low, high) = index[axis] > 0 ? (near, far) : (far, near)
            for _ in 0..<low { gains = gains * walls[2 * axis] }
            for _ in 0..<high { gains = gains * walls[2 * axis + 1] }
        }
        return gains
    }
}
