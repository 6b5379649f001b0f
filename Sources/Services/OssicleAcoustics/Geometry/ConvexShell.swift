import OssicleCore

/// The planes of a convex closed surface that holds all of a mesh, as the walls of most rooms do: from inside, a ray
/// leaves through the plane it comes to first, and nothing of the shell lies between two positions inside.
///
/// A shell proposes and `Facet` decides, as with Embree: where a position is not clearly inside, or on a wall and
/// leaving it, the shell does not know.
final class ConvexShell: @unchecked Sendable {
    /// More planes than these take longer than a tree.
    fileprivate static let mostPlanes = 12
    /// Facets of one plane that are tried one after the other.
    fileprivate static let mostFacets = 8
    /// Shares of the mesh's size: what is nearer to a plane is not clearly inside; what is as near as this is on it.
    private static let (margin, contact) = (3e-5, 1e-12)
    /// Corners may lie this share of the size outside of a plane.
    private static let roughness = 1e-12

    let view: UnsafePointer<View>
    /// Of the mesh, the piece that is the shell.
    let piece: Int32
    /// Up to `FourBoxes.count` boxes around everything else.
    let contents: [Bounds]

    /// Two planes, side by side, so that each operation serves both.
    struct Planes: BitwiseCopyable {
        /// Unit normals, outwards; zero where there is no plane.
        fileprivate var x = SIMD2<Double>.zero
        fileprivate var y = SIMD2<Double>.zero
        fileprivate var z = SIMD2<Double>.zero
        /// n · p of the planes' points, metres: no position is outside of a plane that is none.
        fileprivate var offset = SIMD2<Double>(repeating: .infinity)

        /// n · v.
        @inline(__always)
        fileprivate func along(_ v: Vector) -> SIMD2<Double> { x * v.x + y * v.y + z * v.z }

        fileprivate mutating func set(_ normal: Vector, _ offset: Double, lane: Int) {
            (x[lane], y[lane], z[lane], self.offset[lane]) = (normal.x, normal.y, normal.z, offset)
        }
    }

    /// The facets in one plane.
    struct Face: BitwiseCopyable {
        fileprivate let facets: UnsafePointer<UnsafePointer<Facet>>
        fileprivate let facetCount: Int
        /// Of two facets that share a side: the plane through it, upright on both, with the second facet in front. Zero
        /// for any others.
        fileprivate var divider: Vector
        /// Of the divider.
        fileprivate var offset: Double
    }

    /// For inner loops. Valid as long as the mesh lives.
    struct View: BitwiseCopyable, @unchecked Sendable {
        fileprivate let planes: UnsafeMutablePointer<Planes>
        /// Half the planes, rounded up.
        fileprivate let pairCount: Int
        /// By plane.
        fileprivate let faces: UnsafeMutablePointer<Face>
        /// Plane by plane.
        fileprivate let facets: UnsafeMutablePointer<UnsafePointer<Facet>>
        fileprivate let margin: Double
        fileprivate let contact: Double
        /// Whether there is nothing else of the mesh.
        let isEmpty: Bool
    }

    /// Nil for any other shape.
    init?(_ facets: UnsafeBufferPointer<Facet>, _ bounds: Bounds, pieceCount: Int) {
        guard let first = facets.baseAddress, let walls = Walls(facets, pieceCount: pieceCount) else {
            return nil
        }
        let size = bounds.extent.magnitude + bounds.centre.magnitude
        var planes: [(normal: Vector, offset: Double, places: [Int])] = []
        for place in walls.places {
            let facet = facets[place]
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
                walls.corners.allSatisfy { plane.normal.dot($0) - plane.offset < Self.roughness * size }
            })
        else { return nil }
        let pairCount = (planes.count + 1) / 2
        let list = UnsafeMutablePointer<UnsafePointer<Facet>>.allocate(capacity: walls.places.count)
        let pairs = UnsafeMutablePointer<Planes>.allocate(capacity: pairCount)
        let faces = UnsafeMutablePointer<Face>.allocate(capacity: planes.count)
        pairs.initialize(repeating: Planes(), count: pairCount)
        var next = list
        for (index, plane) in planes.enumerated() {
            pairs[index / 2].set(plane.normal, plane.offset, lane: index % 2)
            let face = next
            for place in plane.places {
                next.initialize(to: first + place)
                next += 1
            }
            (faces + index).initialize(
                to: Face(
                    facets: face, count: plane.places.count, normal: plane.normal, tolerance: Self.roughness * size))
        }
        let view = UnsafeMutablePointer<View>.allocate(capacity: 1)
        view.initialize(
            to: View(
                planes: pairs, pairCount: pairCount, faces: faces, facets: list, margin: Self.margin * size,
                contact: Self.contact * size, isEmpty: walls.places.count == facets.count))
        self.view = UnsafePointer(view)
        piece = walls.piece
        let tree = BoxTree(walls.others, leafSize: 1)
        contents =
            walls.others.isEmpty ? [] : tree.view.opened(0, to: FourBoxes.count).map(tree.view.bounds)
    }

    deinit {
        view.pointee.planes.deallocate()
        view.pointee.faces.deallocate()
        view.pointee.facets.deallocate()
        view.deallocate()
    }
}

