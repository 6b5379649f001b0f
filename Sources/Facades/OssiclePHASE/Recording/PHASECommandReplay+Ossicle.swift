import Foundation
import OssicleAVFAudio
import OssicleRecording

/// Renders what `startRecordingCommands(to:)` of a PHASE engine wrote (an addition of Ossicle). For one thread at a
/// time.
public final class PHASECommandReplay {
    static let engineName = "phase"

    /// The engine that is replayed, to be looked at; do not change it.
    public let engine: PHASEEngine
    /// What was done and cannot be replayed, with its time in seconds, in order; empty of a recording that is whole.
    public var gaps: [String] { course.gapWords(sampleRate: format.sampleRate) }
    /// Whether the recording ends as it should; false where the program crashed.
    public var isComplete: Bool { course.end != nil }
    /// What the recorded engine rendered; the first form it had.
    public let format: AVAudioFormat

    private let player: CommandPlayer
    private let course: CommandCourse<PHASECommand>

    /// Reads and checks the whole file.
    /// - Throws: `PHASEError.invalidObject`: the file, what is wrong in it, the rule and the cure.
    public init(contentsOf url: URL) throws {
        do {
            let reader = try CommandReader(path: url.path, of: Self.engineName, named: "a PHASE engine")
            course = try CommandCourse(reader)
            format = try course.first(in: reader) {
                if case .manual(let record, _) = $0 { AVAudioFormat.made(of: record) } else { nil }
            }
            let mode = try course.first(in: reader) {
                if case .engine(let updates) = $0 { PHASEEngine.UpdateMode(rawValue: updates) } else { nil }
            }
            engine = PHASEEngine(updateMode: mode)
            player = try CommandPlayer(engine, reader, course)
        } catch let error as CommandFileError {
            throw Self.refusal(error)
        }
    }

    private static func refusal(_ error: CommandFileError) -> PHASEError {
        PHASEError(.invalidObject, "\(error.file) is not replayed: \(error.found). \(error.rule) \(error.cure)")
    }

    /// Carries out all commands and renders up to the end of the recording, or to the last command of one that was cut
    /// off.
    ///
    /// - Parameter take: receives each piece; what it throws ends the replay. The buffer is used again.
    /// - Throws: `PHASEError.invalidObject` for a command that cannot be carried out, and what the engine and `take`
    ///   throw.
    public func render(_ take: (AVAudioPCMBuffer) throws -> Void) throws {
        defer { engine.stop() }
        try course.run { command in
            do { try player.perform(command) } catch let error as CommandFileError { throw Self.refusal(error) }
            if case .manual = command { return true }
            return false
        } render: { frames in
            guard engine.renderingState == .started, engine.isInManualRenderingMode,
                let buffer = player.buffer(engine.manualRenderingFormat)
            else { return 0 }
            // Calls are those that were recorded, as far as there are commands where they begin.
            let count = min(frames, Int64(engine.manualRenderingMaximumFrameCount))
            try engine.renderOffline(AVAudioFrameCount(count), to: buffer)
            try take(buffer)
            return count
        }
    }
}
