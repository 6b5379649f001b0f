import OssicleCore

extension BoxRoom {
    /// One image as the listener hears it.
    package struct Arrival: BitwiseCopyable, Hashable, Sendable {
        /// Mirrorings along each axis.
        package var index: SIMD3<Int16>
        /// Of the image, in the world.
        package var position: Vector
        /// Metres, and seconds from emission.
        package var distance: Double
        package var delay: Double
        /// What the walls leave; distance and air are not part of it.
        package var gains: OctaveBands

        package var order: Int { Int(abs(index.x)) + Int(abs(index.y)) + Int(abs(index.z)) }
    }

    /// Images of order 0 (the source itself) to `order`, 0…1000: (4n³ + 6n² + 8n + 3)/3 of them up to order n.
    package static func count(upTo order: Int) -> Int {
        let n = min(max(order, 0), highestOrder)
        return (4 * n * n * n + 6 * n * n + 8 * n + 3) / 3
    }

    private static let highestOrder = 1000

    /// Replaces `arrivals` by all images up to an order, lowest order first, those of an order by index. An array that has room for them
    /// already is not allocated again.
    package func findArrivals(of source: Vector, at listener: Vector, order: Int, speedOfSound: Double, into arrivals: inout [Arrival]) {
        let highest = min(max(order, 0), BoxRoom.highestOrder)
        arrivals.removeAll(keepingCapacity: true)
        arrivals.reserveCapacity(BoxRoom.count(upTo: highest))
        let (x, y, z) = (axis(0, source, listener, highest), axis(1, source, listener, highest), axis(2, source, listener, highest))
        let inverse = 1 / speedOfSound
        x.withUnsafeBufferPointer { x in y.withUnsafeBufferPointer { y in z.withUnsafeBufferPointer { z in
            for n in 0...highest {
                BoxRoom.forEachIndex(ofOrder: n) { i, j, k in
                    let (a, b, c) = (x[i + highest], y[j + highest], z[k + highest])
                    let way = a.way + b.way + c.way
                    let distance = way.magnitude
                    let index = SIMD3(Int16(truncatingIfNeeded: i), Int16(truncatingIfNeeded: j), Int16(truncatingIfNeeded: k))
                    arrivals.append(Arrival(index: index, position: listener + way, distance: distance, delay: distance * inverse,
                                            gains: a.gains * b.gains * c.gains))
                }
            }
        } } }
    }

    /// What mirrorings along one axis do: the part of the way from listener to image along it, and what its two walls leave.
    private struct Mirroring: BitwiseCopyable {
        var way: Vector
        var gains: OctaveBands
    }

    /// For indices −`highest`…`highest`. Each row of factors grows from the one before by a single wall.
    private func axis(_ axis: Int, _ source: Vector, _ listener: Vector, _ highest: Int) -> [Mirroring] {
        let direction = [frame.right, frame.up, frame.back][axis]
        let (s, l) = ((frame.toLocalUnscaled(source) - corner)[axis], (frame.toLocalUnscaled(listener) - corner)[axis])
        var rows = (-highest...highest).map { index in
            Mirroring(way: direction * (BoxRoom.mirrored(s, index, size[axis]) - l), gains: .ones)
        }
        for index in stride(from: 1, through: highest, by: 1) {
            let (first, second) = index & 1 == 1 ? (walls[2 * axis + 1], walls[2 * axis]) : (walls[2 * axis], walls[2 * axis + 1])
            rows[highest + index].gains = rows[highest + index - 1].gains * first
            rows[highest - index].gains = rows[highest - index + 1].gains * second
        }
        return rows
    }
}
