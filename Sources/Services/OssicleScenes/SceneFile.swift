import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleReaders

/// The surfaces of a file: Wavefront OBJ, glTF 2.0 (`.gltf`, `.glb`), STL or PLY, by the ending of its name.
///
/// Each group, object, node or solid is one occluder. Names of materials (`usemtl`, the materials of glTF) are looked
/// up in the options' `materials`; STL and PLY, which name none, are of the material that their solid or file is called
/// after. Faces without a material are of concrete, as is every occluder whose maker says nothing. In OBJ a name that
/// is not known is an error unless the options are lenient. No `.mtl` file is read.
package struct SceneFile: Sendable {
    package let name: String
    /// In the order of the file; the id is the place in it, from 1 on.
    package let occluders: [Occluder]
    /// What was guessed or left out, in sentences.
    package let warnings: [String]

    /// What the ending of a file's name may be.
    package static let endings = ["obj", "gltf", "glb", "stl", "ply"]

    /// Reads and checks a file. Any thread; some 0.2 s for 100,000 triangles.
    package init(contentsOfFile path: String, options: SceneFileOptions = SceneFileOptions()) throws(SceneFileError) {
        let url = URL(fileURLWithPath: path), name = url.lastPathComponent
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw SceneFileError(name, "is a folder", rule: "a scene is one file", cure: "name a file in it")
        }
        if ["gltf", "glb"].contains(url.pathExtension.lowercased()) {
            try self.init(gltf: path, name: name, options: options)
        } else {
            try self.init(try SceneReader.usable(ReaderProcess.bytes(ofFile: path), name), name: name, options: options)
        }
    }

    init(_ bytes: [UInt8], name: String, options: SceneFileOptions = SceneFileOptions()) throws(SceneFileError) {
        guard options.metresPerUnit.isFinite, options.metresPerUnit > 0 else {
            throw SceneFileError(
                name, "its unit is \(options.metresPerUnit) m", rule: "a unit is more than 0 m",
                cure: "pass 1 for metres, 0.01 for centimetres")
        }
        var assembly = SceneAssembly(name: name, options: options)
        let url = URL(fileURLWithPath: name), stem = url.deletingPathExtension().lastPathComponent
        let parts =
            switch url.pathExtension.lowercased() {
            case "stl": try STLReader.parts(of: bytes, name: name, object: stem)
            case "ply": try PLYReader.parts(of: bytes, name: name, object: stem)
            default: try SceneReader.parts(of: bytes, name: name)
            }
        for part in parts { try assembly.add(part) }
        self.name = name
        occluders = try assembly.occluders()
        warnings = assembly.warnings
    }

    /// glTF is in metres with y up, whatever the options say.
    private init(gltf path: String, name: String, options: SceneFileOptions) throws(SceneFileError) {
        let document: SceneDocument
        let placements: [ScenePoses.Placement]
        do {
            document = try SceneDocument(contentsOfFile: path)
            placements = ScenePoses(document).placements
        } catch let error as SceneFileError {
            throw error
        } catch {
            throw SceneFileError(name, "cannot be read (\(error))", rule: "it is glTF 2.0", cure: "export it again")
        }
        occluders = document.occluders(placements, materials: options.materials)
        guard !occluders.isEmpty else {
            throw SceneFileError(
                name, "holds no surface", rule: "a room is made of meshes",
                cure: "name a scene whose nodes have some")
        }
        self.name = name
        let unknown = document.materials.filter { $0.material(in: options.materials) == nil }.map {
            "Material “\($0.name)” is not known: it is concrete."
        }
        let isOdd = options.metresPerUnit != 1 || options.upAxis != .y
        warnings =
            document.warnings + unknown
            + (isOdd ? ["glTF is in metres with y up: other units and axes were left out."] : [])
    }
}

/// How the numbers and names of a scene file are to be read.
package struct SceneFileOptions: Sendable, Hashable {
    /// Which axis of the file looks up.
    package enum UpAxis: String, Sendable, CaseIterable { case y, z }

    package var metresPerUnit: Double
    package var upAxis: UpAxis
    /// Whether a surface of an unknown material is concrete, with a warning, and not an error.
    package var isLenient: Bool
    /// What names of materials stand for.
    package var materials: MaterialBook

    package init(
        metresPerUnit: Double = 1, upAxis: UpAxis = .y, isLenient: Bool = false, materials: MaterialBook = .library
    ) {
        (self.metresPerUnit, self.upAxis, self.isLenient) = (metresPerUnit, upAxis, isLenient)
        self.materials = materials
    }
}

/// A scene file that cannot be used: which file, what is wrong with it, and what to do.
package struct SceneFileError: Error, Hashable, CustomStringConvertible {
    package let description: String
    /// The parts of the description.
    package let file, found, rule, cure: String
    /// Where in a document it is: “nodes[3].mesh”.
    package let path: String?
    /// The same without the name of the file, for documents that are no scenes.
    package let finding: String

    /// - Parameters:
    ///   - file: its name. - found: what is wrong. - rule: what must be. - cure: what to do. - path: where in a
    ///     document.
    package init(_ file: String, _ found: String, rule: String, cure: String, path: String? = nil) {
        (self.file, self.found, self.rule, self.cure, self.path) = (file, found, rule, cure, path)
        finding = "\(found); \(rule): \(cure)."
        description = "Scene “\(file)”: \(finding)"
    }
}

/// A shoebox without a file: a room of the given size with its lowest corner at the origin.
///
/// Being a box, it has its mirrors in closed form (`BoxRoom`).
package struct BoxScene: Sendable {
    package let size: Vector
    /// Of low and high x, low and high y (floor and ceiling), low and high z.
    package let materials: [AcousticMaterial]

    /// - Parameters:
    ///   - size: metres along x, y (up) and z, each 0.1…10,000. - materials: one for all walls, or six.
    package init(size: Vector, materials: [AcousticMaterial]) throws(SceneFileError) {
        guard size.isFinite, [size.x, size.y, size.z].allSatisfy({ (0.1...10_000).contains($0) }) else {
            throw SceneFileError(
                "box", "its size is \(size.x) × \(size.y) × \(size.z) m", rule: "each side is 0.1 to 10,000 m",
                cure: "give width, height and depth in metres")
        }
        guard materials.count == 1 || materials.count == 6 else {
            throw SceneFileError(
                "box", "has \(materials.count) materials", rule: "one for all walls or six are wanted",
                cure: "give one, or those of low x, high x, floor, ceiling, low z, high z")
        }
        self.size = size
        self.materials = materials.count == 6 ? materials : Array(repeating: materials[0], count: 6)
    }

    /// The walls as one occluder whose normals look into the room.
    package var occluder: Occluder {
        let vertices = (0..<8).map {
            Vector($0 & 1 == 0 ? 0 : size.x, $0 & 2 == 0 ? 0 : size.y, $0 & 4 == 0 ? 0 : size.z)
        }
        // Corners of each wall, counter-clockwise as seen from inside, in the order of the materials.
        let walls: [[Int32]] = [
            [0, 2, 6, 4], [1, 5, 7, 3], [0, 4, 5, 1], [2, 3, 7, 6], [0, 1, 3, 2], [4, 6, 7, 5],
        ]
        let triangles = walls.flatMap { [SIMD3($0[0], $0[1], $0[2]), SIMD3($0[0], $0[2], $0[3])] }
        let mesh = TriangleMesh(
            vertices: vertices, triangles: triangles, elements: (0..<12).map { Int32($0 / 2) }, elementCount: 6)
        return Occluder(id: 1, name: "box", geometry: MeshGeometry(mesh), materials: materials)
    }
}
