import OssicleCore

/// Builds the nodes of a `BoxTree`.
struct BoxTreeBuilder {
    private static let binCount = 12
    /// Beyond this depth nodes are halved by count: clusters within clusters must not make the tree a list.
    static let deepest = 31

    private let leafSize: Int
    private let boxes: [Bounds]
    private let centres: [Vector]
    private(set) var order: [Int32]
    private(set) var nodes: [BoxTree.Node] = []

    init(_ boxes: [Bounds], leafSize: Int) {
        self.leafSize = max(leafSize, 1)
        self.boxes = boxes
        centres = boxes.map(\.centre)
        order = boxes.indices.filter { !boxes[$0].isEmpty }.map { Int32($0) }
    }

    mutating func build() {
        nodes.reserveCapacity(order.count)
        if !order.isEmpty { build(0..<order.count, depth: 0) }
    }

    private mutating func build(_ range: Range<Int>, depth: Int) {
        var bounds = Bounds.empty
        var spread = Bounds.empty
        for place in range {
            bounds.include(boxes[Int(order[place])])
            spread.include(centres[Int(order[place])])
        }
        let grown = bounds.grown
        let node = nodes.count
        nodes.append(BoxTree.Node(lower: grown.lower, upper: grown.upper, end: 0, first: 0, count: 0))
        if range.count <= leafSize {
            nodes[node].first = Int32(range.lowerBound)
            nodes[node].count = Int32(range.count)
        } else {
            let middle = split(range, spread, halve: depth >= BoxTreeBuilder.deepest)
            build(range.lowerBound..<middle, depth: depth + 1)
            build(middle..<range.upperBound, depth: depth + 1)
        }
        nodes[node].end = Int32(nodes.count)
    }

    /// Reorders `range` into two parts, neither of them empty; the place where the second begins.
    private mutating func split(_ range: Range<Int>, _ spread: Bounds, halve: Bool) -> Int {
        let extent = spread.extent
        let axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : (extent.y >= extent.z ? 1 : 2)
        let half = range.lowerBound + range.count / 2
        guard extent[axis] > 0 else { return half }
        if !halve, let cut = cheapestCut(range, axis, spread: spread) {
            let middle = partition(range, axis, spread: spread, before: cut)
            if middle > range.lowerBound, middle < range.upperBound { return middle }
        }
        let centres = centres
        order[range].sort { (centres[Int($0)][axis], $0) < (centres[Int($1)][axis], $1) }
        return half
    }

    private func bin(_ box: Int32, _ axis: Int, spread: Bounds) -> Int {
        let share = (centres[Int(box)][axis] - spread.lower[axis]) / spread.extent[axis]
        return share >= 0 ? Int(min(share, 0.999) * Double(BoxTreeBuilder.binCount)) : 0
    }

    /// The bin before which to cut so that surface times count is least.
    private func cheapestCut(_ range: Range<Int>, _ axis: Int, spread: Bounds) -> Int? {
        let bins = BoxTreeBuilder.binCount
        var counts = [Int](repeating: 0, count: bins)
        var bounds = [Bounds](repeating: .empty, count: bins)
        for place in range {
            let b = bin(order[place], axis, spread: spread)
            counts[b] += 1
            bounds[b].include(boxes[Int(order[place])])
        }
        var rest = [Double](repeating: 0, count: bins)
        var (count, box) = (0, Bounds.empty)
        for b in (1..<bins).reversed() {
            count += counts[b]
            box.include(bounds[b])
            rest[b] = count > 0 ? Double(count) * box.halfArea : .infinity
        }
        var best: (cost: Double, cut: Int)?
        (count, box) = (0, .empty)
        for cut in 1..<bins {
            count += counts[cut - 1]
            box.include(bounds[cut - 1])
            let cost = count > 0 ? Double(count) * box.halfArea + rest[cut] : .infinity
            if cost < best?.cost ?? .infinity { best = (cost, cut) }
        }
        return best?.cut
    }

    private mutating func partition(_ range: Range<Int>, _ axis: Int, spread: Bounds, before cut: Int) -> Int {
        var first: [Int32] = []
        var second: [Int32] = []
        for place in range {
            if bin(order[place], axis, spread: spread) < cut {
                first.append(order[place])
            } else {
                second.append(order[place])
            }
        }
        order.replaceSubrange(range, with: first + second)
        return range.lowerBound + first.count
    }
}
