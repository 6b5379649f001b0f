// The two ways a sound file can be open.

import Foundation
import OssicleCoreAudioTypes
import OssicleFiles

/// A file being read or being written.
enum FileAccess {
    case reading(AudioFileReader)
    /// With the metadata that was asked for.
    case writing(AudioFileWriter, AudioMetadata)

    var length: Int64 {
        switch self {
        case .reading(let reader): reader.info.frameCount
        case .writing(let writer, _): writer.frameCount
        }
    }

    var position: Int64 {
        switch self {
        case .reading(let reader): reader.position
        case .writing(let writer, _): writer.frameCount
        }
    }

    var isOpen: Bool {
        switch self {
        case .reading(let reader): reader.isOpen
        case .writing(let writer, _): writer.isOpen
        }
    }

    var metadata: AudioMetadata {
        switch self {
        case .reading(let reader): reader.metadata
        case .writing(_, let metadata): metadata
        }
    }

    func close() throws(AudioFileError) {
        switch self {
        case .reading(let reader): reader.close()
        case .writing(let writer, _): try writer.finish()
        }
    }

    /// What is wrong with a file being read, as far as is known.
    var warnings: [AudioFileWarning] {
        switch self {
        case .reading(let reader): reader.warnings
        case .writing: []
        }
    }

    /// Moves a file being read. A property cannot throw: where a seek fails the position stays, and the next read tells
    /// why.
    func seek(to frame: Int64) {
        if case .reading(let reader) = self { try? reader.seek(to: frame) }
    }

    func reader(_ path: String) throws -> AudioFileReader {
        guard case .reading(let reader) = self else {
            throw OssicleError.avfaudio(
                kAudioFileOperationNotSupportedError, "AVAudioFile \"\(path)\"", value: "it is open for writing",
                rule: "A file is read or written, not both.", cure: "Close it and open it with init(forReading:).")
        }
        return reader
    }

    func writer(_ path: String) throws -> AudioFileWriter {
        guard case .writing(let writer, _) = self else {
            throw OssicleError.avfaudio(
                kAudioFileOperationNotSupportedError, "AVAudioFile \"\(path)\"", value: "it is open for reading",
                rule: "A file is read or written, not both.", cure: "Open it with init(forWriting:settings:).")
        }
        return writer
    }
}

/// Scratch memory of double precision, through which every combination of file and buffer passes without loss.
final class FilePlanes {
    private let planes: [UnsafeMutablePointer<Double>]
    private static let chunk = 4096

    init(channelCount: Int) {
        planes = (0..<channelCount).map { _ in .allocate(capacity: Self.chunk) }
    }

    deinit { planes.forEach { $0.deallocate() } }

    /// Reads up to `frames` frames to the start of `buffer` and returns how many there were.
    func read(_ reader: AudioFileReader, into buffer: AVAudioPCMBuffer, frames: Int) throws(AudioFileError) -> Int {
        var done = 0
        repeat {
            let count = try reader.read(into: planes, frames: min(frames - done, Self.chunk))
            guard count > 0 else { break }
            buffer.store(planes, at: done, frames: count)
            done += count
        } while done < frames
        return done
    }

    /// Writes the valid frames of `buffer`.
    func write(_ buffer: AVAudioPCMBuffer, to writer: AudioFileWriter) throws(AudioFileError) {
        let frames = Int(buffer.frameLength)
        var done = 0
        repeat {
            let count = min(frames - done, Self.chunk)
            buffer.load(planes, at: done, frames: count)
            try writer.write(planes.map { UnsafePointer($0) }, frames: count)
            done += count
        } while done < frames
    }
}
