import CAssimp
import OssicleAcoustics
import OssicleCore
import OssicleLibraries
import OssicleReaders

/// One object's triangles of one material, as the file has them.
struct ScenePart: Sendable, Hashable {
    var object: String
    var material: String
    /// x, y, z of each vertex.
    var coordinates: [Float]
    /// Three corners of each triangle.
    var corners: [UInt32]
}

/// Reads OBJ files with assimp, in a child process: a damaged file may crash the library, but not this program.
///
/// The library opens no other file: it is given bytes, and keeps the names of materials whose description (`mtllib`) it
/// does not find.
enum SceneReader {
    static func parts(of bytes: [UInt8], name: String) throws(SceneFileError) -> [ScenePart] {
        guard OptionalLibrary.assimp.isThere else {
            throw SceneFileError(
                name, "cannot be read here (\(OptionalLibrary.assimp.missing.found))", rule: "assimp reads OBJ files",
                cure: "export the scene as glTF, which needs no library, or: \(OptionalLibrary.assimp.missing.cure)")
        }
        var reply = Reply(try usable(ReaderProcess.reply(about: bytes, by: ossicle_scene_describe), name))
        guard reply.word() == 0x4E45_4353, let failure = reply.text() else { throw damaged(name) }
        guard failure.isEmpty else {
            throw SceneFileError(
                name, "cannot be read as OBJ (\(failure))", rule: "faces must name vertices that the file has",
                cure: "export the scene again as Wavefront OBJ")
        }
        var parts: [ScenePart] = []
        while let more = reply.word(), more == 1 {
            guard let object = reply.text(), let material = reply.text(), let coordinates = reply.floats(),
                let corners = reply.words()
            else {
                throw damaged(name)
            }
            parts.append(ScenePart(object: object, material: material, coordinates: coordinates, corners: corners))
        }
        return parts
    }

    static func usable(
        _ result: Result<[UInt8], ReaderProcess.Refusal>, _ name: String
    ) throws(SceneFileError) -> [UInt8] {
        switch result {
        case .success(let bytes): return bytes
        case .failure(.tooLarge(let size)):
            throw SceneFileError(
                name, "has \(size) bytes", rule: "at most \(ReaderProcess.most) can be read",
                cure: "export fewer triangles")
        case .failure(.unreadable(let reason)):
            throw SceneFileError(
                name, "cannot be opened (\(reason))", rule: "a scene is a file that you may read",
                cure: "check the path and its permissions")
        case .failure(.noProcess(let reason)):
            throw SceneFileError(
                name, "no process could be started to read it (\(reason))", rule: "scenes are read apart",
                cure: "end other processes")
        }
    }

    private static func damaged(_ name: String) -> SceneFileError {
        SceneFileError(
            name, "is damaged, and reading it came to no end", rule: "a scene is a Wavefront OBJ file",
            cure: "export it again")
    }
}

/// Puts the parts of a file together: parts of one object that follow each other are one mesh, with one element for
/// each part.
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
            objects[last].vertices.append(
                metres(part.coordinates[place], part.coordinates[place + 1], z: part.coordinates[place + 2]))
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
            let mesh = TriangleMesh(
                vertices: object.vertices, triangles: object.triangles, elements: object.elements,
                elementCount: object.materials.count)
            let geometry = MeshGeometry(mesh)
            rejected += mesh.rejectedTriangles + mesh.triangles.count - geometry.mesh.triangles.count
            guard !geometry.bounds.isEmpty else { continue }
            result.append(
                Occluder(
                    id: UInt64(result.count + 1), name: object.name, geometry: geometry, materials: object.materials))
        }
        guard !result.isEmpty else {
            throw SceneFileError(
                name, "holds no surface (\(rejected) triangles have corners that are no place)",
                rule: "sound needs triangles with an area", cure: "export faces, with vertices that are numbers")
        }
        if rejected > 0 {
            warnings.append(
                "\(rejected) triangles have corners that are no place, or lie beyond 10,000 km, and were left out.")
        }
        return result
    }

    private func metres(_ x: Float, _ y: Float, z: Float) -> Vector {
        let v = Vector(Double(x), Double(y), Double(z)) * options.metresPerUnit
        return options.upAxis == .y ? v : Vector(v.x, v.z, -v.y)
    }

    /// assimp's name for what has none.
    private static let unnamed = "DefaultMaterial"

    private mutating func material(named name: String, of object: String) throws(SceneFileError) -> AcousticMaterial? {
        let isUnnamed = name.isEmpty || name == SceneAssembly.unnamed
        if let known = options.materials.material(for: name.isEmpty ? object : name) { return known }
        if isUnnamed {
            warn("Object “\(object)” has faces without a material: they are of concrete.")
        } else if options.isLenient {
            warn("Material “\(name)” is not known: it is concrete.")
        } else {
            throw SceneFileError(
                self.name, "its object “\(object)” is made of “\(name)”, which is not known",
                rule: "known are \(MaterialNames.known.joined(separator: ", "))",
                cure: "rename the material, or read leniently to have concrete")
        }
        return nil
    }

    private mutating func warn(_ sentence: String) {
        if !warnings.contains(sentence) { warnings.append(sentence) }
    }
}

/// Finds the material somebody meant: letters and digits count, upper and lower case, blanks, dots and lines do not,
/// and a number at the end that modelling programs add is left out where no material is called so: “Brick_01”,
/// “drywall.001”, “Carpet on concrete”.
package enum MaterialNames {
    /// What the library calls its materials, in its order.
    package static let known = MaterialLibrary.materials.map(\.name)

    package static func material(for name: String) -> AcousticMaterial? {
        keys(of: name).lazy.compactMap { byKey[$0] }.first
    }

    /// What a name may be known by, the likeliest first.
    static func keys(of name: String) -> [String] {
        let given = key(name)
        return [given, withoutNumber(given), withoutNumber(key(withoutSuffix(name))), key(withoutSuffix(name))]
    }

    private static let byKey = Dictionary(
        MaterialLibrary.materials.map { (key($0.name), $0) }, uniquingKeysWith: { first, _ in first })

    private static func key(_ name: String) -> String {
        String(name.lowercased().filter { $0.isLetter || $0.isNumber })
    }

    private static func withoutNumber(_ key: String) -> String {
        String(key.reversed().drop { $0.isNumber }.reversed())
    }

    /// Without the last dot, line or blank and all behind it.
    private static func withoutSuffix(_ name: String) -> String {
        name.lastIndex { ".-_ ".contains($0) }.map { String(name[..<$0]) } ?? name
    }
}
