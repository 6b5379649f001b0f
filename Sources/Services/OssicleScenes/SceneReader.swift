import CAssimp
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
/// The library opens no other file: it is given bytes, and keeps the names of materials whose description (`mtllib`) it does not find.
enum SceneReader {
    static func parts(of bytes: [UInt8], name: String) throws(SceneFileError) -> [ScenePart] {
        var reply = Reply(try usable(ReaderProcess.reply(about: bytes, by: ossicle_scene_describe), name))
        guard reply.word() == 0x4E45_4353, let failure = reply.text() else { throw damaged(name) }
        guard failure.isEmpty else {
            throw SceneFileError(name, "cannot be read as OBJ (\(failure))", rule: "faces must name vertices that the file has",
                                 cure: "export the scene again as Wavefront OBJ")
        }
        var parts: [ScenePart] = []
        while let more = reply.word(), more == 1 {
            guard let object = reply.text(), let material = reply.text(), let coordinates = reply.floats(), let corners = reply.words() else {
                throw damaged(name)
            }
            parts.append(ScenePart(object: object, material: material, coordinates: coordinates, corners: corners))
        }
        return parts
    }

    static func usable(_ result: Result<[UInt8], ReaderProcess.Refusal>, _ name: String) throws(SceneFileError) -> [UInt8] {
        switch result {
        case .success(let bytes): return bytes
        case .failure(.tooLarge(let size)):
            throw SceneFileError(name, "has \(size) bytes", rule: "at most \(ReaderProcess.most) can be read", cure: "export fewer triangles")
        case .failure(.unreadable(let reason)):
            throw SceneFileError(name, "cannot be opened (\(reason))", rule: "a scene is a file that you may read",
                                 cure: "check the path and its permissions")
        case .failure(.noProcess(let reason)):
            throw SceneFileError(name, "no process could be started to read it (\(reason))", rule: "scenes are read apart",
                                 cure: "end other processes")
        }
    }

    private static func damaged(_ name: String) -> SceneFileError {
        SceneFileError(name, "is damaged, and reading it came to no end", rule: "a scene is a Wavefront OBJ file", cure: "export it again")
    }
}
