import Foundation
import OssicleReaders

/// The two parts of a glTF file: its JSON and, in a `.glb`, the binary chunk behind it.
struct GLTFContainer {
    let json: JSONValue
    let binary: [UInt8]?

    private static let magic: UInt32 = 0x4654_6C67
    private static let jsonChunk: UInt32 = 0x4E4F_534A
    private static let binaryChunk: UInt32 = 0x004E_4942

    /// - Throws: `SceneFileError`.
    init(_ bytes: [UInt8], file: String) throws {
        guard bytes.count >= 4, GLTFContainer.word(bytes, at: 0) == GLTFContainer.magic else {
            json = try JSONValue(bytes, file: file)
            binary = nil
            return
        }
        guard bytes.count >= 20, GLTFContainer.word(bytes, at: 4) == 2 else {
            throw GLTFContainer.damaged(file, "is a binary glTF without a header of version 2")
        }
        let end = Int(GLTFContainer.word(bytes, at: 8))
        guard end <= bytes.count else {
            throw GLTFContainer.damaged(file, "ends after \(bytes.count) of \(end) bytes")
        }
        var (start, chunks) = (12, [(type: UInt32, bytes: Range<Int>)]())
        while start + 8 <= end, chunks.count < 2 {
            let length = Int(GLTFContainer.word(bytes, at: start))
            guard length <= end - start - 8 else {
                throw GLTFContainer.damaged(file, "has a chunk of \(length) bytes where \(end - start - 8) are left")
            }
            chunks.append((GLTFContainer.word(bytes, at: start + 4), start + 8..<start + 8 + length))
            start += 8 + length
        }
        guard let first = chunks.first, first.type == GLTFContainer.jsonChunk else {
            throw GLTFContainer.damaged(file, "does not begin with a chunk of JSON")
        }
        json = try JSONValue(Array(bytes[first.bytes]), file: file)
        binary = chunks.dropFirst().first { $0.type == GLTFContainer.binaryChunk }.map { Array(bytes[$0.bytes]) }
    }

    /// A binary glTF of version 2: header, JSON filled up with blanks, binary chunk filled up with zeros.
    static func bytes(json: [UInt8], binary: [UInt8]) -> [UInt8] {
        func filled(_ bytes: [UInt8], with byte: UInt8) -> [UInt8] {
            bytes + Array(repeating: byte, count: (4 - bytes.count % 4) % 4)
        }
        func chunk(_ type: UInt32, _ bytes: [UInt8]) -> [UInt8] { word(UInt32(bytes.count)) + word(type) + bytes }
        func word(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
        let chunks =
            chunk(jsonChunk, filled(json, with: 0x20))
            + (binary.isEmpty ? [] : chunk(binaryChunk, filled(binary, with: 0)))
        return word(magic) + word(2) + word(UInt32(12 + chunks.count)) + chunks
    }

    private static func word(_ bytes: [UInt8], at place: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) }
    }

    private static func damaged(_ file: String, _ found: String) -> SceneFileError {
        SceneFileError(file, found, rule: "a .glb holds a header, JSON and a binary chunk", cure: "export it again")
    }
}

/// The folder of a scene. A scene names files in it by relative URIs, and no file elsewhere: it may come from anyone.
package struct SceneFolder: Sendable, Hashable {
    /// nil for a scene that is not in a file.
    package let path: String?

    package init(path: String?) { self.path = path }

    /// The path of the file that a URI of the document names, whether it is there or not.
    func path(of uri: JSONCursor) throws -> String {
        let text = try uri.text()
        do {
            return try path(of: text)
        } catch {
            throw uri.fault(rule: error.rule, cure: error.cure)
        }
    }

    package func path(of uri: String) throws(SceneFolderFault) -> String {
        guard let path else {
            throw SceneFolderFault(
                rule: "only a scene in a file has files beside it", cure: "read the scene from a file")
        }
        guard let name = uri.removingPercentEncoding, !name.isEmpty, !name.contains("\0"), !name.contains("\\"),
            !name.hasPrefix("/"), name.prefix(while: { $0 != "/" }).allSatisfy({ $0 != ":" }),
            !name.split(separator: "/").contains("..")
        else { throw SceneFolder.outside }
        let folder = URL(fileURLWithPath: path, isDirectory: true).resolvingSymlinksInPath().path
        let file = URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent(name)
        // A link in the folder may lead out of it.
        let resolved = file.resolvingSymlinksInPath().path
        guard resolved.hasPrefix(folder == "/" ? folder : folder + "/") else { throw SceneFolder.outside }
        return file.path
    }

    private static let outside = SceneFolderFault(
        rule: "files lie in the scene's folder", cure: "put the file beside the scene and give its name, without “..”")
}

/// Why a URI names no file of a scene's folder.
package struct SceneFolderFault: Error {
    package let rule, cure: String
}
