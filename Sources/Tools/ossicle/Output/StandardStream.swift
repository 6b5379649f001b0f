import Foundation

/// Standard input and output in place of files, written "-".
///
/// Sound files are read and written back and forth, and pipes go only forward: what comes in is kept in a file of its own until the work ends, and
/// what goes out is sent when it is whole.
enum StandardStream {
    static let argument = "-"
    static let inputName = "standard input"
    static let outputName = "standard output"

    /// A place for a file that exists only while the program runs.
    static func temporaryFile(ending: String = "") throws -> UnfinishedFile {
        try UnfinishedFile(for: FileManager.default.temporaryDirectory.appendingPathComponent("stream." + ending).path)
    }

    /// All of standard input in a file. The caller discards it.
    static func receivedInput() throws -> UnfinishedFile {
        let file = try temporaryFile()
        do {
            let target = open(file.path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
            guard target >= 0 else { throw failure("\(file.path) could not be made", "set TMPDIR to a folder you may write to") }
            defer { close(target) }
            try copy(from: STDIN_FILENO, inputName, to: target, file.path)
            return file
        } catch {
            file.discard()
            throw error
        }
    }

    /// Sends a whole file to standard output.
    static func send(_ path: String) throws {
        let source = open(path, O_RDONLY)
        guard source >= 0 else { throw failure("\(path) could not be read", "try again") }
        defer { close(source) }
        try copy(from: source, path, to: STDOUT_FILENO, outputName)
    }

    /// `error` with names that the user knows in place of paths that were made up here.
    static func renamed(_ error: any Error, _ names: [String: String]) -> any Error {
        let words = "\(error)", renamed = names.reduce(words) { $0.replacing($1.key, with: $1.value) }
        return renamed == words ? error : ToolError(renamed)
    }

    private static func copy(from source: Int32, _ sourceName: String, to target: Int32, _ targetName: String) throws {
        try withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { block in
            while true {
                let count = read(source, block.baseAddress, block.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw failure("\(sourceName) could not be read", "check what it comes from") }
                guard count > 0 else { return }
                var done = 0
                while done < count {
                    let written = write(target, block.baseAddress?.advanced(by: done), count - done)
                    if written < 0, errno == EINTR { continue }
                    guard written > 0 else { throw failure("\(targetName) could not be written", "check where it goes to, and the room there") }
                    done += written
                }
            }
        }
    }

    private static func failure(_ what: String, _ cure: String) -> ToolError { ToolError("\(what) (\(String(cString: strerror(errno)))): \(cure).") }
}
