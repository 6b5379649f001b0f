import COssicle
import OssicleCore

/// Up to 128 segments from one place, such as those from an ear to the points of a source, that search a tree together.
///
/// Seen from their start along an axis, segments are points (u, v) of a plane and a box is a rectangle at most. The
/// plane is cut into columns and rows. For each border between them a mask tells which segments lie before it, so that
/// four masks tell which of all segments may meet a box (frustum culling, as Wald et al. 2006 do it for grids, and the
/// segments one by one in the same step). A box that none may meet is left out with all that is in it.
///
/// All is in single precision and errs to the safe side: every segment that `TreeSearch` would test against a leaf's
/// facets is among those named for that leaf.
struct RayBundle: BitwiseCopyable {
    /// Segments at most.
    static let most = 128
    /// Masks in the working space: those of 64 columns and one more, then those of rows.
    static let spaceSize = 2 * (64 + 1)

    private var record = ossicle_ray_bundle()

    /// By what u and v (−2…2) may be off, where single precision is off by some 4 · 10⁻⁷; and coordinates as a share of
    /// the largest.
    fileprivate static let margin: Float = 2e-6
    /// Starts that are further from the middle of a mesh than this, in its largest coordinates, see it as too small a
    /// spot to tell its boxes apart.
    private static let farthest = 1e4

    /// Whether a bundle from here is any good.
    @inline(__always)
    static func reaches(from start: Vector, _ tree: WideTree.View) -> Bool {
        (start - tree.centre).largestMagnitude <= farthest * tree.extent
    }

    /// Takes the first of the segments that are left, and all others within some 60° of the same axis.
    /// - Parameters:
    ///   - segments: from one place, in the coordinates of the mesh; all of them can be traced. - left: not empty;
    ///     those taken are removed. - space: `spaceSize` masks to keep until the bundle is done.
    init(
        _ segments: UnsafePointer<Segment>, left: inout RayMask, in tree: WideTree.View,
        space: UnsafeMutablePointer<RayMask>
    ) {
        let leading = left.firstBit
        let leader = segments + leading
        let delta = leader.pointee.delta
        let (x, y, z) = (delta.x.magnitude, delta.y.magnitude, delta.z.magnitude)
        let axis = x >= y && x >= z ? 0 : (y >= z ? 1 : 2)
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3)
        let isRising = delta[axis] > 0
        let start = leader.pointee.start - tree.centre
        let margin =
            RayBundle.margin * Float(start.largestMagnitude + tree.extent)
            + Float(1e-14 * tree.centre.largestMagnitude) + 1e-25
        let sign: Float = isRising ? 1 : -1
        // The start is moved by the margin so that boxes become larger.
        record.lower_u = Int32(u)
        record.upper_u = Int32(u + 3)
        record.lower_v = Int32(v)
        record.upper_v = Int32(v + 3)
        record.near = Int32(isRising ? axis : axis + 3)
        record.far = Int32(isRising ? axis + 3 : axis)
        record.sign = sign
        record.start_lower_u = Float(start[u]) + margin
        record.start_upper_u = Float(start[u]) - margin
        record.start_lower_v = Float(start[v]) + margin
        record.start_upper_v = Float(start[v]) - margin
        record.start_near = sign * Float(start[axis]) + margin
        record.start_far = sign * Float(start[axis]) - margin
        let deltas = UnsafeRawPointer(segments) + RayBundle.deltaOffset
        ossicle_sort_rays(
            deltas.assumingMemoryBound(to: Double.self), MemoryLayout<Segment>.stride, Int32(axis), RayBundle.margin,
            &left, space, &record)
        record.reach *= 1 + RayBundle.margin
        // It is not among them where it is so long or short that nothing is on it.
        left.remove(leading)
    }

    private static let deltaOffset = MemoryLayout<Segment>.offset(of: \.delta) ?? 0
}

extension RayBundle {
    /// Calls `visit` with segments and facets that they cross, and the leaf that a facet is in.
    /// - Parameters:
    ///   - segments: in the coordinates of the mesh. - directions: of all of them. - atOnce: how many leaves are looked
    ///     at together; memory then answers for many at a time. - wanted: the segments that are still of interest.
    @inline(__always)
    func search(
        _ tree: WideTree.View, _ segments: UnsafePointer<Segment>, _ directions: BundleDirections,
        facets: UnsafePointer<Facet>, space: BundleSpace, atOnce: Int, wanted: () -> RayMask,
        _ visit: (_ segment: Int, Facet.Passage, UnsafePointer<Facet>, UnsafePointer<WideTree.Leaf>) -> Void
    ) {
        guard tree.nodeCount > 0 else { return }
        let (stack, leaves, pairs, crossings) = (space.stack, space.leaves, space.pairs, space.crossings)
        assert(
            MemoryLayout<Facet>.stride == MemoryLayout<ossicle_facet>.stride
                && MemoryLayout<Facet>.offset(of: \.size) == MemoryLayout<ossicle_facet>.offset(of: \.size)
                && MemoryLayout<Segment>.stride == MemoryLayout<ossicle_segment>.stride
                && MemoryLayout<Segment>.offset(of: \.limit) == MemoryLayout<ossicle_segment>.offset(of: \.limit))
        let numbers = UnsafeRawPointer(facets).assumingMemoryBound(to: ossicle_facet.self)
        let rays = UnsafeRawPointer(segments).assumingMemoryBound(to: ossicle_segment.self)
        stack[0] = ossicle_ray_visit(rays: RayMask(repeating: .max), number: 0)
        var depth = 1
        withUnsafePointer(to: record) { record in
            while depth > 0 {
                let count = ossicle_search_boxes(
                    record, tree.nodes, tree.leaves, wanted(), stack, &depth, leaves, atOnce)
                var next = 0
                while next < count {
                    let paired = ossicle_pair_rays(
                        tree.leaves, numbers, directions, leaves, &next, count, pairs, BundleSpace.mostPairs)
                    let found = ossicle_cross_facets(tree.leaves, numbers, rays, pairs, paired, crossings)
                    for crossing in UnsafeBufferPointer(start: crossings, count: found) {
                        let pair = pairs[Int(crossing.pair)]
                        let leaf = tree.leaves + Int(pair.place >> 2)
                        visit(
                            Int(pair.ray), Facet.Passage(crossing),
                            facets + (Int(leaf.pointee.first) &+ Int(pair.place & 3)), leaf)
                    }
                }
            }
        }
    }
}

extension Facet.Passage {
    @inline(__always)
    fileprivate init(_ crossing: ossicle_ray_crossing) {
        self.init(
            share: crossing.share, againstNormal: crossing.is_against_normal, isClear: crossing.is_clear)
    }
}
