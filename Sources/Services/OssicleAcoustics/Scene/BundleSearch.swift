import OssicleCore

/// What segments from one place cross of one mesh.
struct BundleSearch {
    let mesh: UnsafePointer<PlacedMesh>
    /// Around the mesh in the world: segments that do not meet it do not meet the mesh. Nil where all may.
    let box: Bounds?

    /// Calls `visit` with segments, by their place in the list, and facets that they cross: those that a search for each
    /// segment alone would find, in any order.
    /// - Parameters:
    ///   - segments: at most `RayBundle.most`, in the world. - wanted: those that are still of interest.
    @inline(__always)
    func search(
        _ segments: UnsafeBufferPointer<Segment>, wanted: () -> RayMask,
        _ visit: (_ segment: Int, Facet.Passage, UnsafePointer<Facet>) -> Void
    ) {
        withUnsafeTemporaryAllocation(of: Segment.self, capacity: segments.count) { locals in
            var left = RayMask.zero
            for (index, segment) in segments.enumerated() {
                locals.initializeElement(at: index, to: mesh.pointee.local(segment))
                if segment.isTraceable { left.set(index) }
            }
            left &= wanted()
            guard let all = locals.baseAddress, !left.isEmpty else { return }
            guard RayBundle.reaches(from: all[left.firstBit].start, mesh.pointee.wide) else {
                return left.forEachBit { index in
                    _ = mesh.pointee.tree.search(all[index]) { place in
                        let facet = mesh.pointee.facets + place
                        if let passage = facet.pointee.crossing(all[index]), meetsBox(segments[index]) {
                            visit(index, passage, facet)
                        }
                        return false
                    }
                }
            }
            withUnsafeTemporaryAllocation(of: RayMask.self, capacity: RayBundle.spaceSize) { masks in
                withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: RayLanes.spaceSize) { vectors in
                    guard let masks = masks.baseAddress, let vectors = vectors.baseAddress else { return }
                    search(segments, UnsafeBufferPointer(locals), left, masks, vectors, wanted, visit)
                }
            }
        }
    }

    @inline(__always)
    private func search(
        _ segments: UnsafeBufferPointer<Segment>, _ locals: UnsafeBufferPointer<Segment>, _ all: RayMask,
        _ masks: UnsafeMutablePointer<RayMask>, _ vectors: UnsafeMutablePointer<SIMD4<Float>>,
        _ wanted: () -> RayMask,
        _ visit: (_ segment: Int, Facet.Passage, UnsafePointer<Facet>) -> Void
    ) {
        guard let local = locals.baseAddress else { return }
        let wide = mesh.pointee.wide
        let lanes = RayLanes(locals, of: all, in: wide, space: vectors)
        var left = all
        while !left.isEmpty {
            let bundle = RayBundle(local, left: &left, in: wide, space: masks)
            bundle.search(wide, wanted: wanted) { leaf, mask in
                let first = mesh.pointee.facets + Int(leaf.pointee.first)
                lanes.narrow(mask, to: leaf) { index, lane in
                    let facet = first + lane
                    if let passage = facet.pointee.crossing(local[index]),
                        passage.isClear || meetsLeaf(Int(leaf.pointee.number), local[index]),
                        meetsBox(segments[index])
                    {
                        visit(index, passage, facet)
                    }
                }
            }
        }
    }

    /// Whether a search for this segment alone would have come to a leaf. It would where a crossing in it is clear;
    /// where a facet is seen nearly edge on, rounding may find a crossing beside it.
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
