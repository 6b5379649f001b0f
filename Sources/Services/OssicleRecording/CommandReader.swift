import Foundation
import OssicleFiles

/// A recording of commands, read and checked as a whole.
package struct CommandReader: Sendable {
    package enum Entry<Command: Sendable>: Sendable {
        case command(Command, at: Int64)
        case gap(String, at: Int64)
    }

    package let path: String
    /// Whose commands they are.
    package let engine: String
    /// Frames that were rendered; nil of a recording that was cut off.
    package let end: Int64?
    private let lines: [Data]
    private let data: [String: Data]

    /// What a recording may have; its sounds are in it.
    private static let largest = 4 << 30

    package init(path: String) throws(CommandFileError) {
        self.path = path
        func refusal(_ kind: CommandFileError.Kind, _ found: String, _ cure: String) -> CommandFileError {
            CommandFileError(
                kind, file: path, found: found,
                rule: "A recording is a whole text of checked lines, version \(CommandFile.version).",
                cure: cure)
        }
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        } catch {
            throw refusal(
                .unreadable, "it cannot be read (\(error.localizedDescription))", "Give a file that is there.")
        }
        guard bytes.count <= Self.largest else {
            throw refusal(.noRecording, "it has \(bytes.count) bytes", "Give a file of at most 4 GB.")
        }
        var rest = bytes[...], last = "", lines: [Data] = []
        // What is behind the last line break was cut off while it was written.
        while let stop = rest.firstIndex(of: 10) {
            let line = rest[..<stop]
            rest = rest[(stop + 1)...]
            guard line.count > 9, line[line.startIndex + 8] == 32,
                String(decoding: line.prefix(8), as: UTF8.self) == CommandFile.check(last, line.dropFirst(9))
            else {
                if lines.isEmpty { break }
                throw refusal(
                    .damaged, "line \(lines.count + 1) is not what was written", "Take the file as it was recorded.")
            }
            last = String(decoding: line.prefix(8), as: UTF8.self)
            lines.append(Data(line.dropFirst(9)))
        }
        guard let first = lines.first, let header = try? JSONDecoder().decode(CommandFile.Header.self, from: first),
            header.format == CommandFile.format
        else {
            throw refusal(
                .noRecording, "its first line is not that of a recording",
                "Give a file that startRecordingCommands wrote.")
        }
        guard header.version <= CommandFile.version else {
            throw refusal(
                .newer, "it has version \(header.version)", "Replay it with the release that wrote it, or a later one.")
        }
        engine = header.engine
        (self.lines, data, end) = try Self.sorted(Array(lines.dropFirst()), refusal)
    }

    /// A recording of one engine's commands.
    /// - Parameter name: of the engine that replays them, with its article.
    package init(path: String, of engine: String, named name: String) throws(CommandFileError) {
        try self.init(path: path)
        guard self.engine == engine else {
            throw CommandFileError(
                .otherEngine, file: path, found: "its commands are those of \(self.engine)",
                rule: "This replays \(name).", cure: "Use ossicle replay, which knows both engines.")
        }
    }

    /// Takes data and the end out of the lines.
    private static func sorted(
        _ lines: [Data], _ refusal: (CommandFileError.Kind, String, String) -> CommandFileError
    ) throws(CommandFileError) -> ([Data], [String: Data], Int64?) {
        struct Part: Decodable {
            var at: Int64?
            var data: String?
            var bytes: Data?
            var end: Int?
        }
        var commands: [Data] = [], data: [String: Data] = [:], end: Int64?
        for (index, line) in lines.enumerated() {
            guard let part = try? JSONDecoder().decode(Part.self, from: line), end == nil else {
                throw refusal(.damaged, "line \(index + 2) is none of a recording", "Take the file as it was recorded.")
            }
            if let hash = part.data {
                guard let bytes = part.bytes, SHA256.hex(of: Array(bytes)) == hash else {
                    throw refusal(
                        .damaged, "data of line \(index + 2) has another hash", "Take the file as it was recorded.")
                }
                data[hash] = bytes
            } else if let count = part.end {
                guard count == index + 1, let frame = part.at, frame >= 0 else {
                    throw refusal(
                        .damaged, "its end counts \(count) lines, it has \(index + 1)",
                        "Take the file as it was recorded.")
                }
                end = frame
            } else {
                commands.append(line)
            }
        }
        return (commands, data, end)
    }

    /// All commands and gaps, in order.
    package func entries<Command: Codable & Sendable>(of: Command.Type) throws(CommandFileError) -> [Entry<Command>] {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        var entries: [Entry<Command>] = []
        for data in lines {
            let line: CommandFile.Line<Command>
            do { line = try decoder.decode(CommandFile.Line<Command>.self, from: data) } catch {
                throw CommandFileError(
                    .damaged, file: path,
                    found: "it has a line that is no command: \(String(decoding: data.prefix(120), as: UTF8.self))",
                    rule: "A line has a command of this version.", cure: "Replay it with the release that wrote it.")
            }
            if let command = line.do {
                entries.append(.command(command, at: line.at ?? 0))
            } else if let gap = line.gap {
                entries.append(.gap(gap, at: line.at ?? 0))
            }
        }
        return entries
    }

    package func bytes(_ hash: String) throws(CommandFileError) -> Data {
        guard let bytes = data[hash] else {
            throw CommandFileError(
                .damaged, file: path, found: "data \(hash.prefix(12))… is not in it",
                rule: "A command names data that is in the file.",
                cure: "Take the file as it was recorded.")
        }
        return bytes
    }

    /// The commands and gaps as they stand in the file: JSON, a line each. Data and checks are left out.
    package var text: [String] { lines.map { String(decoding: $0, as: UTF8.self) } }
}
