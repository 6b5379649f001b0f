import OssicleCore

/// What lies on segments from one place to many points.
package struct BundleCrossings {
    private var segments: [Segment] = []
    /// Of each segment the last crossing found, by its number; −1 where there is none.
    private var last: [Int32] = []
    /// Crossings as they were found, each with the number of the one before on the same segment.
    private var found: [(crossing: Crossing, before: Int32)] = []

    package init() {}

    /// Replaces `crossings` by everything on one segment, as `RayTracer.findCrossings` gives it.
    @inline(__always)
    package func take(_ segment: Int, into crossings: inout [Crossing]) {
        if !crossings.isEmpty { crossings.removeAll(keepingCapacity: true) }
        var number = last[segment]
        while number >= 0 {
            crossings.append(found[Int(number)].crossing)
            number = found[Int(number)].before
        }
        crossings.settle(within: segments[segment].slack)
    }

    mutating func begin(from start: Vector, to ends: [Vector]) {
        segments = ends.map { Segment(from: start, to: $0) }
        last = Array(repeating: -1, count: ends.count)
        found.removeAll(keepingCapacity: true)
    }

    /// For tracers that search for one segment at a time.
    mutating func add(_ crossings: [Crossing], on segment: Int) {
        for crossing in crossings { add(crossing, on: segment) }
    }

    @inline(__always)
    private mutating func add(_ crossing: Crossing, on segment: Int) {
        found.append((crossing, last[segment]))
        last[segment] = Int32(found.count - 1)
    }

    /// Adds what lies on them of one mesh.
    /// - Parameter box: around the mesh in the world: segments that do not meet it do not meet the mesh.
    mutating func add(_ mesh: UnsafePointer<PlacedMesh>, within box: Bounds?) {
        for first in stride(from: 0, to: segments.count, by: RayBundle.most) {
            add(mesh, within: box, first..<min(first + RayBundle.most, segments.count))
        }
    }

    private mutating func add(_ mesh: UnsafePointer<PlacedMesh>, within box: Bounds?, _ range: Range<Int>) {
        withUnsafeTemporaryAllocation(of: Segment.self, capacity: range.count) { locals in
            var left = RayMask.zero
            for (index, segment) in segments[range].enumerated() {
                locals.initializeElement(at: index, to: mesh.pointee.local(segment))
                if segment.isTraceable { left.set(index) }
            }
            guard let all = locals.baseAddress, !left.isEmpty else { return }
            let wide = mesh.pointee.wide
            guard RayBundle.reaches(from: all[left.firstBit].start, wide) else {
                return left.forEachBit { index in
                    _ = mesh.pointee.tree.search(all[index]) { place in
                        cross(mesh, place, all + index, on: range.lowerBound + index, leaf: nil, box: box)
                        return false
                    }
                }
            }
            withWorkingSpace { space, vectors in
                let lanes = RayLanes(UnsafeBufferPointer(locals), space: vectors)
                while !left.isEmpty {
                    let bundle = RayBundle(all, left: &left, in: wide, space: space)
                    bundle.search(wide) { leaf, mask in
                        for place in leaf.places {
                            lanes.narrow(mask, to: mesh.pointee.facets + place).forEachBit { index in
                                cross(
                                    mesh, place, all + index, on: range.lowerBound &+ index, leaf: leaf.number, box: box
                                )
                            }
                        }
                    }
                }
            }
        }
    }

    private func withWorkingSpace(
        _ body: (UnsafeMutablePointer<RayMask>, UnsafeMutablePointer<SIMD4<Float>>) -> Void
    ) {
        withUnsafeTemporaryAllocation(of: RayMask.self, capacity: RayBundle.spaceSize) { masks in
            withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: RayLanes.spaceSize) { vectors in
                guard let masks = masks.baseAddress, let vectors = vectors.baseAddress else { return }
                body(masks, vectors)
            }
        }
    }

    /// Adds a facet where a segment crosses it, if a search for this segment alone would have come to it. It would where
    /// the crossing is clear; where a facet is seen nearly edge on, rounding may find a crossing beside it.
    @inline(__always)
    private mutating func cross(
        _ mesh: UnsafePointer<PlacedMesh>, _ place: Int, _ local: UnsafePointer<Segment>, on segment: Int,
        leaf: Int?, box: Bounds?
    ) {
        let facet = mesh.pointee.facets + place
        guard let passage = facet.pointee.crossing(local.pointee) else { return }
        if let leaf, !passage.isClear {
            let around = mesh.pointee.tree.bounds(of: leaf)
            guard Slabs(local.pointee).meet(around.lower, around.upper, before: 1) else { return }
        }
        if let box, !Slabs(segments[segment]).meet(box.lower, box.upper, before: 1) { return }
        add(Crossing(passage, mesh.pointee.occluder, facet: facet.pointee), on: segment)
    }
}
