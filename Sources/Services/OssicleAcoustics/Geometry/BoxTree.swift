import OssicleCore

/// A bounding volume hierarchy over boxes, laid out in the order a depth-first walk visits it.
///
/// Each node knows where its subtree ends, so a walk needs no stack: into the next node where the segment meets the
/// box, past the subtree where it does not. That suits those who ask for all surfaces on the segment; who asks for the
/// nearest walks in order. Built with the surface-area heuristic over bins (Wald 2007); the same boxes give the same
/// tree.
final class BoxTree: @unchecked Sendable {
    struct Node {
        var lower: Vector
        var upper: Vector
        /// Index of the node after this subtree.
        var end: Int32
        /// Range of `order` for a leaf; count 0 for an inner node.
        var first: Int32
        var count: Int32
    }

    /// Immutable once built, which is what makes sharing it safe.
    private let nodes: UnsafeMutablePointer<Node>
    private let nodeCount: Int
    /// Box numbers in leaf order.
    let order: [Int32]

    /// - Parameters: boxes: empty ones are left out. - leafSize: how many to test at once; 1 where testing one is dear.
    init(_ boxes: [Bounds], leafSize: Int = 4) {
        var builder = BoxTreeBuilder(boxes, leafSize: leafSize)
        builder.build()
        order = builder.order
        nodeCount = builder.nodes.count
        nodes = .allocate(capacity: max(nodeCount, 1))
        _ = UnsafeMutableBufferPointer(start: nodes, count: nodeCount).initialize(from: builder.nodes)
    }

    deinit {
        nodes.deinitialize(count: nodeCount)
        nodes.deallocate()
    }

    var bounds: Bounds { nodeCount > 0 ? Bounds(lower: nodes[0].lower, upper: nodes[0].upper) : .empty }

    /// For inner loops: no reference to count. Valid as long as the tree lives.
    var view: View { View(nodes: UnsafePointer(nodes), nodeCount: nodeCount) }

    struct View: BitwiseCopyable, @unchecked Sendable {
        let nodes: UnsafePointer<Node>
        let nodeCount: Int

        /// Calls `visit` with the places in `order` whose boxes the segment may meet, until it answers true.
        @inline(__always)
        func search(_ segment: Segment, _ visit: (Int) -> Bool) -> Bool {
            let slabs = Slabs(segment)
            return search({ slabs.meet($0, $1, before: 1) }, visit)
        }

        /// The same for any test of a box's lower and upper corner.
        @inline(__always)
        func search(_ meets: (Vector, Vector) -> Bool, _ visit: (Int) -> Bool) -> Bool {
            var index = 0
            while index < nodeCount {
                let node = nodes + index
                guard meets(node.pointee.lower, node.pointee.upper) else {
                    index = Int(node.pointee.end)
                    continue
                }
                let first = Int(node.pointee.first)
                for place in first..<(first + Int(node.pointee.count)) where visit(place) { return true }
                index += 1
            }
            return false
        }
    }
}

extension BoxTree.View {
    /// No tree is deeper: the builder halves by count below its deepest level, and there are fewer than 2³¹ boxes.
    private static var stackSize: Int { BoxTreeBuilder.deepest + 32 }

    /// Calls `visit` with the places in `order` whose boxes the segment may meet before `reach`, near boxes first.
    /// `visit` may bring `reach` nearer.
    @inline(__always)
    func searchInOrder(_ segment: Segment, _ reach: () -> Double, _ visit: (Int) -> Void) {
        let slabs = Slabs(segment)
        searchInOrder(
            {
                let span = slabs.span($0, $1, before: reach())
                return span.entry <= span.exit ? span.entry : .infinity
            }, reach, visit)
    }

    /// The same by any measure of a box's lower and upper corner, least first; infinite for boxes not to be opened.
    @inline(__always)
    func searchInOrder(_ entry: (Vector, Vector) -> Double, _ reach: () -> Double, _ visit: (Int) -> Void) {
        guard nodeCount > 0, entry(nodes[0].lower, nodes[0].upper) < .infinity else { return }
        withUnsafeTemporaryAllocation(of: (node: Int, entry: Double).self, capacity: BoxTree.View.stackSize) { stack in
            var (node, depth) = (0, 0)
            while true {
                let count = Int(nodes[node].count)
                if count > 0 {
                    let first = Int(nodes[node].first)
                    for place in first..<(first + count) { visit(place) }
                } else {
                    var (near, far) = (node + 1, Int(nodes[node + 1].end))
                    var nearEntry = entry(nodes[near].lower, nodes[near].upper)
                    var farEntry = entry(nodes[far].lower, nodes[far].upper)
                    if farEntry < nearEntry { (near, far, nearEntry, farEntry) = (far, near, farEntry, nearEntry) }
                    if nearEntry < .infinity {
                        if farEntry < .infinity {
                            stack[depth] = (far, farEntry)
                            depth += 1
                        }
                        node = near
                        continue
                    }
                }
                repeat {
                    guard depth > 0 else { return }
                    depth -= 1
                } while stack[depth].entry > reach()
                node = stack[depth].node
            }
        }
    }
}
