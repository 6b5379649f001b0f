import OssicleAcoustics
import OssicleCore

/// Puts the parts of a file together: parts of one object that follow each other are one mesh, with one element for each part.
struct SceneAssembly {
    let name: String
    let options: SceneFileOptions
    private var objects: [Object] = []
    private(set) var warnings: [String] = []

    private struct Object {
        var name: String
        var vertices: [Vector] = []
        var triangles: [SIMD3<Int32>] = []
        var elements: [Int32] = []
        var materials: [AcousticMaterial?] = []
    }

    init(name: String, options: SceneFileOptions) { (self.name, self.options) = (name, options) }

    mutating func add(_ part: ScenePart) throws(SceneFileError) {
        guard !part.corners.isEmpty else { return }
        let material = try material(named: part.material, of: part.object)
        if objects.last?.name != part.object { objects.append(Object(name: part.object)) }
        let last = objects.count - 1
        let (first, element) = (objects[last].vertices.count, Int32(clamping: objects[last].materials.count))
        objects[last].materials.append(material)
        for place in stride(from: 0, to: part.coordinates.count - 2, by: 3) {
            objects[last].vertices.append(metres(part.coordinates[place], part.coordinates[place + 1], part.coordinates[place + 2]))
        }
        for place in stride(from: 0, to: part.corners.count - 2, by: 3) {
            let corners = (0..<3).map { Int32(clamping: first + Int(part.corners[place + $0])) }
            objects[last].triangles.append(SIMD3(corners[0], corners[1], corners[2]))
            objects[last].elements.append(element)
        }
    }

    /// What is left of the objects once triangles without a place are out.
    mutating func occluders() throws(SceneFileError) -> [Occluder] {
        var result: [Occluder] = []
        var rejected = 0
        for object in objects {
            let mesh = TriangleMesh(vertices: object.vertices, triangles: object.triangles, elements: object.elements,
                                    elementCount: object.materials.count)
            let geometry = MeshGeometry(mesh)
            rejected += mesh.rejectedTriangles + mesh.triangles.count - geometry.mesh.triangles.count
            guard !geometry.bounds.isEmpty else { continue }
            result.append(Occluder(id: UInt64(result.count + 1), name: object.name, geometry: geometry, materials: object.materials))
        }
        guard !result.isEmpty else {
            throw SceneFileError(name, "holds no surface (\(rejected) triangles have corners that are no place)",
                                 rule: "sound needs triangles with an area", cure: "export faces, with vertices that are numbers")
        }
        if rejected > 0 { warnings.append("\(rejected) triangles have corners that are no place, or lie beyond 10,000 km, and were left out.") }
        return result
    }

    private func metres(_ x: Float, _ y: Float, _ z: Float) -> Vector {
        let v = Vector(Double(x), Double(y), Double(z)) * options.metresPerUnit
        return options.upAxis == .y ? v : Vector(v.x, v.z, -v.y)
    }

    /// assimp's name for what has none.
    private static let unnamed = "DefaultMaterial"

    private mutating func material(named name: String, of object: String) throws(SceneFileError) -> AcousticMaterial? {
        if let known = MaterialNames.material(for: name) { return known }
        if name.isEmpty || name == SceneAssembly.unnamed {
            warn("Object “\(object)” has faces without a material (usemtl): they are of concrete.")
        } else if options.isLenient {
            warn("Material “\(name)” is not known: it is concrete.")
        } else {
            throw SceneFileError(self.name, "its object “\(object)” is made of “\(name)”, which is not known",
                                 rule: "known are \(MaterialNames.known.joined(separator: ", "))",
                                 cure: "rename the material, or read leniently to have concrete")
        }
        return nil
    }

    private mutating func warn(_ sentence: String) {
        if !warnings.contains(sentence) { warnings.append(sentence) }
    }
}
