import OssicleCore

/// What segments from one place cross of one mesh.
struct BundleSearch {
    let mesh: UnsafePointer<PlacedMesh>
    /// Around the mesh in the world: segments that do not meet it do not meet the mesh. Nil where all may.
    let box: Bounds?

    /// Calls `visit` with segments, by their place in the list, and facets that they cross: those that a search for each
    /// segment alone would find, in any order.
    /// - Parameters:
    ///   - segments: at most `RayBundle.most`, in the world. - atOnce: see `RayBundle.search`. - wanted: those that are
    ///     still of interest.
    @inline(__always)
    func search(
        _ segments: UnsafeBufferPointer<Segment>, atOnce: Int, wanted: () -> RayMask,
        _ visit: (_ segment: Int, Facet.Passage, UnsafePointer<Facet>) -> Void
    ) {
        guard let all = segments.baseAddress else { return }
        if mesh.pointee.isInPlace {
            search(segments, all, atOnce, wanted, visit)
        } else {
            withUnsafeTemporaryAllocation(of: Segment.self, capacity: segments.count) { locals in
                guard let local = locals.baseAddress else { return }
                for (index, segment) in segments.enumerated() {
                    (local + index).initialize(to: mesh.pointee.local(segment))
                }
                search(segments, local, atOnce, wanted, visit)
            }
        }
    }

    /// - Parameter local: the segments in the coordinates of the mesh.
    @inline(__always)
    private func search(
        _ segments: UnsafeBufferPointer<Segment>, _ local: UnsafePointer<Segment>, _ atOnce: Int,
        _ wanted: () -> RayMask, _ visit: (_ segment: Int, Facet.Passage, UnsafePointer<Facet>) -> Void
    ) {
        let (wide, facets) = (mesh.pointee.wide, mesh.pointee.facets)
        var left = RayMask.zero
        for index in segments.indices where segments[index].isTraceable { left.set(index) }
        left &= wanted()
        guard !left.isEmpty else { return }
        guard RayBundle.reaches(from: local[left.firstBit].start, wide) else {
            return left.forEachBit { index in
                _ = mesh.pointee.tree.search(local[index]) { place in
                    if let passage = facets[place].crossing(local[index]), meetsBox(segments[index]) {
                        visit(index, passage, facets + place)
                    }
                    return false
                }
            }
        }
        BundleSpace.with { space in
            let directions = BundleDirections(local, of: left, in: wide, space: space.directions)
            while !left.isEmpty {
                let bundle = RayBundle(local, left: &left, in: wide, space: space.masks)
                bundle.search(
                    wide, local, directions, facets: facets, space: space, atOnce: atOnce, wanted: wanted
                ) { index, passage, facet, leaf in
                    if passage.isClear || meetsLeaf(Int(leaf.pointee.number), local[index]), meetsBox(segments[index]) {
                        visit(index, passage, facet)
                    }
                }
            }
        }
    }

    /// Whether a search for this segment alone would have come to a leaf. It would where a crossing in it is clear;
    /// where a facet is seen nearly edge on, rounding may find a crossing beside it.
    @inline(never)
    private func meetsLeaf(_ leaf: Int, _ segment: Segment) -> Bool {
        let around = mesh.pointee.tree.bounds(of: leaf)
        return Slabs(segment).meet(around.lower, around.upper, before: 1)
    }

    @inline(__always)
    private func meetsBox(_ segment: Segment) -> Bool {
        guard let box else { return true }
        return Slabs(segment).meet(box.lower, box.upper, before: 1)
    }
}
