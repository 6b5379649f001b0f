import OssicleCore

extension BoxRoom {
    /// One image as the listener hears it.
    package struct Arrival: BitwiseCopyable, Hashable, Sendable {
        /// Reflections along each axis.
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

    /// Reflections of an image at most.
    package static let highestOrder = 1000

    /// Replaces `arrivals` by all images up to an order, lowest order first, those of an order by index. An array that
    /// has room for them already is not allocated again.
    package func findArrivals(
        of source: Vector, at listener: Vector, order: Int, speedOfSound: Double, into arrivals: inout [Arrival]
    ) {
        let highest = min(max(order, 0), BoxRoom.highestOrder)
        arrivals.removeAll(keepingCapacity: true)
        arrivals.reserveCapacity(BoxRoom.count(upTo: highest))
        let (x, y, z) = (
            axis(0, source, listener: listener, highest: highest),
            axis(1, source, listener: listener, highest: highest), axis(2, source, listener: listener, highest: highest)
        )
        let inverse = 1 / speedOfSound
        x.withUnsafeBufferPointer { x in
            y.withUnsafeBufferPointer { y in
                z.withUnsafeBufferPointer { z in
                    for n in 0...highest {
                        BoxRoom.forEachIndex(ofOrder: n) { i, j, k in
                            let (a, b, c) = (x[i + highest], y[j + highest], z[k + highest])
                            let offset = a.offset + b.offset + c.offset
                            let distance = offset.magnitude
                            let index = SIMD3(
                                Int16(truncatingIfNeeded: i), Int16(truncatingIfNeeded: j), Int16(truncatingIfNeeded: k)
                            )
                            arrivals.append(
                                Arrival(
                                    index: index, position: listener + offset, distance: distance,
                                    delay: distance * inverse,
                                    gains: a.gains * b.gains * c.gains))
                        }
                    }
                }
            }
        }
    }

    /// What reflections along one axis do: the part of the path from listener to image along it, and what its two walls
    /// leave.
    private struct Mirroring: BitwiseCopyable {
        var offset: Vector
        var gains: OctaveBands
    }

    /// For indices −`highest`…`highest`. Each row of factors grows from the one before by a single wall.
    private func axis(_ axis: Int, _ source: Vector, listener: Vector, highest: Int) -> [Mirroring] {
        let direction = [frame.right, frame.up, frame.back][axis]
        let (s, l) = ((frame.toLocalUnscaled(source) - corner)[axis], (frame.toLocalUnscaled(listener) - corner)[axis])
        var rows = (-highest...highest).map { index in
            Mirroring(offset: direction * (BoxRoom.mirrored(s, index, size: size[axis]) - l), gains: .ones)
        }
        for index in stride(from: 1, through: highest, by: 1) {
            let (first, second) =
                index & 1 == 1 ? (walls[2 * axis + 1], walls[2 * axis]) : (walls[2 * axis], walls[2 * axis + 1])
            rows[highest + index].gains = rows[highest + index - 1].gains * first
            rows[highest - index].gains = rows[highest - index + 1].gains * second
        }
        return rows
    }
}

extension BoxRoom {
    /// The reflections of a source as paths, orders 1…`order`, lowest order first.
    package func paths(of source: Vector, at listener: Vector, order: Int) -> [SoundPath] {
        guard source.isFinite, listener.isFinite, order > 0 else { return [] }
        if order > ImageSource.highestOrder { return audiblePaths(of: source, at: listener, order: order) }
        var arrivals: [Arrival] = []
        findArrivals(of: source, at: listener, order: order, speedOfSound: 1, into: &arrivals)
        return arrivals.dropFirst().map { path($0, source, listener: listener) }
    }

    private func path(_ arrival: Arrival, _ source: Vector, listener: Vector) -> SoundPath {
        let index = SIMD3<Int>(truncatingIfNeeded: arrival.index)
        let direction = (arrival.position - listener).direction ?? .zero
        let corners = corners(index, listener, image: arrival.position)
        return SoundPath(
            kind: .reflection(order: arrival.order),
            identity: corners.reduce(0) { SoundPath.identity($0, then: identities[$1.wall]) },
            length: arrival.distance, bandGains: arrival.gains, arrival: direction,
            departure: image(of: source, index).mirrored(-direction), corners: corners.map(\.place))
    }

