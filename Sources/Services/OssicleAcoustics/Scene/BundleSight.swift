import OssicleCore

/// Which of the segments from one place to many points anything lies on. Of each no more than the first thing found is
/// looked for.
struct BundleSight {
    private let segments: [Segment]
    private(set) var isBlocked: [Bool]

    init(from start: Vector, to ends: [Vector]) {
        segments = ends.map { Segment(from: start, to: $0) }
        isBlocked = Array(repeating: false, count: ends.count)
    }

    /// Takes account of one mesh.
    mutating func add(_ search: BundleSearch) {
        segments.withUnsafeBufferPointer { segments in
            isBlocked.withUnsafeMutableBufferPointer { isBlocked in
                for first in stride(from: 0, to: segments.count, by: RayBundle.most) {
                    let some = UnsafeBufferPointer(rebasing: segments[first...].prefix(RayBundle.most))
                    var free = RayMask.zero
                    for index in some.indices where !isBlocked[first + index] { free.set(index) }
                    search.search(some, atOnce: BundleSpace.fewLeaves, wanted: { free }) { segment, _, _ in
                        free.remove(segment)
                        isBlocked[first &+ segment] = true
                    }
                }
            }
        }
    }
}
