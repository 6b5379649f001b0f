import OssicleCore

/// Tries all rows of mirrors, the largest mirrors first.
struct ReflectionSearch {
    let set: ReflectorSet
    let source: Vector
    let listener: Vector

    /// How many of the largest mirrors are combined for images of an order: some 260 000 rows at most.
    static func breadth(order: Int) -> Int {
        switch order {
        case 1: ReflectorSet.mostFaces
        case 2: 512
        default: 64
        }
    }

    /// Whether `ways` misses nothing for lack of breadth.
    static func isComplete(order: Int, _ set: ReflectorSet) -> Bool { set.reflectors.count <= breadth(order: order) }

    /// All ways over exactly `order` mirrors that no one has checked for obstacles.
    func ways(order: Int) -> [ReflectedWay] {
        var ways: [ReflectedWay] = []
        set.reflectors.withUnsafeBufferPointer { planes in
            let mirrors = Int32(min(planes.count, ReflectionSearch.breadth(order: order)))
            extend(MirroredSource(source), to: order, mirrors, planes, &ways)
        }
        return ways
    }

    private func extend(_ image: MirroredSource, to order: Int, _ mirrors: Int32, _ planes: UnsafeBufferPointer<Reflector>,
                        _ ways: inout [ReflectedWay]) {
        let isLast = image.order + 1 == order
        for mirror in 0..<mirrors {
            if isLast, !planes[Int(mirror)].mayShow(image.position, to: listener) { continue }
            guard let next = image.mirrored(in: mirror, of: planes) else { continue }
            if !isLast {
                extend(next, to: order, mirrors, planes, &ways)
            } else if let way = ReflectedWay(next, to: listener, in: set) {
                ways.append(way)
            }
        }
    }
}

extension Reflector {
    /// Whether the way from a source over this plane to a listener on the same side may meet one of the patches: the one test most rows of
    /// mirrors fail.
    @inline(__always)
    fileprivate func mayShow(_ source: Vector, to listener: Vector) -> Bool {
        let (height, end) = (height(source), height(listener))
        guard height * end > 0 else { return false }
        let place = listener + (source - normal * (2 * height) - listener) * (end / (end + height))
        return bounds.widened(by: ReflectorSet.reach).holds(place)
    }
}