    /// Where the direct path from listener to image passes through the walls of the unfolded rooms, folded back into
    /// the room; the source's side first.
    private func corners(_ index: SIMD3<Int>, _ listener: Vector, image: Vector) -> [(wall: Int, place: Vector)] {
        let start = frame.toLocalUnscaled(listener) - corner
        let offset = frame.toLocalUnscaled(image) - corner - start
        var corners: [(share: Double, wall: Int)] = []
        for axis in 0..<3 {
            for step in 0..<abs(index[axis]) {
                // Wall planes lie at every multiple of the size: 1, 2, … upwards, 0, −1, … downwards.
                let plane = index[axis] > 0 ? step + 1 : -step
                let share = offset[axis] != 0 ? (Double(plane) * size[axis] - start[axis]) / offset[axis] : 0
                corners.append((share, 2 * axis + (plane & 1)))
            }
        }
        corners.sort { ($1.share, $0.wall) < ($0.share, $1.wall) }
        return corners.map { corner in
            (corner.wall, frame.position + frame.vector(folded(start + offset * corner.share) + self.corner))
        }
    }

    private func folded(_ p: Vector) -> Vector {
        func folded(_ x: Double, _ size: Double) -> Double {
            let rest = x - (x / (2 * size)).rounded(.down) * 2 * size
            return min(rest, 2 * size - rest)
        }
        return Vector(folded(p.x, size.x), folded(p.y, size.y), folded(p.z, size.z))
    }
}

extension BoxRoom {
    /// Images of orders 1…`order` of which the walls leave something in some band: two walls that reflect among four
    /// that do not have two of each order, where six have 4n² + 2 of order n.
    package func audibleCount(upTo order: Int) -> Int {
        let highest = min(max(order, 0), BoxRoom.highestOrder)
        let (x, y, z) = (live(0, highest), live(1, highest), live(2, highest))
        var count = -1
        for i in x {
            for j in y where abs(i) + abs(j) <= highest {
                let left = highest - abs(i) - abs(j)
                count += min(z.upperBound, left) + min(-z.lowerBound, left) + 1
            }
        }
        return count
    }

    /// The reflections whose walls leave something, orders 1…`order`, lowest order first, those of an order by index.
    /// Work and memory grow with `audibleCount`: some 0.5 kB of each.
    func audiblePaths(of source: Vector, at listener: Vector, order: Int) -> [SoundPath] {
        let highest = min(max(order, 0), BoxRoom.highestOrder)
        let rows = (0..<3).map { axis($0, source, listener: listener, highest: highest) }
        let (x, y, z) = (live(0, highest), live(1, highest), live(2, highest))
        var byOrder = [[Arrival]](repeating: [], count: highest + 1)
        for i in x {
            for j in y where abs(i) + abs(j) <= highest {
                let left = highest - abs(i) - abs(j)
                for k in max(z.lowerBound, -left)...min(z.upperBound, left) where abs(i) + abs(j) + abs(k) > 0 {
                    let (a, b, c) = (rows[0][i + highest], rows[1][j + highest], rows[2][k + highest])
                    let offset = a.offset + b.offset + c.offset
                    byOrder[abs(i) + abs(j) + abs(k)].append(
                        Arrival(
                            index: SIMD3(Int16(i), Int16(j), Int16(k)), position: listener + offset,
                            distance: offset.magnitude, delay: offset.magnitude,
                            gains: a.gains * b.gains * c.gains))
                }
            }
        }
        return byOrder.flatMap { $0.map { path($0, source, listener: listener) } }
    }

    /// Indices of an axis of which its two walls leave something, without a gap around 0.
    private func live(_ axis: Int, _ highest: Int) -> ClosedRange<Int> {
        func isLive(_ index: Int) -> Bool { gains(index, axis: axis).lanes.max() > 0 }
        func last(_ sign: Int) -> Int {
            // Beyond two reflections both walls take part, and a factor of 0 stays one.
            guard highest > 0, isLive(sign) else { return 0 }
            guard highest > 1, isLive(2 * sign) else { return 1 }
            var (good, bad) = (2, highest + 1)
            while bad - good > 1 {
                let middle = (good + bad) / 2
                if isLive(sign * middle) { good = middle } else { bad = middle }
            }
            return good
        }
        return -last(-1)...last(1)
    }
}
