import Foundation
import OssicleSIMD

extension MDLMesh {
    /// Computes normals from the faces, into `attributeName` or else `MDLVertexAttributeNormal`.
    ///
    /// Faces that meet at a point share a normal there if the cosine of the angle between them is at least `creaseThreshold`; 0 and below
    /// join all of them (smooth), 1 only those in one plane (faceted). Each face weighs as much as its angle at the point. A vertex that
    /// needs several normals is doubled, and strips become triangles.
    public func addNormals(withAttributeNamed attributeName: String?, creaseThreshold: Float) {
        let name = attributeName ?? MDLVertexAttributeNormal
        let target = layoutWithNormals(name)
        let table = VertexTable(reading: target.usedAttributes.map { $0.duplicate() }, from: self, stored: layout)
        guard let place = table.column(MDLVertexAttributePosition), let column = table.column(name), table.count > 0 else { return }

        let submeshes = allSubmeshes.map(\.withoutStrips)
        let faces = submeshes.map { $0.polygons ?? PolygonList() }
        let normals = CornerNormals(of: faces, positions: table.columns[place].map { SIMD3($0.x, $0.y, $0.z) },
                                    creaseThreshold: Double(creaseThreshold))
        var splitter = VertexSplitter(table, normalColumn: column)
        let split = faces.indices.map { list in
            zip(faces[list].corners, normals.corners[list]).map { splitter.vertex($0, with: $1) }
        }
        guard store(splitter.table, by: target) else { return }
        self.submeshes = NSMutableArray(array: submeshes.indices.map { list in
            if split[list] == faces[list].corners { return submeshes[list] }
            return MDLSubmesh((split[list], submeshes[list].faceSizes), indexType: .reaching(vertexCount: vertexCount),
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
