import COssicle
import OssicleCore

/// A `BoxTree` with four boxes to a node, in single precision, for searches that ask about many rays at once: a
/// quarter of the nodes to visit, in a quarter of the memory, and four boxes to a vector.
///
/// Its leaves are the leaves of the `BoxTree`, each with its facets side by side, as far as a first test of them needs
/// them. No box is smaller than there.
final class WideTree: @unchecked Sendable {
    /// Four boxes, their corners from the tree's centre in the units of the mesh.
    typealias Node = ossicle_four_boxes
    /// From the tree's centre, in the units of the mesh. The first is a place in the order of the `BoxTree`, the number
    /// that of the leaf among its nodes.
    typealias Leaf = ossicle_four_facets

    /// Boxes to a node, and facets to a leaf at most.
    static let width = 4

    /// Immutable once built, which is what makes sharing them safe.
    private let nodes: UnsafeMutablePointer<Node>
    private let leaves: UnsafeMutablePointer<Leaf>
    let view: View

    /// For inner loops: no reference to count. Valid as long as the tree lives.
    struct View: BitwiseCopyable, @unchecked Sendable {
        let nodes: UnsafePointer<Node>
        let nodeCount: Int
        let leaves: UnsafePointer<Leaf>
        let centre: Vector
        /// The largest coordinate from the centre.
        let extent: Double
        /// What the search of a tree keeps in mind at most: of each level all boxes but one.
        static let stackSize = (WideTree.width - 1) * (BoxTreeBuilder.deepest + 33)
    }

    /// - Parameters:
    ///   - tree: with at most `width` facets to a leaf. - facets: in its order.
    init(_ tree: BoxTree.View, bounds: Bounds, facets: UnsafePointer<Facet>) {
        let centre = bounds.isEmpty ? .zero : bounds.centre
        var builder = Builder(tree: tree, facets: facets, centre: centre)
        if tree.nodeCount > 0 { builder.add(0) }
        nodes = CacheLine.copy(builder.nodes)
        leaves = CacheLine.copy(builder.leaves)
        let (lower, upper) = (bounds.lower - centre, bounds.upper - centre)
        view = View(
            nodes: nodes, nodeCount: builder.nodes.count, leaves: leaves, centre: centre,
            extent: bounds.isEmpty ? 0 : max(upper.largestMagnitude, lower.largestMagnitude))
    }

    deinit {
        nodes.deallocate()
        leaves.deallocate()
    }
}

extension WideTree {
    fileprivate struct Builder {
        let tree: BoxTree.View
        let facets: UnsafePointer<Facet>
        let centre: Vector
        var nodes: [Node] = []
        var leaves: [Leaf] = []

        /// Adds a node with what is below one of the `BoxTree`.
        mutating func add(_ root: Int) {
            // Searches look at the last of them first: where one will do, what holds most is what most is crossed in.
            let boxes = tree.opened(root, to: width).sorted {
                (tree.size(of: $0), $1) < (tree.size(of: $1), $0)
            }
            let node = nodes.count
            nodes.append(.empty)
            for (lane, box) in boxes.enumerated() {
                nodes[node].set(lane, tree.bounds(of: box), from: centre)
                if tree.nodes[box].count > 0 {
                    nodes[node].children[lane] = ~Int32(leaves.count)
                    leaves.append(Leaf(box, of: tree, facets: facets, centre: centre))
                } else {
                    nodes[node].children[lane] = Int32(nodes.count)
                    add(box)
                }
            }
        }
    }
}

extension WideTree.Node {
    fileprivate static var empty: Self {
        let (far, near) = (SIMD4<Float>(repeating: .infinity), SIMD4<Float>(repeating: -.infinity))
        return Self(corners: (far, far, far, near, near, near), children: .zero, unused: .zero)
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

extension WideTree.Leaf {
    fileprivate init(_ node: Int, of tree: BoxTree.View, facets: UnsafePointer<Facet>, centre: Vector) {
        let (first, count) = (tree.nodes[node].first, tree.nodes[node].count)
        func lanes(_ part: (Facet) -> Vector) -> ossicle_four_vectors {
            var lanes = ossicle_four_vectors()
            for lane in 0..<WideTree.width {
                let vector = part(facets[Int(first) + (lane < count ? lane : 0)])
                (lanes.x[lane], lanes.y[lane], lanes.z[lane]) = (Float(vector.x), Float(vector.y), Float(vector.z))
            }
            return lanes
        }
        self.init(
            corner: lanes { $0.corner - centre }, edge1: lanes { $0.edge1 }, edge2: lanes { $0.edge2 },
            first: first, count: count, number: Int32(node), unused: 0)
    }
}

extension BoxTree.View {
    @inline(__always)
    func bounds(of node: Int) -> Bounds { Bounds(lower: nodes[node].lower, upper: nodes[node].upper) }

    /// How many nodes are in it and below it.
    fileprivate func size(of node: Int) -> Int { Int(nodes[node].end) - node }

    /// Nodes that hold together what one holds: the largest boxes are opened until `most` stand side by side.
    func opened(_ root: Int, to most: Int) -> [Int] {
        var boxes = [root]
        while boxes.count < most {
            var largest = (place: -1, area: -Double.infinity)
            for (place, box) in boxes.enumerated() where nodes[box].count == 0 {
                let area = bounds(of: box).halfArea
                if area > largest.area { largest = (place, area) }
            }
            guard largest.place >= 0 else { break }
            let opened = boxes[largest.place]
            boxes.replaceSubrange(largest.place...largest.place, with: [opened + 1, Int(nodes[opened + 1].end)])
        }
        return boxes
    }
}

extension Vector {
    @inline(__always) var largestMagnitude: Double { max(x.magnitude, max(y.magnitude, z.magnitude)) }
}
