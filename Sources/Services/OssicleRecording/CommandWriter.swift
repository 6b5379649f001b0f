import Foundation
import OssicleFiles
import Synchronization

/// Writes commands to a file as they come. Any thread; not the audio thread: it locks, allocates and writes.
///
/// A write that fails, on a full disk, ends the recording; `finish` throws why.
package final class CommandWriter: Sendable {
    private struct State: ~Copyable {
        let handle: FileHandle
        let encoder = JSONEncoder()
        var last = ""
        var lines = 0
        var known: Set<String> = []
        var error: CommandFileError?

        init(_ handle: FileHandle) {
            self.handle = handle
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
    }

    private let state: Mutex<State>
    package let path: String

    /// Creates the file, or empties it.
    package init(path: String, engine: String) throws(CommandFileError) {
        self.path = path
        // Not by `createFile`, which puts another file in the place of a device.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw CommandFileError(
                .unwritable, file: path, found: "it cannot be created (\(String(cString: strerror(errno))))",
                rule: "Commands are recorded to a new file.",
                cure: "Choose a folder that exists and that this program may write to.")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        state = Mutex(State(handle))
        add(CommandFile.Header(format: CommandFile.format, version: CommandFile.version, engine: engine))
        try state.withLock { state throws(CommandFileError) in if let error = state.error { throw error } }
    }

    /// A command that was carried out at a frame of engine time.
    package func add<Command: Codable>(_ command: Command, at frame: Int64) {
        add(CommandFile.Line<Command>(at: frame, do: command))
    }

    /// Something that was done and cannot be replayed, in words.
    package func addGap(_ words: String, at frame: Int64) { add(CommandFile.Line<Never>(at: frame, gap: words)) }

    /// Bytes that commands name by their hash; they are written once.
    /// - Returns: the hash.
    package func add(_ bytes: Data) -> String {
        let hash = SHA256.hex(of: Array(bytes))
        let isNew = state.withLock { $0.known.insert(hash).inserted }
        if isNew { add(CommandFile.Line<Never>(data: hash, bytes: bytes)) }
        return hash
    }

    /// Writes the last line and closes the file. The last call.
    /// - Parameter frame: of engine time, to which the engine has rendered.
    package func finish(at frame: Int64) throws(CommandFileError) {
        let lines = state.withLock { $0.lines }
        add(CommandFile.Line<Never>(at: frame, end: lines))
        try state.withLock { state throws(CommandFileError) in
            try? state.handle.close()
            if let error = state.error { throw error }
        }
    }

    private func add(_ value: some Encodable) {
        state.withLock { state in
            guard state.error == nil else { return }
            do {
                let json = try state.encoder.encode(value), check = CommandFile.check(state.last, json)
                try state.handle.write(contentsOf: Data("\(check) ".utf8) + json + Data("\n".utf8))
                state.last = check
                state.lines += 1
            } catch {
                state.error = CommandFileError(
                    .unwritable, file: path, found: "a line could not be written (\(error.localizedDescription))",
                    rule: "A recording ends with the first line that is lost.", cure: "Make room, and record again.")
            }
        }
    }
}

/// Where an engine's commands go, if anywhere. Any thread; off it costs a load.
package final class CommandRecording: Sendable {
    private let isOn = Atomic(false)
    private let writer = Mutex<CommandWriter?>(nil)

    package init() {}

    package var isRecording: Bool { isOn.load(ordering: .relaxed) }

    /// - Returns: false if there is a recording already.
    package func start(_ new: CommandWriter) -> Bool {
        writer.withLock { writer in
            guard writer == nil else { return false }
            writer = new
            isOn.store(true, ordering: .relaxed)
            return true
        }
    }

    /// The recording that ends; nil if there is none.
    package func stop() -> CommandWriter? {
        writer.withLock { writer in
            isOn.store(false, ordering: .relaxed)
            defer { writer = nil }
            return writer
        }
    }

    /// Calls `body` while there is a recording.
    package func with(_ body: (CommandWriter) -> Void) {
        guard isRecording, let current = writer.withLock({ $0 }) else { return }
        body(current)
    }
}
