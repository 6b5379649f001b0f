import OssicleCore

/// A `BoxTree` with four boxes to a node, in single precision, for searches that ask about many rays at once: a
/// quarter of the nodes to visit, in a quarter of the memory, and four boxes to a vector.
///
/// Its leaves are the leaves of the `BoxTree`. No box is smaller than there.
final class WideTree: @unchecked Sendable {
    /// Four boxes, their corners from the tree's centre in the units of the mesh.
    struct Node: BitwiseCopyable {
        /// Lower x, y and z, upper x, y and z, each of four boxes; +∞ and −∞ where there is no box.
        var corners: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
        /// What is in each box: a node's number, or the complement (−1 − n) of a leaf's first place in the order of the
        /// `BoxTree`.
        var children: SIMD4<Int32>
        /// Of a leaf its number in the `BoxTree`.
        var leaves: SIMD4<Int32>
        /// Of a leaf how many there are.
        var counts: SIMD4<Int32>
    }

    private static let width = 4
    private static let lineSize = 64

    /// Immutable once built, which is what makes sharing it safe.
    private let nodes: UnsafeMutableRawPointer
    let view: View

    /// For inner loops: no reference to count. Valid as long as the tree lives.
    struct View: BitwiseCopyable, @unchecked Sendable {
        let nodes: UnsafePointer<Node>
        let nodeCount: Int
        let centre: Vector
        /// The largest coordinate from the centre.
        let extent: Double
        /// What the search of a tree keeps in mind at most: of each level all boxes but one.
        static let stackSize = (WideTree.width - 1) * (BoxTreeBuilder.deepest + 33)
    }

    init(_ tree: BoxTree.View, bounds: Bounds) {
        let centre = bounds.isEmpty ? .zero : bounds.centre
        var built: [Node] = []
        if tree.nodeCount > 0 { WideTree.add(0, of: tree, centre: centre, to: &built) }
        nodes = .allocate(
            byteCount: max(built.count, 1) * MemoryLayout<Node>.stride, alignment: WideTree.lineSize)
        let typed = nodes.bindMemory(to: Node.self, capacity: max(built.count, 1))
        _ = UnsafeMutableBufferPointer(start: typed, count: built.count).initialize(from: built)
        let (lower, upper) = (bounds.lower - centre, bounds.upper - centre)
        view = View(
            nodes: typed, nodeCount: built.count, centre: centre,
            extent: bounds.isEmpty ? 0 : max(upper.largestMagnitude, lower.largestMagnitude))
    }

    deinit { nodes.deallocate() }

    /// Adds a node with what is below one of the `BoxTree`: the largest boxes are opened until four stand side by
    /// side.
    private static func add(_ root: Int, of tree: BoxTree.View, centre: Vector, to nodes: inout [Node]) {
        var boxes = [root]
        while boxes.count < width {
            var largest = (place: -1, area: -Double.infinity)
            for (place, box) in boxes.enumerated() where tree.nodes[box].count == 0 {
                let area = tree.bounds(of: box).halfArea
                if area > largest.area { largest = (place, area) }
            }
            guard largest.place >= 0 else { break }
            let opened = boxes[largest.place]
            boxes.replaceSubrange(
                largest.place...largest.place, with: [opened + 1, Int(tree.nodes[opened + 1].end)])
        }
        let node = nodes.count
        nodes.append(.empty)
        for (lane, box) in boxes.enumerated() {
            nodes[node].set(lane, tree.bounds(of: box), from: centre)
            if tree.nodes[box].count > 0 {
                nodes[node].children[lane] = ~tree.nodes[box].first
                nodes[node].counts[lane] = tree.nodes[box].count
                nodes[node].leaves[lane] = Int32(box)
            } else {
                nodes[node].children[lane] = Int32(nodes.count)
                add(box, of: tree, centre: centre, to: &nodes)
            }
        }
    }
}

extension WideTree.Node {
    fileprivate static var empty: WideTree.Node {
        let (far, near) = (SIMD4<Float>(repeating: .infinity), SIMD4<Float>(repeating: -.infinity))
        return WideTree.Node(corners: (far, far, far, near, near, near), children: .zero, leaves: .zero, counts: .zero)
    }

    /// Rounds outwards.
    fileprivate mutating func set(_ lane: Int, _ box: Bounds, from centre: Vector) {
        let (lower, upper) = (box.lower - centre, box.upper - centre)
        corners.0[lane] = Float(lower.x).nextDown
        corners.1[lane] = Float(lower.y).nextDown
        corners.2[lane] = Float(lower.z).nextDown
        corners.3[lane] = Float(upper.x).nextUp
        corners.4[lane] = Float(upper.y).nextUp
        corners.5[lane] = Float(upper.z).nextUp
    }
}

extension BoxTree.View {
    @inline(__always)
    func bounds(of node: Int) -> Bounds { Bounds(lower: nodes[node].lower, upper: nodes[node].upper) }
}

extension Vector {
    @inline(__always) var largestMagnitude: Double { max(x.magnitude, max(y.magnitude, z.magnitude)) }
}
