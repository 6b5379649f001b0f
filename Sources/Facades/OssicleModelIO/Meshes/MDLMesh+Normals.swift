import Foundation
import OssicleCore
import OssicleSIMD

extension MDLMesh {
    /// Computes normals from the faces, into `attributeName` or else `MDLVertexAttributeNormal`.
    ///
    /// Faces that meet at a point share a normal there if the cosine of the angle between them is at least
    /// `creaseThreshold`; 0 and below join all of them (smooth), 1 only those in one plane (faceted). Each face weighs
    /// as much as its angle at the point. A vertex that needs several normals is doubled, and strips become triangles.
    public func addNormals(withAttributeNamed attributeName: String?, creaseThreshold: Float) {
        let name = attributeName ?? MDLVertexAttributeNormal
        let target = layoutWithNormals(name)
        let table = VertexTable(reading: target.usedAttributes.map { $0.duplicate() }, from: self, stored: layout)
        guard let place = table.column(MDLVertexAttributePosition), let column = table.column(name), table.count > 0
        else { return }

        let submeshes = allSubmeshes.map(\.withoutStrips)
        let faces = submeshes.map { $0.polygons ?? PolygonList() }
        let normals = CornerNormals(
            of: faces, positions: table.columns[place].map { SIMD3($0.x, $0.y, $0.z) },
            creaseThreshold: Double(creaseThreshold))
        var splitter = VertexSplitter(table, normalColumn: column)
        let split = faces.indices.map { list in
            zip(faces[list].corners, normals.corners[list]).map { splitter.vertex($0, with: $1) }
        }
        guard store(splitter.table, by: target) else { return }
        self.submeshes = NSMutableArray(
            array: submeshes.indices.map { list in
                if split[list] == faces[list].corners { return submeshes[list] }
                return MDLSubmesh(
                    (split[list], submeshes[list].faceSizes), indexType: .reaching(vertexCount: vertexCount),
                    geometryType: submeshes[list].geometryType, like: submeshes[list], allocator: allocator)
            })
    }

    private func layoutWithNormals(_ name: String) -> MDLVertexDescriptor {
        let target = MDLVertexDescriptor(vertexDescriptor: layout)
        if target.attributeNamed(name) == nil {
            let index = max(vertexBuffers.count, (target.usedAttributes.map(\.bufferIndex).max() ?? -1) + 1)
            target.addOrReplaceAttribute(MDLVertexAttribute(name: name, format: .float3, offset: 0, bufferIndex: index))
            target.setStride(MDLVertexFormat.float3.byteCount, ofBuffer: index)
        }
        return target
    }
}

extension MDLSubmesh {
    /// The same submesh, with triangles in the place of strips.
    fileprivate var withoutStrips: MDLSubmesh {
        guard geometryType == .triangleStrips else { return self }
        return MDLSubmesh(mdlSubmesh: self, indexType: indexType, geometryType: .triangles) ?? self
    }
}

/// Gives every vertex one normal, and a vertex that needs another one a double.
private struct VertexSplitter {
    private struct Key: Hashable {
        var vertex: UInt32
        var normal: SIMD3<Float>
    }

    private(set) var table: VertexTable
    private let column: Int
    private var found: [Key: UInt32] = [:]
    private var taken: [Bool]

    init(_ table: VertexTable, normalColumn: Int) {
        self.table = table
        column = normalColumn
        taken = Array(repeating: false, count: table.count)
    }

    /// The index of `vertex` with that normal; itself if none is given.
    mutating func vertex(_ vertex: UInt32, with normal: SIMD3<Double>?) -> UInt32 {
        guard let normal else { return vertex }
        let key = Key(vertex: vertex, normal: SIMD3<Float>(normal))
        if let index = found[key] { return index }
        var index = vertex
        if taken[Int(vertex)] {
            index = UInt32(table.count)
            table.appendCopy(of: Int(vertex))
        } else {
            taken[Int(vertex)] = true
        }
        table[column, Int(index)] = SIMD4(normal, table[column, Int(index)].w)
        found[key] = index
        return index
    }
}

/// The normal at every corner of every face: the sum of the normals of the faces that meet there, each weighted by its
/// angle.
///
/// The angle as weight makes the result independent of how a face is cut into triangles. Source: G. Thuermer and C. A.
/// Wuethrich, Computing vertex normals from polygonal facets, Journal of Graphics Tools 3 (1998).
struct CornerNormals {
    /// Per list and corner; nil for what is no face and what lies beyond the positions.
    private(set) var corners: [[SIMD3<Double>?]]

    private struct Share {
        var normal: SIMD3<Double>
        var angle: Double
    }

    init(of lists: [PolygonList], positions: [SIMD3<Double>], creaseThreshold: Double) {
        let points = Self.weld(positions)
        var shares: [[Share]] = Array(repeating: [], count: points.count)
        var own = lists.map { [SIMD3<Double>?](repeating: nil, count: $0.corners.count) }
        for (number, list) in lists.enumerated() {
            list.forEach { polygon in
                let vertices = list.corners[polygon].map(Int.init)
                guard vertices.count > 2, vertices.allSatisfy({ $0 < positions.count }) else { return }
                let outline = vertices.map { positions[$0] }
                let normal = Self.normal(outline)
                for (index, corner) in polygon.enumerated() {
                    own[number][corner] = normal
                    shares[points.of[vertices[index]]].append(Share(normal: normal, angle: Self.angle(index, outline)))
                }
            }
        }
        let smooth = creaseThreshold > 0 ? [] : shares.map { Self.sum($0) { _ in true } }
        corners = zip(lists, own).map { list, own in
            zip(list.corners, own).map { vertex, own in
                guard let own else { return nil }
                let point = points.of[Int(vertex)]
                // The slack keeps two halves of one plane together.
                let sum =
                    smooth.isEmpty
                    ? Self.sum(shares[point]) { simd_dot($0, own) >= creaseThreshold - 1e-6 } : smooth[point]
                let size = simd_length(sum)
                return size > 0 && size.isFinite ? sum / size : own
            }
        }
    }

    private static func sum(_ shares: [Share], where belongs: (SIMD3<Double>) -> Bool) -> SIMD3<Double> {
        shares.reduce(into: .zero) { if belongs($1.normal) { $0 += $1.normal * $1.angle } }
    }

    /// Numbers positions so that equal ones have equal numbers.
    private static func weld(_ positions: [SIMD3<Double>]) -> (of: [Int], count: Int) {
        var numbers: [SIMD3<Double>: Int] = [:]
        let of = positions.map { position in
            if let number = numbers[position] { return number }
            let number = numbers.count
            numbers[position] = number
            return number
        }
        return (of, numbers.count)
    }

    /// The direction of the polygon's area, which holds for bent ones too; zero for those without area.
    private static func normal(_ outline: [SIMD3<Double>]) -> SIMD3<Double> {
        var sum = SIMD3<Double>.zero
        for index in outline.indices.dropFirst().dropLast() {
            sum += simd_cross(outline[index] - outline[0], outline[index + 1] - outline[0])
        }
        let size = simd_length(sum)
        return size > 0 && size.isFinite ? sum / size : .zero
    }

    private static func angle(_ index: Int, _ outline: [SIMD3<Double>]) -> Double {
        let corner = outline[index]
        let (before, after) = (
            outline[(index + outline.count - 1) % outline.count] - corner, outline[(index + 1) % outline.count] - corner
        )
        return DeterministicMath.atan2(simd_length(simd_cross(before, after)), simd_dot(before, after))
    }
}
