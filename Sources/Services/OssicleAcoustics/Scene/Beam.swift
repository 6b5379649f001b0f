import OssicleCore

/// All segments from one place to the places in a ball: rays of one ear, which mostly meet the same few triangles.
///
/// Bounding balls and planes say what it may meet, never too little: a triangle that none of the segments crosses
/// may count, one that any of them crosses does.
package struct Beam: BitwiseCopyable, Sendable {
    let start: Vector
    let centre: Vector
    let radius: Double
    /// Unit, from the start to the centre; zero where the start is in the ball.
    private let axis: Vector
    private let distance: Double
    /// Of half the angle at the start.
    private let sine: Double
    private let cosine: Double
    /// Around all of it.
    private let box: Bounds

    /// Share of all distances by which rounding may be off.
    private static let margin = 1e-9

    package init(from start: Vector, toBallAt centre: Vector, radius: Double) {
        (self.start, self.centre) = (start, centre)
        let offset = centre - start
        distance = offset.magnitude
        let radius = radius * (1 + Beam.margin) + Beam.margin * (distance + start.magnitude) + 1e-12
        self.radius = radius
        var box = Bounds(lower: centre - radius, upper: centre + radius)
        box.include(start)
        self.box = box
        let isOutside = distance > radius * 1.0001
        axis = isOutside ? offset / distance : .zero
        sine = isOutside ? radius / distance : 1
        cosine = (1 - sine * sine).squareRoot()
    }

    /// The same beam in the coordinates of an object.
    func inside(_ pose: Pose) -> Beam {
        pose == .identity
            ? self
            : Beam(
                from: pose.toLocal(start), toBallAt: pose.toLocal(centre), radius: radius / pose.scale.magnitude)
    }

    @inline(__always)
    func mayMeet(_ lower: Vector, _ upper: Vector) -> Bool {
        guard box.meets(lower, upper) else { return false }
        let half = (upper - lower) * 0.5
        return mayMeet(ballAt: lower + half, radiusSquared: half.lengthSquared)
    }

    /// Whether a ball reaches into the cone, between its tip and the far side of its own ball.
    @inline(__always)
    private func mayMeet(ballAt middle: Vector, radiusSquared square: Double) -> Bool {
        guard cosine > 0 else { return true }
        let offset = middle - start
        let (along, length) = (offset.dot(axis), offset.lengthSquared)
        // (d cos α − t sin α)² ≤ r², where that is above 0.
        let reach = square.squareRoot() + Beam.margin * (distance + length.squareRoot())
        guard along <= distance + radius + reach, along >= -reach else { return false }
        let aside = max(length - along * along, 0).squareRoot()
        return aside * cosine - along * sine <= reach
    }

    @inline(__always)
    func mayCross(_ facet: UnsafePointer<Facet>) -> Bool {
        let (corner, normal) = (facet.pointee.corner, facet.pointee.normal)
        let (from, to) = (normal.dot(start - corner), normal.dot(centre - corner))
        let hair = Beam.margin * (distance + from.magnitude + radius)
        if from > hair && to - radius > hair || from < -hair && to + radius < -hair { return false }
        let (edge1, edge2) = (facet.pointee.edge1, facet.pointee.edge2)
        let third = (edge1 + edge2) * (1.0 / 3)
        let square = max(third.lengthSquared, max((edge1 - third).lengthSquared, (edge2 - third).lengthSquared))
        return mayMeet(ballAt: corner + third, radiusSquared: square * (1 + 1e-6))
    }
}

/// The triangles that rays of a beam may cross. Valid as long as the scene lives.
package struct BeamObstacles {
    private var facets: [UnsafePointer<Facet>] = []
    /// Each mesh with the end of its part of `facets`.
    private var meshes: [(mesh: UnsafePointer<PlacedMesh>, end: Int)] = []

    package var isEmpty: Bool { facets.isEmpty }

    /// Triangles of a beam that each of its rays is tested against; where there are more, a search for all rays together
    /// is faster.
    package static let most = 8
    /// Of a `WideTree` in which they are looked for first; four boxes each.
    static let mostNodes = 64

    /// Adds a mesh's triangles. True where there are more than `most` of all meshes.
    mutating func add(_ mesh: UnsafePointer<PlacedMesh>, _ beam: Beam, most: Int) -> Bool {
        let local = beam.inside(mesh.pointee.pose)
        let known = facets.count
        let isCrowded = mesh.pointee.tree.search({ local.mayMeet($0, $1) }) { place in
            let facet = mesh.pointee.facets + place
            guard local.mayCross(facet) else { return false }
            facets.append(facet)
            return facets.count > most
        }
        if facets.count > known { meshes.append((mesh, facets.count)) }
        return isCrowded
    }

    /// What `RayTracer.findCrossings` finds on a segment of the beam.
    package func findCrossings(from start: Vector, to end: Vector, into crossings: inout [Crossing]) {
        if !crossings.isEmpty { crossings.removeAll(keepingCapacity: true) }
        if facets.isEmpty { return }
        let segment = Segment(from: start, to: end)
        guard segment.isTraceable else { return }
        var first = 0
        for (mesh, end) in meshes {
            let local = mesh.pointee.local(segment)
            for place in first..<end {
                if let passage = facets[place].pointee.crossing(local) {
                    crossings.append(Crossing(passage, mesh.pointee.occluder, facet: facets[place]))
                }
            }
            first = end
        }
        crossings.settle(within: segment.slack)
    }

    /// What `RayTracer.isBlocked` answers for a segment of the beam.
    func areCrossed(from start: Vector, to end: Vector) -> Bool {
        if facets.isEmpty { return false }
        let segment = Segment(from: start, to: end)
        guard segment.isTraceable else { return false }
        var first = 0
        for (mesh, end) in meshes {
            let local = mesh.pointee.local(segment)
            for place in first..<end where facets[place].pointee.crossing(local) != nil { return true }
            first = end
        }
        return false
    }
}
