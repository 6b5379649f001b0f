/// Polygons by the indices of their corners: the form between all kinds of geometry. A point has one corner, a line
/// two.
struct PolygonList {
    private(set) var corners: [UInt32] = []
    private(set) var sizes: [UInt8] = []

    init() {}

    /// Reads the indices of a submesh; nil where the kind needs a topology and there is none. Incomplete polygons are
    /// left out.
    init?(_ indices: [UInt32], _ geometryType: MDLGeometryType, faceSizes: [UInt8]?) {
        switch geometryType {
        case .points: cut(indices, by: 1)
        case .lines: cut(indices, by: 2)
        case .triangles: cut(indices, by: 3)
        case .quads: cut(indices, by: 4)
        case .triangleStrips: follow(strip: indices)
        case .variableTopology:
            guard let faceSizes else { return nil }
            cut(indices, by: faceSizes)
        }
    }

    mutating func append(_ polygon: some Collection<UInt32>) {
        guard let size = UInt8(exactly: polygon.count), size > 0 else { return }
        corners += polygon
        sizes.append(size)
    }

    /// Turns every polygon over.
    mutating func reverse() {
        var start = 0
        for size in sizes {
            corners[start..<start + Int(size)].reverse()
            start += Int(size)
        }
    }

    /// Calls `body` with the range of each polygon in `corners`.
    func forEach(_ body: (Range<Int>) -> Void) {
        var start = 0
        for size in sizes {
            body(start..<start + Int(size))
            start += Int(size)
        }
    }

    private mutating func cut(_ indices: [UInt32], by size: Int) {
        for start in stride(from: 0, to: indices.count - indices.count % size, by: size) {
            append(indices[start..<start + size])
        }
    }

    private mutating func cut(_ indices: [UInt32], by faceSizes: [UInt8]) {
        var start = 0
        for size in faceSizes.map(Int.init) where start + size <= indices.count {
            append(indices[start..<start + size])
            start += size
        }
    }

    /// Every three neighbours are a triangle, turned over at every second; those with two equal corners only join
    /// strips.
    private mutating func follow(strip indices: [UInt32]) {
        for start in 0..<max(0, indices.count - 2) {
            let (a, b, c) = (indices[start], indices[start + 1], indices[start + 2])
            guard a != b, b != c, c != a else { continue }
            append(start % 2 == 0 ? [a, b, c] : [b, a, c])
        }
    }
}

extension PolygonList {
    /// What a submesh of a kind stores: indices, and for `.variableTopology` the sizes of the faces.
    typealias Stored = (indices: [UInt32], faceSizes: [UInt8]?)

    /// The same geometry as another kind; nil if it cannot be one: nothing becomes more than it is, and nothing becomes
    /// strips.
    func stored(as geometryType: MDLGeometryType) -> Stored? {
        switch geometryType {
        case .points: (points, nil)
        case .lines: hasOnly(atLeast: 2) ? (edges, nil) : nil
        case .triangles: hasOnly(atLeast: 3) ? (triangles, nil) : nil
        case .quads: sizes.allSatisfy { $0 == 4 } ? (corners, nil) : nil
        case .variableTopology: hasOnly(atLeast: 3) ? (corners, sizes) : nil
        case .triangleStrips: nil
        }
    }

    private func hasOnly(atLeast size: UInt8) -> Bool { sizes.allSatisfy { $0 >= size } }

    /// Every polygon as a fan about its first corner. Points and lines have none.
    var triangles: [UInt32] {
        var result: [UInt32] = []
        result.reserveCapacity(corners.count * 3 / 2)
        forEach { polygon in
            for second in polygon.dropFirst().dropLast() {
                result += [corners[polygon.lowerBound], corners[second], corners[second + 1]]
            }
        }
        return result
    }

    /// Every edge once, in the order in which they are met.
    private var edges: [UInt32] {
        var (seen, result) = (Set<SIMD2<UInt32>>(), [UInt32]())
        forEach { polygon in
            for corner in polygon where polygon.count > 2 || corner == polygon.lowerBound {
                let next = corner + 1 == polygon.upperBound ? polygon.lowerBound : corner + 1
                let (a, b) = (corners[corner], corners[next])
                if seen.insert(SIMD2(min(a, b), max(a, b))).inserted { result += [a, b] }
            }
        }
        return result
    }

    /// Every corner once, in the order in which they are met.
    private var points: [UInt32] {
        var seen = Set<UInt32>()
        return corners.filter { seen.insert($0).inserted }
    }
}
