import OssicleCore

extension BoxTree.View {
    /// No tree is deeper: the builder halves by count below its deepest level, and there are fewer than 2³¹ boxes.
    private static var stackSize: Int { BoxTreeBuilder.deepest + 32 }

    /// Calls `visit` with the places in `order` whose boxes the way may meet before `reach`, near boxes first. `visit` may bring
    /// `reach` nearer.
    @inline(__always)
    func searchInOrder(_ way: Segment, _ reach: () -> Double, _ visit: (Int) -> Void) {
        let slabs = Slabs(way)
        guard nodeCount > 0, entry(0, slabs, reach()) < .infinity else { return }
        withUnsafeTemporaryAllocation(of: (node: Int, entry: Double).self, capacity: BoxTree.View.stackSize) { stack in
            var (node, depth) = (0, 0)
            while true {
                let count = Int(nodes[node].count)
                if count > 0 {
                    let first = Int(nodes[node].first)
                    for place in first..<(first + count) { visit(place) }
                } else {
                    var (near, far) = (node + 1, Int(nodes[node + 1].end))
                    var (nearEntry, farEntry) = (entry(near, slabs, reach()), entry(far, slabs, reach()))
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

    /// Where the way enters a node's box; infinite where it does not.
    @inline(__always)
    private func entry(_ node: Int, _ slabs: Slabs, _ reach: Double) -> Double {
        let span = slabs.span(nodes[node].lower, nodes[node].upper, before: reach)
        return span.entry <= span.exit ? span.entry : .infinity
    }
}
