import COssicle
import OssicleCore

/// What a search works with, in one piece of memory.
struct BundleSpace: BitwiseCopyable {
    /// Of columns and rows.
    let masks: UnsafeMutablePointer<RayMask>
    let directions: UnsafeMutablePointer<SIMD4<Float>>
    let stack: UnsafeMutablePointer<ossicle_ray_visit>
    let leaves: UnsafeMutablePointer<ossicle_ray_visit>
    let pairs: UnsafeMutablePointer<ossicle_ray_pair>
    let crossings: UnsafeMutablePointer<ossicle_ray_crossing>

    /// Leaves that are looked at together, where all that segments meet is wanted, and where the first thing will do.
    static let manyLeaves = 64
    static let fewLeaves = 4
    static let mostPairs = 4 * Int(OSSICLE_MOST_PAIRS_OF_A_LEAF)

    @inline(__always)
    static func with(_ body: (BundleSpace) -> Void) {
        let vector = 16, visit = MemoryLayout<ossicle_ray_visit>.stride
        let masks = RayBundle.spaceSize * vector, directions = RayBundle.most * vector
        let stack = (WideTree.View.stackSize + WideTree.width) * visit
        let leaves = (manyLeaves + WideTree.width) * visit
        let pairs = mostPairs * MemoryLayout<ossicle_ray_pair>.stride
        let crossings = (mostPairs + 1) * MemoryLayout<ossicle_ray_crossing>.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: masks + directions + stack + leaves + pairs + crossings, alignment: vector)
        defer { memory.deallocate() }
        var end = memory
        /// The next part of it.
        func take<Element>(_ type: Element.Type, bytes: Int) -> UnsafeMutablePointer<Element> {
            defer { end += bytes }
            return end.bindMemory(to: type, capacity: bytes / MemoryLayout<Element>.stride)
        }
        body(
            BundleSpace(
                masks: take(RayMask.self, bytes: masks), directions: take(SIMD4<Float>.self, bytes: directions),
                stack: take(ossicle_ray_visit.self, bytes: stack), leaves: take(ossicle_ray_visit.self, bytes: leaves),
                pairs: take(ossicle_ray_pair.self, bytes: pairs),
                crossings: take(ossicle_ray_crossing.self, bytes: crossings)))
    }
}
