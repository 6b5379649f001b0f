#if FFmpeg
// Sound files through FFmpeg.

import CFFmpeg
import OssicleCodecs

/// Decodes a sound file that FFmpeg can read, frame by frame and from any frame.
///
/// What comes is the recording: an encoder's priming and padding are left out where the file tells of them (an edit
/// list, or the iTunSMPB tag, which wins; ADTS tells nothing). A packet that cannot be decoded is silence. Where
/// packets have no table (ADTS, fragments of a recording that was never finished) opening reads through the file, and
/// where they differ in length it decodes it, so that the length is exact.
final class FFmpegFileDecoder: FileDecoder {
    let info: AudioFileInfo
    let metadata: AudioMetadata
    private let stream: FFmpegStreamDecoder
    /// The recording in frames of the stream.
    private let recording: Range<Int64>
    /// The next frame in frames of the stream.
    private var position: Int64
    /// Decoded frames, and the frame of the stream they begin with.
    private var piece = PlanarFrames.none
    private var pieceStart: Int64 = 0

    init(path: String) throws(AudioFileError) {
        let bytes = try FileBytes(path: path), facts = try Facts(bytes)
        stream = try FFmpegStreamDecoder(bytes, facts.timeline, shape: facts.shape, finder: facts.finder)
        recording = facts.recording
        position = recording.lowerBound
        metadata = facts.metadata
        info = AudioFileInfo(
            sampleRate: facts.shape.sampleRate, channelCount: facts.shape.channelCount,
            frameCount: Int64(recording.count),
            container: facts.container, codec: facts.shape.codec, isBigEndian: false, channelLabels: facts.shape.labels)
    }

    /// Packets read since the file was opened: what a seek cost.
    var packetsRead: Int { stream.packetsRead }

    /// What a look through the file tells. The input it needs is gone when it is done, unless packets are found again
    /// through it alone: a long file's table of packets is in memory once.
    private struct Facts {
        let shape: FFmpegStreamShape
        let timeline: FFmpegTimeline
        let recording: Range<Int64>
        let metadata: AudioMetadata
        let container: AudioContainer
        let finder: FFmpegInput?

        init(_ bytes: FileBytes) throws(AudioFileError) {
            let input = try FFmpegInput(bytes)
            shape = try FFmpegStreamShape(input, path: bytes.name)
            let reader = input.hasPacketTable ? input : try FFmpegInput(bytes)
            var timeline = FFmpegTimeline(reader, shape)
            finder = input.hasPacketTable || shape.entry == .beginning ? nil : reader
            if shape.framesPerPacket == 0 {
                timeline.setFrameCount(try Self.countFrames(bytes, timeline, shape: shape))
            }
            self.timeline = timeline
            recording = FFmpegRecording.range(input, bytes, timeline: timeline, shape: shape)
            metadata = FFmpegRecording.metadata(input)
            container = Self.container(input.container)
        }

        private static func countFrames(
            _ bytes: FileBytes, _ timeline: FFmpegTimeline, shape: FFmpegStreamShape
        ) throws(AudioFileError) -> Int64 {
            let stream = try FFmpegStreamDecoder(bytes, timeline, shape: shape)
            while try stream.next().count > 0 {}
            return stream.position
        }

        private static func container(_ name: String) -> AudioContainer {
            switch name {
            case "aac": .adts
            case "caf": .caf
            case "mp3": .mpeg
            default: name.hasPrefix("mov") ? .mpeg4 : .other
            }
        }
    }

    func read(into planes: [UnsafeMutablePointer<Double>], frames: Int) throws(AudioFileError) -> Int {
        var done = 0
        while done < frames, position < recording.upperBound {
            guard try makePiece() else { break }
            let offset = Int(position - pieceStart)
            let count = min(frames - done, piece.count - offset, Int(clamping: recording.upperBound - position))
            for (plane, samples) in zip(planes, piece.planes) {
                (plane + done).update(from: samples + offset, count: count)
            }
            done += count
            position += Int64(count)
        }
        return done
    }

    func seek(to frame: Int64) throws(AudioFileError) {
        position = recording.lowerBound + min(max(0, frame), Int64(recording.count))
        if !isInPiece { try stream.move(toward: position) }
    }

    func close() { piece = .none }

    private var isInPiece: Bool { position >= pieceStart && position < pieceStart + Int64(piece.count) }

    /// Decodes until the piece holds the next frame; false when there is no more.
    private func makePiece() throws(AudioFileError) -> Bool {
        while !isInPiece {
            pieceStart = stream.position
            piece = try stream.next()
            if piece.count == 0 { return false }
        }
        return true
    }
}
#endif
