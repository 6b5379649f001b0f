import OssicleCore

extension BoxRoom {
    /// The reflections of a source as paths, orders 1…`order`, lowest order first.
    package func paths(of source: Vector, at listener: Vector, order: Int) -> [SoundPath] {
        guard source.isFinite, listener.isFinite, order > 0 else { return [] }
        var arrivals: [Arrival] = []
        findArrivals(of: source, at: listener, order: order, speedOfSound: 1, into: &arrivals)
        return arrivals.dropFirst().map { path($0, source, listener) }
    }

    private func path(_ arrival: Arrival, _ source: Vector, _ listener: Vector) -> SoundPath {
        let index = SIMD3<Int>(truncatingIfNeeded: arrival.index)
        let direction = (arrival.position - listener).direction ?? .zero
        let corners = corners(index, listener, arrival.position)
        return SoundPath(kind: .reflection(order: arrival.order), identity: corners.reduce(0) { SoundPath.identity($0, then: identities[$1.wall]) },
                         length: arrival.distance, bandGains: arrival.gains, arrival: direction,
                         departure: image(of: source, index).mirrored(-direction), corners: corners.map(\.place))
    }

    /// Where the straight way from listener to image passes through the walls of the unfolded rooms, folded back into the room; the source's
    /// side first.
    private func corners(_ index: SIMD3<Int>, _ listener: Vector, _ image: Vector) -> [(wall: Int, place: Vector)] {
        let start = frame.toLocalUnscaled(listener) - corner
        let way = frame.toLocalUnscaled(image) - corner - start
        var corners: [(share: Double, wall: Int)] = []
        for axis in 0..<3 {
            for step in 0..<abs(index[axis]) {
                // Wall planes lie at every multiple of the size: 1, 2, … upwards, 0, −1, … downwards.
                let plane = index[axis] > 0 ? step + 1 : -step
                let share = way[axis] != 0 ? (Double(plane) * size[axis] - start[axis]) / way[axis] : 0
                corners.append((share, 2 * axis + (plane & 1)))
            }
        }
        corners.sort { ($1.share, $0.wall) < ($0.share, $1.wall) }
        return corners.map { corner in (corner.wall, frame.position + frame.vector(folded(start + way * corner.share) + self.corner)) }
    }

    private func folded(_ p: Vector) -> Vector {
        func folded(_ x: Double, _ size: Double) -> Double {
            let rest = x - (x / (2 * size)).rounded(.down) * 2 * size
            return min(rest, 2 * size - rest)
        }
        return Vector(folded(p.x, size.x), folded(p.y, size.y), folded(p.z, size.z))
    }
}
