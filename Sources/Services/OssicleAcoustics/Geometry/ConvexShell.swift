import OssicleCore

/// The planes of a mesh that is one convex closed surface, as most rooms are: from inside, a ray leaves through the
/// plane it comes to first, and two positions inside see each other.
///
/// A shell proposes and `Facet` decides, as with Embree: where a position is not clearly inside, or on a wall and
/// leaving it, the shell does not know.
final class ConvexShell: @unchecked Sendable {
    /// More planes than these take longer than a tree.
    private static let mostPlanes = 12
    /// Facets of one plane that are tried one after the other.
    private static let mostFacets = 8
    /// Shares of the mesh's size: what is nearer to a plane is not clearly inside; what is as near as this is on it.
    private static let (margin, contact) = (3e-5, 1e-12)
    /// Corners may lie this share of the size outside of a plane.
    private static let roughness = 1e-12

    let view: UnsafePointer<View>

    struct Plane: BitwiseCopyable {
        /// Unit, outwards.
        let normal: Vector
        /// n · p of its points, metres.
        let offset: Double
        let firstFacet: Int
        let facetCount: Int
    }

    /// For inner loops. Valid as long as the mesh lives.
    struct View: BitwiseCopyable, @unchecked Sendable {
        fileprivate let planes: UnsafeMutablePointer<Plane>
        fileprivate let planeCount: Int
        /// Places of facets, plane by plane.
        fileprivate let places: UnsafeMutablePointer<Int>
        fileprivate let margin: Double
        fileprivate let contact: Double
    }

    /// Nil for any other shape.
    init?(_ facets: UnsafeBufferPointer<Facet>, _ bounds: Bounds, pieceCount: Int) {
        guard pieceCount == 1, facets.count >= 4, facets.count <= Self.mostPlanes * Self.mostFacets,
            facets.allSatisfy(\.isClosed)
        else { return nil }
        let size = bounds.extent.magnitude + bounds.centre.magnitude
        let corners = facets.flatMap { [$0.corner, $0.corner + $0.edge1, $0.corner + $0.edge2] }
        var planes: [(normal: Vector, offset: Double, places: [Int])] = []
        for (place, facet) in facets.enumerated() {
            let isOutward = facet.normal.dot(facet.corner - bounds.centre) > 0
            let normal = isOutward ? facet.normal : -facet.normal
            let offset = normal.dot(facet.corner)
            if let known = planes.firstIndex(where: {
                ($0.normal - normal).magnitude < 1e-9 && ($0.offset - offset).magnitude < Self.roughness * size
            }) {
                planes[known].places.append(place)
            } else {
                planes.append((normal, offset, [place]))
            }
        }
        guard planes.count <= Self.mostPlanes, planes.allSatisfy({ $0.places.count <= Self.mostFacets }),
            planes.allSatisfy({ plane in
                corners.allSatisfy { plane.normal.dot($0) - plane.offset < Self.roughness * size }
            })
        else { return nil }
        let places = UnsafeMutablePointer<Int>.allocate(capacity: facets.count)
        let list = UnsafeMutablePointer<Plane>.allocate(capacity: planes.count)
        var next = 0
        for (index, plane) in planes.enumerated() {
            (list + index).initialize(
                to: Plane(
                    normal: plane.normal, offset: plane.offset, firstFacet: next, facetCount: plane.places.count))
            for place in plane.places {
                (places + next).initialize(to: place)
                next += 1
            }
        }
        let view = UnsafeMutablePointer<View>.allocate(capacity: 1)
        view.initialize(
            to: View(
                planes: list, planeCount: planes.count, places: places, margin: Self.margin * size,
                contact: Self.contact * size))
        self.view = UnsafePointer(view)
    }

    deinit {
        view.pointee.planes.deallocate()
        view.pointee.places.deallocate()
        view.deallocate()
    }
}

extension ConvexShell.View {
    /// Sine of the least angle at which a segment leaves the wall it starts on.
    private static var steep: Double { 1e-2 }

    /// The facet through which a segment from inside leaves, and where; nil where that is not sure.
    @inline(__always)
    func exit(of segment: Segment, facets: UnsafePointer<Facet>) -> (facet: UnsafePointer<Facet>, Facet.Passage)? {
        var (nearest, best) = (Double.infinity, -1)
        for index in 0..<planeCount {
            let plane = planes + index
            let (depth, rise) = (depth(of: segment.start, plane), plane.pointee.normal.dot(segment.delta))
            guard isInside(depth, rise, segment) else { return nil }
            if rise > 0, depth < nearest * rise { (nearest, best) = (depth / rise, index) }
        }
        guard best >= 0 else { return nil }
        let plane = planes + best
        for number in 0..<plane.pointee.facetCount {
            let facet = facets + places[plane.pointee.firstFacet + number]
            if let passage = facet.pointee.crossing(segment), passage.isClear { return (facet, passage) }
        }
        return nil
    }

    /// Whether both ends are inside, so that nothing of the shell lies between them; false where that is not sure.
    @inline(__always)
    func contains(_ segment: Segment) -> Bool {
        let end = segment.start + segment.delta
        for index in 0..<planeCount {
            let plane = planes + index
            guard isInside(depth(of: segment.start, plane), plane.pointee.normal.dot(segment.delta), segment),
                depth(of: end, plane) > margin
            else { return false }
        }
        return true
    }

    @inline(__always)
    private func depth(of place: Vector, _ plane: UnsafeMutablePointer<ConvexShell.Plane>) -> Double {
        plane.pointee.offset - plane.pointee.normal.dot(place)
    }

    /// Whether a start at that depth is clearly inside, or on the plane and leaving it.
    @inline(__always)
    private func isInside(_ depth: Double, _ rise: Double, _ segment: Segment) -> Bool {
        depth > margin || depth.magnitude <= contact && rise < -Self.steep * segment.length
    }
}
