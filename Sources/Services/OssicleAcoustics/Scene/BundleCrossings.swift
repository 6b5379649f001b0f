import OssicleCore

/// What lies on segments from one place to many points.
package struct BundleCrossings: ~Copyable {
    private var segments: [Segment] = []
    /// Of each segment the last crossing found, by its number; −1 where there is none.
    private var last: [Int32] = []
    private var found = FoundCrossings()

    package init() {}

    deinit { found.deallocate() }

    /// Everything on one segment, as `RayTracer.findCrossings` gives it. It stands until the next is taken, and may be
    /// changed.
    @inline(__always)
    package func take(_ segment: Int) -> UnsafeMutableBufferPointer<Crossing> {
        found.settled(last[segment], within: segments[segment].slack)
    }

    mutating func begin(from start: Vector, to ends: [Vector]) {
        segments = ends.map { Segment(from: start, to: $0) }
        last = Array(repeating: -1, count: ends.count)
        found.begin(expecting: FoundCrossings.expected * ends.count)
    }

    /// For tracers that search for one segment at a time.
    mutating func add(_ crossings: [Crossing], on segment: Int) {
        for crossing in crossings { last[segment] = found.add(crossing, behind: last[segment]) }
    }

    /// Adds what lies on them of one mesh.
    mutating func add(_ search: BundleSearch) {
        let occluder = search.mesh.pointee.occluder
        // In a variable of its own, which the loops keep in registers.
        var found = found
        segments.withUnsafeBufferPointer { segments in
            last.withUnsafeMutableBufferPointer { last in
                guard let last = last.baseAddress else { return }
                for first in stride(from: 0, to: segments.count, by: RayBundle.most) {
                    let some = UnsafeBufferPointer(rebasing: segments[first...].prefix(RayBundle.most))
                    search.search(some, atOnce: BundleSpace.manyLeaves, wanted: { RayMask(repeating: .max) }) {
                        segment, passage, facet in
                        let place = last + (first &+ segment)
                        place.pointee = found.add(Crossing(passage, occluder, facet: facet), behind: place.pointee)
                    }
                }
            }
        }
        self.found = found
    }
}

/// Crossings as they were found, each with the number of the one before on the same segment. Who holds them frees them.
private struct FoundCrossings: BitwiseCopyable {
    private struct Found: BitwiseCopyable {
        let crossing: Crossing
        let before: Int32
    }

    /// For each segment: most cross two or four surfaces.
    static let expected = 4

    private var found: UnsafeMutablePointer<Found>?
    /// As many places for those of one segment, as they were found and in order.
    private var gathered: UnsafeMutablePointer<Crossing>?
    private var ordered: UnsafeMutablePointer<Crossing>?
    private var count = 0
    private var capacity = 0

    /// Forgets all.
    mutating func begin(expecting expected: Int) {
        count = 0
        if expected > capacity { grow(to: expected) }
    }

    /// The number of the new crossing.
    @inline(__always)
    mutating func add(_ crossing: Crossing, behind before: Int32) -> Int32 {
        if count == capacity { grow(to: max(2 * capacity, 64)) }
        if let found { (found + count).initialize(to: Found(crossing: crossing, before: before)) }
        count &+= 1
        return Int32(truncatingIfNeeded: count &- 1)
    }

    /// Those of one segment in order along it, each surface once. Mostly none is near another; then each is counted to its
    /// place without a branch for each pair, whose order is a toss-up.
    @inline(__always)
    func settled(_ last: Int32, within slack: Double) -> UnsafeMutableBufferPointer<Crossing> {
        guard let found, let gathered, let ordered else { return UnsafeMutableBufferPointer(start: nil, count: 0) }
        var (number, count) = (Int(last), 0)
        while number >= 0 {
            (gathered + count).initialize(to: found[number].crossing)
            number = Int(found[number].before)
            count &+= 1
        }
        // Bits of positive numbers are in their order; those of a negative one are above all.
        let limit = slack.bitPattern
        var near = 0
        for index in 0..<count {
            let share = gathered[index].share
            var before = 0
            for other in 0..<count {
                let gap = share - gathered[other].share
                before &+= Int(truncatingIfNeeded: gathered[other].share.bitPattern &- share.bitPattern) >> 63
                near &+=
                    Int(truncatingIfNeeded: gap.bitPattern &- limit &- 1) >> 63
                    & ~(Int(truncatingIfNeeded: gap.bitPattern) >> 63)
            }
            (ordered - before).initialize(to: gathered[index])
        }
        // Each is near itself.
        if near == -count { return UnsafeMutableBufferPointer(start: ordered, count: count) }
        let kept = UnsafeMutableBufferPointer(start: gathered, count: count).settle(within: slack)
        return UnsafeMutableBufferPointer(start: gathered, count: kept)
    }

    @inline(never)
    private mutating func grow(to capacity: Int) {
        let more = UnsafeMutablePointer<Found>.allocate(capacity: capacity)
        if let found { more.initialize(from: found, count: count) }
        deallocate()
        (found, self.capacity) = (more, capacity)
        (gathered, ordered) = (.allocate(capacity: capacity), .allocate(capacity: capacity))
    }

    func deallocate() {
        found?.deallocate()
        gathered?.deallocate()
        ordered?.deallocate()
    }
}
