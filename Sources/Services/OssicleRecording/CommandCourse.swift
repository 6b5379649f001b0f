/// The commands of a recording in the order in which they are replayed.
package struct CommandCourse<Command: Codable & Sendable>: Sendable {
    package let commands: [(command: Command, frame: Int64)]
    /// What cannot be replayed, with its frame.
    package let gaps: [(words: String, frame: Int64)]
    /// Frames that were rendered; nil of a recording that was cut off.
    package let end: Int64?

    package init(_ reader: CommandReader) throws(CommandFileError) {
        var (commands, gaps): ([(Command, Int64)], [(String, Int64)]) = ([], [])
        for entry in try reader.entries(of: Command.self) {
            switch entry {
            case .command(let command, let frame): commands.append((command, frame))
            case .gap(let words, let frame): gaps.append((words, frame))
            }
        }
        (self.commands, self.gaps, end) = (commands, gaps, reader.end)
    }

    /// Carries all of it out: renders up to each command's frame, and then to the end.
    /// - Parameters:
    ///   - perform: carries a command out, and says whether time begins anew with it.
    ///   - render: renders so many frames; fewer where the engine does not run.
    package func run(
        _ perform: (Command) throws -> Bool, render: (_ frames: Int64) throws -> Int64
    ) throws {
        var position: Int64 = 0
        func advance(to frame: Int64) throws {
            while position < frame {
                let count = try render(frame - position)
                if count <= 0 { return }
                position += count
            }
        }
        for (command, frame) in commands {
            try advance(to: frame)
            if try perform(command) { position = 0 }
        }
        if let end { try advance(to: end) }
    }

    /// What the first command says of which `value` knows something: the format, or how the engine was made.
    package func first<Value>(
        in reader: CommandReader, _ value: (Command) -> Value?
    ) throws(CommandFileError) -> Value {
        for (command, _) in commands { if let found = value(command) { return found } }
        throw CommandFileError(
            .impossible, file: reader.path, found: "the engine in it was never started",
            rule: "A recording has a start.", cure: "Record until something was rendered.")
    }

    /// The gaps in words, with their times.
    package func gapWords(sampleRate: Double) -> [String] {
        gaps.map { gap in
            let thousandths = Int((Double(gap.frame) / max(sampleRate, 1) * 1000).rounded())
            let part = String(thousandths % 1000 + 1000).dropFirst()
            return "\(thousandths / 1000).\(part) s: \(gap.words)"
        }
    }
}
