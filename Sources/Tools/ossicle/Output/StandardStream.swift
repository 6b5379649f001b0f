import Foundation
import OssicleMessages
import Synchronization

/// Standard input and output in place of files, written "-".
///
/// Sound files are read and written back and forth, and pipes go only forward: what comes in is kept in a file of its
/// own until the work ends, and what goes out is sent when it is whole.
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
            guard target >= 0 else {
                throw failure("\(file.path) could not be made", "set TMPDIR to a folder you may write to")
            }
            defer { close(target) }
            try copy(from: STDIN_FILENO, inputName, to: target, targetName: file.path)
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
        try copy(from: source, path, to: STDOUT_FILENO, targetName: outputName)
    }

    /// `error` with names that the user knows in place of paths that were made up here.
    static func renamed(_ error: any Error, _ names: [String: String]) -> any Error {
        let words = "\(error)", renamed = names.reduce(words) { $0.replacing($1.key, with: $1.value) }
        return renamed == words ? error : ToolError(renamed)
    }

    private static func copy(from source: Int32, _ sourceName: String, to target: Int32, targetName: String) throws {
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
                    guard written > 0 else {
                        throw failure(
                            "\(targetName) could not be written", "check where it goes to, and the room there")
                    }
                    done += written
                }
            }
        }
    }

    private static func failure(_ what: String, _ cure: String) -> ToolError {
        ToolError("\(what) (\(String(cString: strerror(errno)))): \(cure).")
    }
}

typealias StandardError = OssicleMessages.StandardError

extension StandardError {
    /// A failure that does not end the work.
    @Sendable static func tell(_ failure: String) { write("Error: \(failure)\n") }
}

/// How far long work has come, on standard error so that standard output stays clean for pipes: "converting 43 %, 12 s
/// left".
///
/// On a terminal one line is redrawn, after the first second, and erased at the end. Elsewhere (a log, a pipe) a line
/// is written every ten seconds, so that short work leaves nothing. Any thread may report.
final class Progress: Sendable {
    private let title: String
    private let isTerminal: Bool
    private let seconds: @Sendable () -> Double
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())

    private struct State {
        var shown = ""
        /// Seconds since the start at which the next line is due.
        var due: Double?
        var furthest = 0.0
    }

    /// - Parameters:
    ///   - seconds: time since the start of the work.
    ///   - write: puts text on standard error.
    init(
        _ title: String, isTerminal: Bool, seconds: @escaping @Sendable () -> Double,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.title = title
        self.isTerminal = isTerminal
        self.seconds = seconds
        self.write = write
    }

    convenience init(_ title: String) {
        let start = ContinuousClock.now
        self.init(
            title, isTerminal: isatty(STDERR_FILENO) == 1, seconds: { start.duration(to: .now) / .seconds(1) },
            write: { StandardError.write($0) })
    }

    /// - Parameters:
    ///   - share: 0 … 1; less than was reported before counts as that.
    ///   - note: what stands behind the percentage, such as "(3 of 12 files)".
    func show(_ share: Double, _ note: String = "") {
        let now = seconds()
        state.withLock { state in
            state.furthest = max(state.furthest, min(max(share, 0), 1))
            if state.furthest >= 1 { return erase(&state) }
            guard now >= state.due ?? (isTerminal ? 1 : 10) else { return }
            state.due = now + (isTerminal ? 0.1 : 10)
            let line = line(state.furthest, note, after: now)
            guard line != state.shown else { return }
            write(isTerminal ? "\r\(line)\u{1B}[K" : line + "\n")
            state.shown = line
        }
    }

    /// Makes room on a terminal for a line of another kind, and at the end.
    func clear() { state.withLock { erase(&$0) } }

    private func erase(_ state: inout State) {
        if isTerminal, !state.shown.isEmpty { write("\r\u{1B}[K") }
        state.shown = ""
    }

    private func line(_ share: Double, _ note: String, after elapsed: Double) -> String {
        let percent = "\(title) \(Int(share * 100)) %" + (note.isEmpty ? "" : " " + note)
        guard share >= 0.01 else { return percent }
        let left = max((elapsed * (1 - share) / share).rounded(), 1)
        return percent + ", " + (left < 60 ? "\(Text.number(left, decimals: 0)) s" : Text.clock(left)) + " left"
    }
}
