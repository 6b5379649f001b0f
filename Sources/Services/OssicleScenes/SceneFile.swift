import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleReaders

/// A scene from a Wavefront OBJ file: each group or object is one occluder, made of the materials its `usemtl` lines name.
///
/// Names are looked up in `MaterialLibrary` (see `MaterialNames`). Faces without `usemtl` are of concrete, as is every occluder
/// whose maker says nothing; a name that is not known is an error unless the options are lenient. No `.mtl` file is read.
package struct SceneFile: Sendable {
    package let name: String
    /// In the order of the file; the id is the place in it, from 1 on.
    package let occluders: [Occluder]
    /// What was guessed or left out, in sentences.
    package let warnings: [String]

    /// Reads and checks a file. Any thread; some 0.2 s for 100,000 triangles.
    package init(contentsOfFile path: String, options: SceneFileOptions = SceneFileOptions()) throws(SceneFileError) {
        let name = URL(fileURLWithPath: path).lastPathComponent
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw SceneFileError(name, "is a folder", rule: "a scene is one file", cure: "name an OBJ file in it")
        }
        try self.init(try SceneReader.usable(ReaderProcess.bytes(ofFile: path), name), name: name, options: options)
    }

    init(_ bytes: [UInt8], name: String, options: SceneFileOptions = SceneFileOptions()) throws(SceneFileError) {
        guard options.metresPerUnit.isFinite, options.metresPerUnit > 0 else {
            throw SceneFileError(name, "its unit is \(options.metresPerUnit) m", rule: "a unit is more than 0 m",
                                 cure: "pass 1 for metres, 0.01 for centimetres")
        }
        var assembly = SceneAssembly(name: name, options: options)
        for part in try SceneReader.parts(of: bytes, name: name) { try assembly.add(part) }
        self.name = name
        occluders = try assembly.occluders()
        warnings = assembly.warnings
    }
}
