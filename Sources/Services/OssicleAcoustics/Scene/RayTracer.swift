import OssicleCore

/// Answers what lies between two points of a scene. Any implementation gives the same crossings in the same order.
package protocol RayTracer: Sendable {
    var scene: AcousticScene { get }

    /// Replaces `crossings` by everything on the segment, by place on it, then occluder, then triangle.
    ///
    /// What touches an end of the segment does not count: it is what the end stands on. Triangles that meet in an edge
    /// are crossed once there. An end that is no place, or no way at all, crosses nothing.
    func findCrossings(from start: Vector, to end: Vector, into crossings: inout [Crossing])

    /// The same for the segments to many points, each as if it were asked for by itself.
    /// - Parameter beam: holds all of them.
    func findCrossings(
        from start: Vector, to ends: [Vector], within beam: Beam, into bundle: inout BundleCrossings)

    /// Whether anything lies on each of the segments to many points.
    /// - Parameter beam: holds all of them.
    func areBlocked(from start: Vector, to ends: [Vector], within beam: Beam) -> [Bool]

    /// Whether anything lies on the segment.
    /// - Parameter ground: what it leaves. The answer is the same with or without it; a tracer that knows it
    ///   may be faster.
    func isBlocked(from start: Vector, to end: Vector, leaving ground: Ground) -> Bool

    /// Whether anything but some occluders lies on the segment.
    /// - Parameter isLeftOut: by occluder.
    func isBlocked(from start: Vector, to end: Vector, leavingOut isLeftOut: [Bool]) -> Bool

    /// What a ray meets first within `reach` metres, and of surfaces at one place the first in the scene. What it
    /// starts on does not count. Nothing where the start is no place, the direction is not unit or the reach no number.
    /// - Parameters: direction: unit. - ground: as above.
    func nearestHit(from start: Vector, towards direction: Vector, within reach: Double, leaving ground: Ground) -> Hit?

    /// All that the rays of a beam may cross, so that each ray only has to be tested against these: nil where that is
    /// more than `most` triangles, or not known.
    func obstacles(of beam: Beam, atMost most: Int) -> BeamObstacles?

    /// The same where each ray of a beam is to be tested: nil also where a search for all of them is likely to be faster.
    func fewObstacles(of beam: Beam) -> BeamObstacles?
}

extension RayTracer {
    package func obstacles(of beam: Beam, atMost most: Int) -> BeamObstacles? { nil }

    package func fewObstacles(of beam: Beam) -> BeamObstacles? { obstacles(of: beam, atMost: BeamObstacles.most) }

    package func findCrossings(
        from start: Vector, to ends: [Vector], within beam: Beam, into bundle: inout BundleCrossings
    ) {
        bundle.begin(from: start, to: ends)
        var crossings: [Crossing] = []
        for (segment, end) in ends.enumerated() {
            findCrossings(from: start, to: end, into: &crossings)
            bundle.add(crossings, on: segment)
        }
    }

    package func areBlocked(from start: Vector, to ends: [Vector], within beam: Beam) -> [Bool] {
        ends.map { isBlocked(from: start, to: $0) }
    }

    @inline(__always)
    package func isBlocked(from start: Vector, to end: Vector) -> Bool {
        isBlocked(from: start, to: end, leaving: .unknown)
    }

    @inline(__always)
    package func nearestHit(from start: Vector, towards direction: Vector, within reach: Double) -> Hit? {
        nearestHit(from: start, towards: direction, within: reach, leaving: .unknown)
    }
}

/// Where a ray meets the scene first.
package struct Hit: Sendable, Hashable {
    /// Metres from the ray's start.
    package var distance: Double
    package var position: Vector
    /// Unit, towards the side the ray came from.
    package var normal: Vector
    /// Index in the scene's occluders.
    package var occluder: Int32
    /// Index in the occluder's mesh.
    package var triangle: Int32
    /// Index in the occluder's materials.
    package var element: Int32
    /// For a ray that continues here.
    package let ground: Ground

    init(
        distance: Double, position: Vector, normal: Vector, occluder: Int32, triangle: Int32, element: Int32,
        isClear: Bool
    ) {
        (self.distance, self.position, self.normal) = (distance, position, normal)
        (self.occluder, self.triangle, self.element) = (occluder, triangle, element)
        ground = isClear ? Ground(occluder: occluder) : .unknown
    }
}

/// The ray tracer in plain Swift, the same bits on every machine.
package typealias PortableTracer = MeshTracer<TreeSearch>

/// Searches a mesh by its tree of boxes. Never inlined: it would burden the stack of those who only fall back to it.
package enum TreeSearch: MeshSearch {
    @inline(never)
    package static func findNearest(
        in mesh: UnsafePointer<PlacedMesh>, _ segment: Segment, nearest: inout NearestCrossing
    ) {
        mesh.pointee.tree.searchInOrder(segment, { nearest.share }) { place in
            let facet = mesh.pointee.facets + place
            if let passage = facet.pointee.crossing(segment) { _ = nearest.take(passage, mesh, facet: facet) }
        }
    }

    @inline(never)
    package static func isBlocked(by mesh: UnsafePointer<PlacedMesh>, _ segment: Segment) -> Bool {
        mesh.pointee.tree.search(segment) { mesh.pointee.facets[$0].crossing(segment) != nil }
    }

    @inline(never)
    package static func findCrossings(
        of mesh: UnsafePointer<PlacedMesh>, _ segment: Segment, into crossings: inout [Crossing]
    ) {
        _ = mesh.pointee.tree.search(segment) { place in
            let facet = mesh.pointee.facets + place
            if let passage = facet.pointee.crossing(segment) {
                crossings.append(Crossing(passage, mesh.pointee.occluder, facet: facet))
            }
            return false
        }
    }
}
