import OssicleModelIO

extension MeshReading {
    /// The triangles of a submesh; none for points and lines. Indices are not checked here.
    static func triangles(of submesh: MDLSubmesh) -> [SIMD3<Int32>] {
        let indices = indices(of: submesh)
        switch submesh.geometryType {
        case .triangles: return fans(indices, sizes: repeatElement(3, count: indices.count / 3))
        case .quads: return fans(indices, sizes: repeatElement(4, count: indices.count / 4))
        case .triangleStrips: return strip(indices)
        case .variableTopology: return fans(indices, sizes: faceSizes(of: submesh))
        case .points, .lines: return []
        }
    }

    private static func indices(of submesh: MDLSubmesh) -> [Int32] {
        let buffer = submesh.indexBuffer(asIndexType: .uInt32)
        let map = buffer.map()
        let count = min(max(submesh.indexCount, 0), buffer.length / MemoryLayout<UInt32>.size)
        return withExtendedLifetime(map) {
            (0..<count).map { index in
                // An index beyond Int32 names no vertex either way.
                Int32(clamping: map.bytes.loadUnaligned(fromByteOffset: index * MemoryLayout<UInt32>.size, as: UInt32.self))
            }
        }
    }

    /// Vertices per face, one byte each.
    private static func faceSizes(of submesh: MDLSubmesh) -> [Int] {
        guard let topology = submesh.topology, let buffer = topology.faceTopology else { return [] }
        let map = buffer.map()
        return withExtendedLifetime(map) {
            (0..<min(max(topology.faceCount, 0), buffer.length)).map { Int(map.bytes.load(fromByteOffset: $0, as: UInt8.self)) }
        }
    }

    /// Each face cut into triangles from its first corner.
    private static func fans(_ indices: [Int32], sizes: some Sequence<Int>) -> [SIMD3<Int32>] {
        var triangles: [SIMD3<Int32>] = []
        var start = 0
        for size in sizes where start + size <= indices.count {
            for corner in stride(from: 2, to: size, by: 1) {
                triangles.append(SIMD3(indices[start], indices[start + corner - 1], indices[start + corner]))
            }
            start += size
        }
        return triangles
    }

    /// Every index from the third on ends a triangle; every second one is turned round, so that all face the same way.
    /// Repeated indices, which sew strips together, make no triangle.
    private static func strip(_ indices: [Int32]) -> [SIMD3<Int32>] {
        indices.indices.dropFirst(2).compactMap { last in
            let (a, b, c) = (indices[last - 2], indices[last - 1], indices[last])
            guard a != b, b != c, a != c else { return nil }
            return last.isMultiple(of: 2) ? SIMD3(a, b, c) : SIMD3(b, a, c)
        }
    }
}
