import OssicleCore

extension Wedge {
    /// Whether another edge runs the same way between faces that lie the same way.
    func isParallel(to other: Wedge) -> Bool {
        isAligned(with: other) && (openness - other.openness).magnitude < 0.01 && outward.dot(other.outward) > 1 - 1e-4
    }

    private func isAligned(with other: Wedge) -> Bool { direction.dot(other.direction).magnitude > 1 - 1e-6 }

    /// From where to where another edge reaches along this one, in metres from the start; nil where it lies in another line.
    func span(of other: Wedge, gap: Double) -> ClosedRange<Double>? {
        guard isAligned(with: other) else { return nil }
        let ends = [other.start - start, other.end - start]
        let places = ends.map { $0.dot(direction) }
        guard zip(ends, places).allSatisfy({ ($0 - direction * $1).lengthSquared < gap * gap }) else { return nil }
        return min(places[0], places[1])...max(places[0], places[1])
    }

    /// Whether two edges in one line leave no more than half of the space open, as where the faces of one continue those of the other.
    func closes(with other: Wedge) -> Bool {
        let faces = [along, farAlong, other.along, other.farAlong].map { planar(start + $0) }.sorted { $0.angle < $1.angle }
        return zip(faces, faces.dropFirst() + faces.prefix(1)).allSatisfy { near, far in
            let gap = far.angle - near.angle
            let width = gap < 0 ? gap + 2 * DeterministicMath.pi : gap
            guard width > DeterministicMath.pi * (1 + EdgeFinder.flatness) else { return true }
            let (s, c) = DeterministicMath.sincos(near.angle + width / 2)
            let middle = along * c + across * s
            return !isOpen(planar(start + middle)) || !other.isOpen(other.planar(other.start + middle))
        }
    }
}
