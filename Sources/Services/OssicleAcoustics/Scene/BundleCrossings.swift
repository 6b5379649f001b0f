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
    mutating func add(_ search: BundleSearch) {
        let occluder = search.mesh.pointee.occluder
        // Taken out meanwhile, so that none is checked for other owners with each crossing.
        var found: [(crossing: Crossing, before: Int32)] = []
        swap(&found, &self.found)
        segments.withUnsafeBufferPointer { segments in
            last.withUnsafeMutableBufferPointer { last in
                for first in stride(from: 0, to: segments.count, by: RayBundle.most) {
                    let some = UnsafeBufferPointer(rebasing: segments[first...].prefix(RayBundle.most))
                    search.search(some, wanted: { RayMask(repeating: .max) }) { segment, passage, facet in
                        let place = first &+ segment
                        found.append((Crossing(passage, occluder, facet: facet.pointee), last[place]))
                        last[place] = Int32(truncatingIfNeeded: found.count &- 1)
                    }
                }
            }
        }
        swap(&found, &self.found)
    }
}
