import Foundation

/// A plug-in's state, in memory.
package struct PluginState: Hashable, Sendable {
    /// Turtle, by LV2's state extension. In place of the folder that its files were in stands `StateFolder.mark`.
    package var text: String
    /// The files that it names, by their paths in that folder.
    package var files: [String: Data]

    package init(text: String, files: [String: Data] = [:]) { (self.text, self.files) = (text, files) }
}

/// The folder in which one instance of a plug-in makes files of its state (`state:makePath`), gone with the instance.
/// Control side.
final class StateFolder: Sendable {
    /// Absolute, with a stroke at its end, and without links, so that a plug-in that resolves its paths gives the same.
    let path: String
    /// The path as file URIs spell it, which is how lilv writes absolute paths.
    private let spelling: String
    private let name: String

    static let mark = "urn:ossicle:state-files:/"
    /// Bytes of all files of one state.
    private static let mostBytes = 1 << 28

    /// - Parameter name: what errors name: a URI.
    init(name: String) throws(PluginError) {
        self.name = name
        var template = Array((NSTemporaryDirectory() + "/ossicle-state-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil, let real = realpath(template, nil) else {
            throw .refused(uri: name, reason: "no folder for files of its state: \(String(cString: strerror(errno)))")
        }
        path = String(cString: real) + "/"
        spelling = Self.spelled(path)
        free(real)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A path in a file URI.
    private static func spelled(_ path: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!$&'()*+,-./:;=@_~".utf8)
        return path.utf8.map { plain.contains($0) ? String(UnicodeScalar($0)) : String(format: "%%%02X", $0) }.joined()
    }

    /// A state that a plug-in has just given, with the files that it names.
    func pack(_ text: String) throws(PluginError) -> PluginState {
        var state = PluginState(text: text.replacing(spelling, with: Self.mark)), left = Self.mostBytes
        for file in FileManager.default.enumerator(atPath: path)?.compactMap({ $0 as? String }).sorted() ?? []
        where Self.isNamed(file, in: state.text) {
            let size = (try? FileManager.default.attributesOfItem(atPath: path + file)[.size] as? Int) ?? 0
            guard size <= left else {
                throw .refused(uri: name, reason: "files of its state are larger than \(Self.mostBytes) bytes")
            }
            // What is no file is a folder, whose files follow.
            guard let content = FileManager.default.contents(atPath: path + file) else { continue }
            left -= content.count
            state.files[file] = content
        }
        return state
    }

    /// Whether a state names a file, or a folder that it is in.
    private static func isNamed(_ file: String, in text: String) -> Bool {
        let folders = file.indices.filter { file[$0] == "/" }.map { String(file[..<$0]) }
        return ([file] + folders).contains { name in
            let start = mark + spelled(name)
            return text.contains(start + ">") || text.contains(start + "/>")
        }
    }

    /// Writes a state's files and gives its text with their paths here. Throws for names that lead out of the folder.
    func unpack(_ state: PluginState) throws(PluginError) -> String {
        for (file, content) in state.files.sorted(by: { $0.key < $1.key }) {
            let parts = file.split(separator: "/", omittingEmptySubsequences: false)
            guard !parts.isEmpty, !parts.contains(where: { ["", ".", ".."].contains($0) }), !file.contains("\0") else {
                throw .foreignState(uri: name, reason: "its file \"\(file)\" is outside of the state's folder")
            }
            do {
                let url = URL(fileURLWithPath: path + file)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                // In place of the old file, which the plug-in may have open.
                try content.write(to: url, options: .atomic)
            } catch { throw .foreignState(uri: name, reason: "its file \"\(file)\" cannot be written: \(error)") }
        }
        return state.text.replacing(Self.mark, with: spelling)
    }
}
