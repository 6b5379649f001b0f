import OssicleCore

/// A screen's plane across its edges, with source and listener on either side.
struct SlotPlane {
    struct Place {
        /// Metres along the row, and from the middle of the screen, above 0.
        let along: Double
        let off: Double

        /// Metres beside an end of a wall, above 0 on its open side.
        func aside(_ place: Double, _ outward: Double) -> Double { (along - place) * outward }

        /// Metres to a place of an end that is nearer by `off` than the middle if below 0, and farther if above.
        func distance(_ aside: Double, off: Double) -> Double {
            (aside * aside + (self.off + off) * (self.off + off)).squareRoot()
        }

        /// From the wall's face on this side, as seen from there.
        func angle(_ aside: Double, off: Double) -> Double { PlanarPoint(x: -aside, y: self.off + off).angle }
    }

    /// An end of a wall.
    struct End {
        let place: Double
        let outward: Double
        /// Of source and listener, metres beside it.
        let source: Double
        let receiver: Double
        /// Where the shortest path by the end touches it, metres from the middle towards the listener.
        let touched: Double
        /// The same of the path that its face would mirror if it were wide; nil where it faces only one of the two.
        let mirrored: Double?
        /// Metres, by both corners where neither sees the other place past the end.
        let detour: Double
        /// Whether the straight path passes it on its open side.
        let isLit: Bool
    }

    let source: Place
    let receiver: Place
    let end: Vector
    /// Metres from source to listener.
    let straight: Double
    /// From source to listener along the edges, and where the source is.
    private let rise: Double
    private let foot: Double
    /// 1 where the source is on the side the screen's axis comes from.
    private let side: Double

    /// Nil where both are on one side.
    init?(_ screen: SlottedScreen, from start: Vector, to end: Vector) {
        let (s, r) = (start - screen.origin, end - screen.origin)
        let offs = (s.dot(screen.across), r.dot(screen.across))
        guard offs.0 * offs.1 < 0 else { return nil }
        (source, receiver) = (
            Place(along: s.dot(screen.along), off: offs.0.magnitude),
            Place(along: r.dot(screen.along), off: offs.1.magnitude)
        )
        side = offs.0 < 0 ? 1 : -1
        (foot, rise) = (s.dot(screen.up), (end - start).dot(screen.up))
        (self.end, straight) = (end, (end - start).magnitude)
    }

    /// Metres of a path of that length across the edges.
    func length(_ planar: Double) -> Double { (planar * planar + rise * rise).squareRoot() }

    /// L of an edge between two parts of a path, as long across the edges.
    func reach(_ before: Double, _ after: Double) -> Double {
        let planar = before + after
        return max(before * after / planar * (planar / length(planar)), 1e-6)
    }

    /// Along the edges, where a path of two parts turns.
    func height(_ before: Double, _ after: Double) -> Double { foot + rise * before / max(before + after, 1e-9) }

    func end(at place: Double, outward: Double, depth: Double) -> End {
        let (s, r) = (source.aside(place, outward), receiver.aside(place, outward))
        let touched: Double
        var mirrored: Double?
        if s > 0, r > 0 {
            let mirror = (receiver.off * s - source.off * r) / (s + r)
            mirrored = mirror
            touched = min(max(mirror, -depth), depth)
        } else if s > 0 {
            touched = depth
        } else if r > 0 {
            touched = -depth
        } else {
            // Between the corners, nearer to that from which the other place is hidden less.
            let (x, y) = (-s / source.distance(s, off: -depth), -r / receiver.distance(r, off: -depth))
            touched = x + y > 1e-12 ? depth * (y - x) / (x + y) : 0
        }
        let isAround = s <= 0 && r <= 0
        let planar =
            isAround
            ? source.distance(s, off: -depth) + 2 * depth + receiver.distance(r, off: -depth)
            : source.distance(s, off: touched) + receiver.distance(r, off: -touched)
        return End(
            place: place, outward: outward, source: s, receiver: r, touched: touched, mirrored: mirrored,
            detour: max(length(planar) - straight, 0),
            isLit: !isAround && s * (receiver.off - touched) + r * (source.off + touched) > 0)
    }

    /// Places 2 mm beside the two corners of an end, the source's first.
    func beside(_ end: End, _ screen: SlottedScreen) -> (Vector, Vector) {
        let height = height(
            source.distance(end.source, off: end.touched), receiver.distance(end.receiver, off: -end.touched))
        let middle = screen.origin + screen.up * height + screen.along * (end.place + end.outward * 2e-3)
        let off = screen.across * ((screen.depth + 2e-3) * side)
        return (middle - off, middle + off)
    }
}
