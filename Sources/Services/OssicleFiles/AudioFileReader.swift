// Reading a sound file, frame by frame.

import CSndfile
import Foundation

/// Reads one sound file in order and from any frame, always giving the same samples for the same frames.
///
/// Samples are planar and between -1 and 1: an integer sample of b bits is divided by 2^(b-1). NaN and infinity become 0
/// and are counted. Not for the audio thread, and for one thread at a time.
package final class AudioFileReader {
    package let path: String
    package let info: AudioFileInfo
    /// Samples that were NaN or infinite, and were replaced by 0, so far.
    package private(set) var nonFiniteCount = 0
    /// The frame the next read starts with.
    package private(set) var position: Int64 = 0

    private var file: OpaquePointer?
    private var floats: UnsafeMutableBufferPointer<Float>
    private var doubles: UnsafeMutableBufferPointer<Double>

    /// Frames that are decoded at a time.
    private static let chunk = 4096

    /// Opens the file at `path`.
    package init(path: String) throws(AudioFileError) {
        let (file, header) = try SoundFile.open(reading: path)
        guard let info = Self.info(file, header) else {
            sf_close(file)
            throw AudioFileError(.unsupported, path: path,
                                 found: "\(header.channels) channels at \(header.samplerate) Hz, format \(String(header.format, radix: 16))",
                                 rule: "A file needs a header, channels and a sample rate.", cure: "Convert the file to WAV, FLAC or CAF.")
        }
        self.path = path
        self.file = file
        self.info = info
        floats = .allocate(capacity: Self.chunk * info.channelCount)
        doubles = UnsafeMutableBufferPointer(start: nil, count: 0)
    }

    deinit {
        close()
        floats.deallocate()
        doubles.deallocate()
    }

    package var isOpen: Bool { file != nil }

    /// Gives the file back. Later reads throw.
    package func close() {
        if let file { sf_close(file) }
        file = nil
    }

    /// Reads up to `frames` frames into one plane per channel and returns how many there were; fewer only at the end.
    /// Surplus channels are left out, surplus planes stay untouched.
    @discardableResult
    package func read(into planes: [UnsafeMutablePointer<Float>], frames: Int) throws(AudioFileError) -> Int {
        try readChunks(frames) { file, done, wanted in
            let got = Int(sf_readf_float(file, floats.baseAddress, Int64(wanted)))
            deinterleave(floats, into: planes, from: done, frames: got)
            return got
        }
    }

    /// Like `read(into:frames:)` in double precision, which holds 32-bit integer samples without loss.
    @discardableResult
    package func read(into planes: [UnsafeMutablePointer<Double>], frames: Int) throws(AudioFileError) -> Int {
        if doubles.isEmpty { doubles = .allocate(capacity: Self.chunk * info.channelCount) }
        return try readChunks(frames) { file, done, wanted in
            let got = Int(sf_readf_double(file, doubles.baseAddress, Int64(wanted)))
            deinterleave(doubles, into: planes, from: done, frames: got)
            return got
        }
    }

    /// Moves to `frame`, clamped to the file. In codecs that cannot start anywhere (MP3, Vorbis, Opus) the frames before it
    /// are decoded and dropped, from the beginning when moving back.
    package func seek(to frame: Int64) throws(AudioFileError) {
        let target = min(max(0, frame), info.frameCount)
        guard target != position else { return }
        let file = try openFile()
        if info.codec.seeksExactly || info.container == .flac {
            guard sf_seek(file, target, Int32(SEEK_SET)) == target else {
                throw AudioFileError(.damaged, path: path, found: "frame \(target) cannot be reached", rule: "A seek needs an undamaged file.",
                                     cure: "Read the file in order or load it whole.")
            }
            position = target
        } else {
            try decode(to: target)
        }
    }

    private func decode(to target: Int64) throws(AudioFileError) {
        if target < position { try reopen() }
        let counted = nonFiniteCount
        while position < target {
            let wanted = Int(min(target - position, Int64(Self.chunk)))
            guard try read(into: [UnsafeMutablePointer<Float>](), frames: wanted) > 0 else { break }
        }
        nonFiniteCount = counted
    }

    private func reopen() throws(AudioFileError) {
        close()
        file = try SoundFile.open(reading: path).file
        position = 0
    }

    private func openFile() throws(AudioFileError) -> OpaquePointer {
        guard let file else {
            throw AudioFileError(.closed, path: path, found: "it has been closed", rule: "Only an open file can be read.", cure: "Open it again.")
        }
        return file
    }

    private func readChunks(_ frames: Int, _ read: (_ file: OpaquePointer, _ done: Int, _ wanted: Int) -> Int) throws(AudioFileError) -> Int {
        let file = try openFile()
        var done = 0
        while done < frames {
            let got = read(file, done, min(frames - done, Self.chunk))
            guard got > 0 else { break }
            done += got
            position += Int64(got)
        }
        return done
    }

    private func deinterleave<Sample: BinaryFloatingPoint>(
        _ source: UnsafeMutableBufferPointer<Sample>, into planes: [UnsafeMutablePointer<Sample>], from start: Int, frames: Int
    ) {
        guard frames > 0, let source = source.baseAddress else { return }
        let stride = info.channelCount
        for channel in 0..<min(stride, planes.count) {
            let plane = planes[channel] + start
            for frame in 0..<frames {
                let sample = source[frame * stride + channel]
                plane[frame] = sample.isFinite ? sample : 0
                if !sample.isFinite { nonFiniteCount += 1 }
            }
        }
    }

    private static func info(_ file: OpaquePointer, _ header: SF_INFO) -> AudioFileInfo? {
        let isHeaderless = Int(header.format) & SF_FORMAT_TYPEMASK == SF_FORMAT_RAW
        guard header.channels > 0, header.samplerate > 0, header.frames >= 0, !isHeaderless else { return nil }
        let container = AudioContainer(sndfileFormat: header.format), codec = AudioCodec(sndfileFormat: header.format)
        return AudioFileInfo(
            sampleRate: Double(header.samplerate), channelCount: Int(header.channels), frameCount: header.frames, container: container,
            codec: codec, isBigEndian: SoundFile.isBigEndian(file, container, codec),
            channelLabels: ChannelLabels.read(from: file, channelCount: Int(header.channels)))
    }
}
