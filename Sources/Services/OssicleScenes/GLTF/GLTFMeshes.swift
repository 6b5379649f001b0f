/// Reads the meshes of a glTF document: triangles of each primitive, whatever way they are stored.
struct GLTFMeshes {
    var accessors: GLTFAccessors
    /// How many materials the document has.
    let materialCount: Int
    private(set) var warnings: [String] = []
    private var lastPositions: (accessor: JSONValue, values: [Float])?

    init(_ accessors: GLTFAccessors, materialCount: Int) {
        (self.accessors, self.materialCount) = (accessors, materialCount)
    }

    mutating func mesh(_ cursor: JSONCursor) throws -> SceneMesh {
        let object = try cursor.object()
        let name = try object["name"]?.text() ?? ""
        var primitives: [ScenePrimitive] = []
        for cursor in try object.required("primitives").list() {
            guard let primitive = try primitive(try cursor.object()) else {
                warn("\(cursor.path) is made of points or lines, which sound does not meet; it is left out.")
                continue
            }
            primitives.append(primitive)
        }
        if object.members["weights"] != nil {
            warn("\(cursor.path) has morph targets; its shape without them counts.")
        }
        return SceneMesh(name: name, primitives: primitives)
    }

    private mutating func primitive(_ object: JSONObject) throws -> ScenePrimitive? {
        let attributes = try object.required("attributes").object()
        let mode = try object["mode"]?.integer(in: 0...6) ?? 4
        guard mode >= 4 else { return nil }
        let position = try attributes.required("POSITION")
        if let draco = try object.extension("KHR_draco_mesh_compression"), try !accessors.hasBytes(position) {
            throw draco.cursor.fault(
                "is compressed by Draco", rule: "compressed meshes are not read",
                cure: "export the scene without mesh compression")
        }
        let positions = try positions(position), count = positions.count / 3
        if let place = positions.firstIndex(where: { !$0.isFinite }) {
            throw position.fault(
                "names an accessor whose element \(place / 3) is not finite", rule: "a vertex is a place",
                cure: "export the scene again")
        }
        let indices = try object["indices"].map { try accessors.indices($0) } ?? (0..<UInt32(count)).map { $0 }
        if let place = indices.firstIndex(where: { $0 >= count }) {
            throw try object.required("indices").fault(
                "names an accessor whose element \(place) is \(indices[place])",
                rule: "there are \(count) vertices, numbered from 0", cure: "export the scene again")
        }
        var triangles = GLTFMeshes.triangles(indices, mode: mode)
        let vertices = GLTFMeshes.used(positions, by: &triangles)
        return ScenePrimitive(
            vertices: vertices, triangles: triangles,
            material: try object["material"]?.index(of: "materials", count: materialCount))
    }

    /// Primitives that share their vertices have them read once.
    private mutating func positions(_ cursor: JSONCursor) throws -> [Float] {
        if let lastPositions, lastPositions.accessor == cursor.value { return lastPositions.values }
        let values = try accessors.floats(cursor, width: 3)
        lastPositions = (cursor.value, values)
        return values
    }

    /// The vertices that triangles name, in their order: primitives often share one long list.
    private static func used(_ positions: [Float], by triangles: inout [SIMD3<UInt32>]) -> [SIMD3<Float>] {
        var places = [UInt32](repeating: .max, count: positions.count / 3)
        for triangle in triangles { for corner in 0..<3 { places[Int(triangle[corner])] = 0 } }
        var vertices: [SIMD3<Float>] = []
        for index in places.indices where places[index] == 0 {
            places[index] = UInt32(vertices.count)
            vertices.append(SIMD3(positions[3 * index], positions[3 * index + 1], positions[3 * index + 2]))
        }
        for index in triangles.indices {
            let corners = triangles[index]
            triangles[index] = SIMD3(places[Int(corners.x)], places[Int(corners.y)], places[Int(corners.z)])
        }
        return vertices
    }

    /// - Parameter mode: 4 triangles, 5 strip, 6 fan.
    private static func triangles(_ indices: [UInt32], mode: Int) -> [SIMD3<UInt32>] {
        guard indices.count >= 3 else { return [] }
        switch mode {
        case 4:
            return stride(from: 0, to: indices.count - 2, by: 3).map {
                SIMD3(indices[$0], indices[$0 + 1], indices[$0 + 2])
            }
        case 5:
            // Every second triangle of a strip is wound the other way round.
            return (0..<indices.count - 2).map {
                $0 % 2 == 0
                    ? SIMD3(indices[$0], indices[$0 + 1], indices[$0 + 2])
                    : SIMD3(indices[$0 + 1], indices[$0], indices[$0 + 2])
            }.filter { $0.x != $0.y && $0.y != $0.z && $0.z != $0.x }
        default: return (1..<indices.count - 1).map { SIMD3(indices[0], indices[$0], indices[$0 + 1]) }
        }
    }

    private mutating func warn(_ sentence: String) { warnings.append(sentence) }
}
