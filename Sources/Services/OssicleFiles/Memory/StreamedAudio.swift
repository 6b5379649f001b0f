// A sound that stays on disk.

/// A sound file to be read while it plays. Holds only the file's facts, so it may cross threads; each reader has its
/// own place in the file.
package struct StreamedAudio: Sendable {
    package let path: String
    package let info: AudioFileInfo

    /// Checks the file at `path` and keeps its facts.
    package init(path: String) throws(AudioFileError) {
        self.path = path
        info = try AudioFileProbe.probe(path: path)
    }

    /// A reader that begins at frame 0.
    package func makeReader() throws(AudioFileError) -> StreamReader {
        try StreamReader(path: path)
    }
}

/// Reads stretches of a sound file. Any sequence of reads and seeks gives the samples `ResidentAudio` has at those
/// frames. For one thread at a time, and not the audio thread.
package final class StreamReader {
    private let reader: AudioFileReader

    init(_ reader: AudioFileReader) { self.reader = reader }

    /// Opens the file at `path`, which looks at all of it in containers without tables (MP3, ADTS, Ogg): once.
    package convenience init(path: String) throws(AudioFileError) { self.init(try AudioFileReader(path: path)) }

    package var info: AudioFileInfo { reader.info }
    /// The frame the next read starts with.
    package var position: Int64 { reader.position }

    /// Moves to `frame`, clamped to the file.
    package func seek(to frame: Int64) throws(AudioFileError) { try reader.seek(to: frame) }

    /// Reads up to `frames` frames and returns how many there were; fewer only at the end.
    @discardableResult
    package func read(into planes: [UnsafeMutablePointer<Float>], frames: Int) throws(AudioFileError) -> Int {
        try reader.read(into: planes, frames: frames)
    }

    /// Fills `frames` frames and returns how many came from the file; the rest, beyond its end, is silence.
    @discardableResult
    package func fill(_ planes: [UnsafeMutablePointer<Float>], frames: Int) throws(AudioFileError) -> Int {
        let count = try reader.read(into: planes, frames: frames)
        for plane in planes where count < frames { (plane + count).update(repeating: 0, count: frames - count) }
        return count
    }
}