/// The facets that may be the shell of a mesh.
private struct Walls {
    let piece: Int32
    /// In the mesh's facets.
    let places: [Int]
    /// Around each other piece.
    let others: [Bounds]
    /// What has to lie within: theirs, and those of a box around everything else.
    let corners: [Vector]

    /// The first closed piece that is as large as the mesh; nil where there is none, or one of too many facets.
    init?(_ facets: UnsafeBufferPointer<Facet>, pieceCount: Int) {
        var boxes = Array(repeating: (all: 0, box: Bounds.empty), count: pieceCount)
        for facet in facets {
            boxes[Int(facet.piece)].all += 1
            boxes[Int(facet.piece)].box.include(facet.bounds)
        }
        let whole = boxes.reduce(into: Bounds.empty) { $0.include($1.box) }
        guard let piece = boxes.firstIndex(where: { $0.box == whole }), boxes[piece].all >= 4,
            boxes[piece].all <= ConvexShell.mostFacets * ConvexShell.mostPlanes
        else { return nil }
        places = facets.indices.filter { facets[$0].piece == piece }
        guard places.allSatisfy({ facets[$0].isClosed }) else { return nil }
        others = boxes.indices.filter { $0 != piece && boxes[$0].all > 0 }.map { boxes[$0].box }
        // In a room with thick walls rays come to the inner faces of the walls, not to the shell.
        guard others.allSatisfy({ $0.halfArea < whole.halfArea / 2 }) else { return nil }
        self.piece = Int32(piece)
        let rest = others.reduce(into: Bounds.empty) { $0.include($1) }
        corners = places.flatMap { facets[$0].corners } + (rest.isEmpty ? [] : rest.corners)
    }
}

extension ConvexShell.Face {
    /// - Parameter tolerance: metres within which corners are the same.
    fileprivate init(facets: UnsafePointer<UnsafePointer<Facet>>, count: Int, normal: Vector, tolerance: Double) {
        (self.facets, facetCount, divider, offset) = (facets, count, .zero, 0)
        guard count == 2 else { return }
        let corners = (0..<2).map { number in
            let facet = facets[number].pointee
            return [facet.corner, facet.corner + facet.edge1, facet.corner + facet.edge2]
        }
        func isShared(_ corner: Vector) -> Bool { corners[0].contains { ($0 - corner).magnitude <= tolerance } }
        let shared = corners[1].filter(isShared)
        guard shared.count == 2, let free = corners[1].first(where: { !isShared($0) }) else { return }
        let across = normal.cross(shared[1] - shared[0])
        divider = across.dot(free - shared[0]) > 0 ? across : -across
        offset = divider.dot(shared[0])
    }
}

extension ConvexShell.View {
    /// Sine of the least angle at which a segment leaves the wall it starts on.
    private static var steep: Double { 1e-2 }

    /// The facet through which a segment from inside leaves, and where; nil where that is not sure.
    ///
    /// Which plane that is no processor foresees: there is no branch until it is known.
    @inline(__always)
    func exit(of segment: Segment) -> (facet: UnsafePointer<Facet>, Facet.Passage)? {
        var nearest = SIMD2<Double>(repeating: .infinity), best = SIMD2<Double>.zero
        var numbers = SIMD2<Double>(0, 1), isInside = SIMDMask<SIMD2<Int64>>(repeating: true)
        for pair in 0..<pairCount {
            let rise = planes[pair].along(segment.delta)
            let depth = planes[pair].offset - planes[pair].along(segment.start)
            isInside .&= self.isInside(depth, rise, segment)
            let distance = depth / rise
            let isNearer = (rise .> 0) .& (distance .< nearest)
            nearest.replace(with: distance, where: isNearer)
            best.replace(with: numbers, where: isNearer)
            numbers += 2
        }
        let distance = min(nearest.x, nearest.y)
        guard all(isInside), distance < .infinity else { return nil }
        let face = faces + Int(nearest.y < nearest.x ? best.y : best.x)
        let exit = segment.start + segment.delta * distance
        // Of two facets the likely one is tried first; none is clear where another is.
        let first = face.pointee.divider.dot(exit) > face.pointee.offset ? 1 : 0
        for number in 0..<face.pointee.facetCount {
            let facet = face.pointee.facets[number ^ first]
            if let passage = facet.pointee.crossing(segment), passage.isClear { return (facet, passage) }
        }
        return nil
    }

    /// Whether both ends are inside, so that nothing of the shell lies between them; false where that is not sure.
    @inline(__always)
    func contains(_ segment: Segment) -> Bool {
        var isInside = SIMDMask<SIMD2<Int64>>(repeating: true)
        for pair in 0..<pairCount {
            let rise = planes[pair].along(segment.delta)
            let depth = planes[pair].offset - planes[pair].along(segment.start)
            isInside .&= self.isInside(depth, rise, segment) .& (depth - rise .> margin)
        }
        return all(isInside)
    }

    /// Whether a start at these depths is clearly inside, or on a plane and leaving it.
    @inline(__always)
    private func isInside(
        _ depth: SIMD2<Double>, _ rise: SIMD2<Double>, _ segment: Segment
    ) -> SIMDMask<SIMD2<Int64>> {
        let isOn = (depth .<= contact) .& (depth .>= -contact)
        return (depth .> margin) .| isOn .& (rise .< -Self.steep * segment.length)
    }
}
