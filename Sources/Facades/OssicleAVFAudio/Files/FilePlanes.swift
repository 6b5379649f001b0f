// The way between a file and a buffer.

import OssicleFiles

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
