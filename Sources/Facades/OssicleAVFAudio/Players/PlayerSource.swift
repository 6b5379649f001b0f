// What an AVAudioPlayer plays.

import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleFiles
import OssiclePlayback

/// A sound file that stays within reach: by its place, or bytes that were put into a file without a name.
final class PlayerSource: Sendable {
    private let file: AVAudioFile

    /// The format in the file.
    var fileFormat: AVAudioFormat { file.fileFormat }
    /// Deinterleaved 32-bit floats at the file's rate, for its channels.
    let format: AVAudioFormat
    /// Frames.
    let length: Int64

    private init(_ file: AVAudioFile) {
        self.file = file
        format = file.processingFormat
        length = max(file.length, 0)
    }

    /// Throws what is wrong with the file.
    convenience init(contentsOf url: URL) throws { self.init(try AVAudioFile(forReading: url)) }

    /// Throws what is wrong with the bytes, and that there is no room for them in the folder for temporary files: from
    /// a file they are read by the same decoders as any other, MPEG-4 included.
    convenience init(data: Data) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        do {
            try data.write(to: url)
        } catch {
            throw PlayerSource.error(
                kAudioFileUnspecifiedError, data, value: "they cannot be put into \"\(url.path)\" (\(error))",
                rule: "Data is played from a file without a name, in the folder for temporary files.",
                cure: "Make room there, or set TMPDIR to another folder.")
        }
        do {
            self.init(try AVAudioFile(forReading: url))
        } catch let error as OssicleError {
            throw PlayerSource.error(
                OSStatus(truncatingIfNeeded: error.code), data, value: error.value, rule: error.rule, cure: error.cure)
        }
    }

    private static func error(
        _ status: OSStatus, _ data: Data, value: String, rule: String, cure: String
    ) -> OssicleError {
        .avfaudio(status, "AVAudioPlayer's data of \(data.count) bytes", value: value, rule: rule, cure: cure)
    }

    /// The frames from `start` on, and then the whole file `repeats` times.
    func stream(from start: Int64, repeats: Int) throws -> FileStream {
        do throws(AudioFileError) {
            return try FileStream(
                path: file.url.path, hold: file.reach, from: start, count: length, repeats: repeats,
                rate: format.sampleRate, channels: Int(format.channelCount))
        } catch {
            throw OssicleError(error)
        }
    }
}

/// Which of a file's frames sounds at which player time.
struct PlayerTimeline {
    private struct Stretch {
        /// Player time of its first frame.
        let start: Int64
        let fileFrame: Int64
        /// Frames, passes included.
        let count: Int64
        let isJump: Bool
    }

    private var stretches: [Stretch] = []

    /// What was scheduled last, and what was before it, which sounds until then.
    mutating func add(at start: Int64, fileFrame: Int64, count: Int64, isJump: Bool) {
        stretches = stretches.suffix(1)
        stretches.append(Stretch(start: start, fileFrame: fileFrame, count: count, isJump: isJump))
    }

    mutating func removeAll() { stretches = [] }

    var isEmpty: Bool { stretches.isEmpty }

    /// Player time of the last stretch.
    var lastStart: Int64 { stretches.last?.start ?? 0 }

    /// The file's frame at player time `time`; `nil` with nothing scheduled. A jump that is scheduled counts as done.
    func fileFrame(at time: Int64, length: Int64) -> Int64? {
        guard let last = stretches.last else { return nil }
        if last.isJump, time < last.start { return last.fileFrame }
        let stretch = stretches.last { $0.start <= time } ?? stretches[0]
        let played = max(time - stretch.start, 0)
        guard played < stretch.count, length > 0 else { return length }
        return (stretch.fileFrame + played) % length
    }
}

/// A volume on its way to another, in a straight line.
struct VolumeFade {
    let from: Float
    let to: Float
    /// Frames of the engine.
    let start: Int64
    let frames: Int64

    func isOver(at frame: Int64) -> Bool { frame - start >= frames }

    func volume(at frame: Int64) -> Float {
        let share = Float(min(max(frame - start, 0), frames)) / Float(max(frames, 1))
        return from + (to - from) * share
    }
}
