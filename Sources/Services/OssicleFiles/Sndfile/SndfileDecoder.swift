// Decoding with libsndfile.

import CSndfile
import OssicleCodecs

/// Decodes FLAC, Ogg Vorbis, Ogg Opus, MP3 and what of WAV, RF64, W64, AIFF, CAF and AU is not linear PCM, from bytes
/// anywhere.
///
/// Lengths are the recording's own: libsndfile drops Opus' pre-skip and what lies behind the last granule, and MP3's
/// gapless information (the LAME tag) is followed; an MP3 file without one is not trimmed.
final class SndfileDecoder: FileDecoder {
    let info: AudioFileInfo
    let metadata: AudioMetadata

    private let source: any ByteSource
    private var file: VirtualFile?
    private let interleaved: UnsafeMutableBufferPointer<Double>
    private let chunk: Int
    private var position: Int64 = 0
    /// The largest magnitude of a sample; what is not a number passes, to be counted.
    private let peak: Double
    /// The most samples decoded at a time.
    private static let most = 32_768

    init(_ source: any ByteSource) throws(AudioFileError) {
        try AudioFileError.load(.sndfile, for: source.name)
        try PacketTableGuard.check(source)
        let file = try Self.open(source), header = file.header,
            isHeaderless = Int(header.format) & SF_FORMAT_TYPEMASK == SF_FORMAT_RAW
        guard header.channels > 0, header.samplerate > 0, header.frames >= 0, !isHeaderless else {
            throw AudioFileError(
                .unsupported, path: source.name,
                found:
                    "\(header.channels) channels at \(header.samplerate) Hz, format \(String(header.format, radix: 16))",
                rule: "A file needs a header, channels and a sample rate.",
                cure: "Convert the file to WAV, FLAC or CAF.")
        }
        self.source = source
        self.file = file
        let channels = Int(header.channels)
        chunk = max(1, min(4096, Self.most / channels))
        interleaved = .allocate(capacity: chunk * channels)
        metadata = AudioMetadata(file)
        var info = AudioFileInfo(
            sampleRate: Double(header.samplerate), channelCount: channels, frameCount: file.statedLength ?? .max,
            container: file.container,
            codec: file.codec, isBigEndian: file.isBigEndian, channelLabels: file.channelLabels)
        if file.statedLength == nil { info.frameCount = try Self.count(file, into: interleaved, chunk: chunk) }
        self.info = info
        peak = info.codec.decodedPeak
        if file.statedLength == nil { self.file = try Self.open(source) }
    }

    deinit { interleaved.deallocate() }

    func close() { file = nil }

    func read(into planes: [UnsafeMutablePointer<Double>], frames: Int) throws(AudioFileError) -> Int {
        guard let file else { return 0 }
        var done = 0
        while done < frames {
            let wanted = min(Int64(min(frames - done, chunk)), info.frameCount - position)
            let got = wanted > 0 ? Int(sf_readf_double(file.handle, interleaved.baseAddress, wanted)) : 0
            if let failure = file.bytes.failure { throw failure }
            guard got > 0 else { break }
            deinterleave(into: planes, from: done, frames: got)
            done += got
            position += Int64(got)
        }
        return done
    }

    /// Codecs that cannot start anywhere (MP3, Vorbis, Opus) are decoded up to `frame`, from the beginning when moving
    /// back.
    func seek(to frame: Int64) throws(AudioFileError) {
        guard frame != position, let file else { return }
        if info.codec.seeksExactly {
            guard sf_seek(file.handle, frame, Int32(SF_SEEK_SET)) == frame else {
                throw AudioFileError(
                    .damaged, path: source.name, found: "frame \(frame) cannot be reached",
                    rule: "A seek needs an undamaged file.",
                    cure: "Read the file in order or load it whole.")
            }
            position = frame
        } else {
            if frame < position {
                self.file = try Self.open(source)
                position = 0
            }
            while position < frame {
                guard try read(into: [], frames: Int(min(frame - position, Int64(chunk)))) > 0 else { break }
            }
        }
    }

    private func deinterleave(into planes: [UnsafeMutablePointer<Double>], from start: Int, frames: Int) {
        guard let samples = interleaved.baseAddress else { return }
        let (stride, peak) = (info.channelCount, peak)
        func held(_ sample: Double) -> Double { sample < -peak ? -peak : (sample > peak ? peak : sample) }
        if stride == 2, planes.count >= 2 {
            let (left, right) = (planes[0] + start, planes[1] + start)
            for frame in 0..<frames {
                left[frame] = held(samples[2 * frame])
                right[frame] = held(samples[2 * frame + 1])
            }
            return
        }
        for (channel, plane) in planes.prefix(stride).enumerated() {
            for frame in 0..<frames { plane[start + frame] = held(samples[frame * stride + channel]) }
        }
    }

    private static func open(_ source: any ByteSource) throws(AudioFileError) -> VirtualFile {
        let cursor = VirtualBytes(reading: source)
        do throws(VirtualFile.Refusal) {
            return try VirtualFile(cursor, mode: SFM_READ)
        } catch {
            throw cursor.failure
                ?? AudioFileError(
                    .unrecognized, path: source.name, found: error.reason,
                    rule: SoundFormats.sentence,
                    cure: "Convert the file to one of these.")
        }
    }

    /// Counts by decoding: a FLAC file that was never closed does not tell.
    private static func count(
        _ file: VirtualFile, into memory: UnsafeMutableBufferPointer<Double>, chunk: Int
    ) throws(AudioFileError) -> Int64 {
        var frames: Int64 = 0
        while true {
            let got = sf_readf_double(file.handle, memory.baseAddress, Int64(chunk))
            if let failure = file.bytes.failure { throw failure }
            guard got > 0 else { return frames }
            frames += got
        }
    }
}

extension AudioMetadata {
    private static let fields: [(path: WritableKeyPath<AudioMetadata, String?> & Sendable, number: Int)] = [
        (\.title, SF_STR_TITLE), (\.artist, SF_STR_ARTIST), (\.album, SF_STR_ALBUM), (\.comment, SF_STR_COMMENT),
        (\.date, SF_STR_DATE),
        (\.genre, SF_STR_GENRE), (\.trackNumber, SF_STR_TRACKNUMBER), (\.copyright, SF_STR_COPYRIGHT),
        (\.encodingApplication, SF_STR_SOFTWARE),
    ]

    /// The metadata of an open file.
    init(_ file: VirtualFile) {
        self.init()
        for field in Self.fields {
            guard let text = sf_get_string(file.handle, Int32(field.number)) else { continue }
            let words = String(cString: text)
            self[keyPath: field.path] = words.isEmpty ? nil : words
        }
        self = readable
    }

    /// Puts the metadata into a file being written, before its samples; what the container has no place for is left
    /// out.
    func write(to file: VirtualFile) {
        let writable = writable
        for field in Self.fields {
            if let text = writable[keyPath: field.path] { sf_set_string(file.handle, Int32(field.number), text) }
        }
    }
}
