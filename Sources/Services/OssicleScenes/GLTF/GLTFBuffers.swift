import Foundation
import OssicleReaders

/// The bytes of a glTF document: buffers in the file, beside it or in the JSON itself, and the views into them.
struct GLTFBuffers {
    /// A stretch of a buffer.
    struct View {
        let buffer: Int
        let bytes: Range<Int>
        /// From one element to the next; nil where they lie close together.
        let stride: Int?
    }

    /// nil where a buffer has no bytes of its own.
    private let buffers: [[UInt8]?]
    private let views: [JSONCursor]
    /// Bytes of all buffers at the most.
    static let most = 1 << 30

    init(_ document: JSONObject, binary: [UInt8]?, folder: SceneFolder) throws {
        var left = GLTFBuffers.most
        buffers = try document.list("buffers", atMost: 65_536).enumerated().map { index, cursor in
            let bytes = try GLTFBuffers.bytes(
                of: try cursor.object(), binary: index == 0 ? binary : nil, folder: folder, atMost: left)
            left -= bytes?.count ?? 0
            return bytes
        }
        views = try document.list("bufferViews")
    }

    private static func bytes(
        of buffer: JSONObject, binary: [UInt8]?, folder: SceneFolder, atMost left: Int
    ) throws -> [UInt8]? {
        let length = try buffer.required("byteLength"), count = try length.integer(in: 1...most)
        guard count <= left else {
            throw length.fault(rule: "all buffers together have at most \(most) bytes", cure: "split the scene")
        }
        let found: [UInt8]
        if let uri = buffer["uri"] {
            found = try bytes(of: uri, folder: folder)
        } else if let binary {
            found = binary
        } else {
            return nil
        }
        guard found.count >= count else {
            throw length.fault(
                rule: "the buffer holds as many bytes, and only \(found.count) are there", cure: "export it again")
        }
        return found
    }

    private static func bytes(of uri: JSONCursor, folder: SceneFolder) throws -> [UInt8] {
        guard case .string(let text) = uri.value else { return Array(try uri.text().utf8) }
        if text.hasPrefix("data:") {
            guard let comma = text.firstIndex(of: ","), text[..<comma].hasSuffix(";base64"),
                let data = Data(base64Encoded: String(text[text.index(after: comma)...]))
            else {
                throw uri.fault(
                    "is a data URI that cannot be read", rule: "bytes are given as data:…;base64,…",
                    cure: "export it again, or put the bytes in a file")
            }
            return Array(data)
        }
        let path = try folder.path(of: uri)
        switch ReaderProcess.bytes(ofFile: path) {
        case .success(let bytes): return bytes
        case .failure(.tooLarge(let size)):
            throw uri.fault(
                "names a file of \(size) bytes", rule: "at most \(ReaderProcess.most) can be read",
                cure: "split the scene")
        case .failure(.unreadable(let reason)), .failure(.noProcess(let reason)):
            throw uri.fault(
                "is \(uri.value.words), which cannot be read (\(reason))", rule: "a buffer is a file that you may read",
                cure: "put the file beside the scene")
        }
    }

    /// The view with the number that `cursor` holds.
    func view(_ cursor: JSONCursor) throws -> View {
        let view = try views[try cursor.index(of: "buffer views", count: views.count)].object()
        if view.members["extensions"].map({ $0.has("EXT_meshopt_compression") || $0.has("KHR_meshopt_compression") })
            == true
        {
            throw view.cursor.fault(
                "is compressed by meshopt", rule: "compressed buffers are not read",
                cure: "export the scene without mesh compression")
        }
        let buffer = try view.required("buffer").index(of: "buffers", count: buffers.count)
        guard let bytes = buffers[buffer] else {
            throw try view.required("buffer").fault(
                "is \(buffer), a buffer without bytes", rule: "a buffer has a uri, or is the binary chunk of a .glb",
                cure: "export the scene again")
        }
        let start = try view["byteOffset"]?.integer(in: 0...GLTFBuffers.most) ?? 0
        let length = try view.required("byteLength"), count = try length.integer(in: 1...GLTFBuffers.most)
        guard start <= bytes.count, count <= bytes.count - start else {
            throw length.fault(
                rule: "buffer \(buffer) has \(bytes.count) bytes, and the view begins at \(start)",
                cure: "export it again")
        }
        return View(
            buffer: buffer, bytes: start..<start + count, stride: try view["byteStride"]?.integer(in: 4...252))
    }

    /// Lends the bytes of a view.
    func withBytes<Result>(_ view: View, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try (buffers[view.buffer] ?? []).withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[view.bytes])) }
    }
}

extension JSONValue {
    /// Whether it is an object with such a member.
    func has(_ name: String) -> Bool {
        guard case .object(let members) = self else { return false }
        return members[name] != nil
    }
}
