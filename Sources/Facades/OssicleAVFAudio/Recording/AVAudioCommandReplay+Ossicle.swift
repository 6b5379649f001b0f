import Foundation
import OssicleCoreAudioTypes
import OssicleRecording

/// Renders what `startRecordingCommands(to:)` of an AVAudioEngine wrote (an addition of Ossicle). For one thread at a
/// time.
public final class AVAudioCommandReplay {
    static let engineName = "AVAudioEngine"

    /// The engine that is replayed, to be looked at; do not change it.
    public let engine = AVAudioEngine()
    /// What the recorded engine rendered; the first form it had.
    public let format: AVAudioFormat
    /// What was done and cannot be replayed, with its time, in order; empty of a recording that is whole.
    public var gaps: [String] { course.gapWords(sampleRate: format.sampleRate) }
    /// Whether the recording ends as it should; false where the program crashed.
    public var isComplete: Bool { course.end != nil }

    private let player: NodePlayer
    private let course: CommandCourse<EngineCommand>

    /// Reads and checks the whole file.
    /// - Throws: `OssicleError`: the file, what is wrong in it, the rule and the cure.
    public init(contentsOf url: URL) throws {
        do {
            let reader = try CommandReader(path: url.path, of: Self.engineName, named: "an AVAudioEngine")
            course = try CommandCourse(reader)
            format = try course.first(in: reader) {
                if case .manual(let record, _) = $0 { AVAudioFormat.made(of: record) } else { nil }
            }
            player = try NodePlayer(engine, reader, course)
        } catch let error as CommandFileError {
            throw OssicleError(error)
        }
    }

    /// Carries all commands out and renders up to the end of the recording, or to the last command of one that was cut
    /// off.
    ///
    /// - Parameter take: receives each piece; what it throws ends the replay. The buffer is used again.
    /// - Throws: `OssicleError` for a command that cannot be carried out, and what the engine and `take` throw.
    public func render(_ take: (AVAudioPCMBuffer) throws -> Void) throws {
        defer { engine.stop() }
        try course.run { command in
            do { try player.perform(command) } catch let error as CommandFileError { throw OssicleError(error) }
            return switch command {
            case .manual, .reset: true
            default: false
            }
        } render: { frames in
            guard engine.isRunning, engine.isInManualRenderingMode,
                let buffer = player.buffer(engine.manualRenderingFormat)
            else { return 0 }
            let count = min(frames, Int64(buffer.frameCapacity), Int64(engine.manualRenderingMaximumFrameCount))
            guard try engine.renderOffline(AVAudioFrameCount(count), to: buffer) == .success else { return 0 }
            try take(buffer)
            return count
        }
    }
}
