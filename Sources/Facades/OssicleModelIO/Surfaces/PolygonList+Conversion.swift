extension PolygonList {
    /// What a submesh of a kind stores: indices, and for `.variableTopology` the sizes of the faces.
    typealias Stored = (indices: [UInt32], faceSizes: [UInt8]?)

    /// The same geometry as another kind; nil if it cannot be one: nothing becomes more than it is, and nothing becomes strips.
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
            for second in polygon.dropFirst().dropLast() { result += [corners[polygon.lowerBound], corners[second], corners[second + 1]] }
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
