/// Sets that grow together (union–find with path halving). The smallest member speaks for its set.
struct DisjointSets {
    private var parents: [Int32]

    init(count: Int) { parents = (0..<Int32(clamping: count)).map { $0 } }

    mutating func root(_ member: Int) -> Int {
        var m = member
        while Int(parents[m]) != m {
            parents[m] = parents[Int(parents[m])]
            m = Int(parents[m])
        }
        return m
    }

    mutating func join(_ a: Int, _ b: Int) {
        let (x, y) = (root(a), root(b))
        if x != y { parents[max(x, y)] = Int32(min(x, y)) }
    }
}
