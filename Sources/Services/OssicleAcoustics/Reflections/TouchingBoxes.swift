import OssicleCore

/// Finds which boxes hang together by touching.
enum TouchingBoxes {
    /// A box asks no more than this many neighbours: where more meet in one place, a few join them all.
    private static let mostNeighbours = 64

    /// A number for each box, the same for those that hang together.
    /// - Parameter gap: how far apart boxes may be and still touch, metres.
    static func groups(_ boxes: [Bounds], gap: Double) -> [Int32] {
        guard boxes.count > 1 else { return boxes.isEmpty ? [] : [0] }
        let tree = BoxTree(boxes)
        var sets = DisjointSets(count: boxes.count)
        for (index, box) in boxes.enumerated() {
            let near = box.widened(by: gap)
            var asked = 0
            _ = tree.view.search({ near.meets($0, $1) }) { place in
                let other = Int(tree.order[place])
                guard other != index, near.meets(boxes[other].lower, boxes[other].upper) else { return false }
                sets.join(index, other)
                asked += 1
                return asked >= mostNeighbours
            }
        }
        return boxes.indices.map { Int32(clamping: sets.root($0)) }
    }
}
