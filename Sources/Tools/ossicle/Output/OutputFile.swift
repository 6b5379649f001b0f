import Foundation

/// A file the user asked for. Checked when it is named, so that nobody waits for a rendering that cannot be saved.
struct OutputFile: Equatable {
    let path: String

    init(_ path: String) throws {
        self.path = path
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if path.isEmpty { throw OutputFile.refusal("An empty name", because: "names no file") }
        if FileSystem.isFolder(path) { throw OutputFile.refusal(path, because: "is a folder") }
        guard FileSystem.isFolder(folder) else { throw OutputFile.refusal(path, because: "is in a folder that does not exist (\(folder))") }
        let exists = FileSystem.exists(path)
        guard FileManager.default.isWritableFile(atPath: exists ? path : folder) else {
            throw OutputFile.refusal(path, because: exists ? "is write-protected" : "is in a folder you may not write to (\(folder))")
        }
    }

    func write(_ data: Data) throws {
        do {
            try data.write(to: URL(fileURLWithPath: path))
        } catch {
            throw OutputFile.refusal(path, because: "could not be written (\(OutputFile.reason(of: error)))")
        }
    }

    private static func refusal(_ name: String, because reason: String) -> ToolError {
        ToolError("\(name) \(reason): give -o a file in a folder that exists and that you may write to.")
    }

    /// The system's own words, which say more than Foundation's.
    private static func reason(of error: any Error) -> String {
        guard let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError else { return error.localizedDescription }
        return String(cString: strerror(underlying.code.rawValue))
    }
}
