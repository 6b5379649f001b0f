#if FFmpeg
// The packets of a file's sound, through FFmpeg's demuxers.

import CFFmpeg
import OssicleCodecs

/// A file whose first audio stream is read packet by packet. FFmpeg sees the bytes through us: it opens no other file,
/// no network and no playlist, and a file that makes it read the same bytes over and over is cut off. For one thread at
/// a time.
final class FFmpegInput {
    let format: UnsafeMutablePointer<AVFormatContext>
    let stream: UnsafeMutablePointer<AVStream>
    /// FFmpeg's name for the container.
    let container: String
    private var io: UnsafeMutablePointer<AVIOContext>?
    let byteCount: Int64
    /// Packets of the stream read so far: what it cost to come to a place.
    var packetsRead = 0
    private let bytes: FFmpegByteReader

    /// Containers that are opened; none of them leads to another file.
    private static let containers = "mov,aac,caf,mp3,asf,ac3,eac3,matroska,wv,tta"
    private static let decoders =
        "aac,alac,mp1float,mp2float,mp3float,opus,vorbis,flac,wmav1,wmav2,wmapro,wmalossless,ac3,eac3,wavpack,tta,"
        + "pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_f32le,pcm_f32be,pcm_f64le,pcm_f64be,pcm_u8,pcm_s8,pcm_mulaw,pcm_alaw"
    private static let options = [
        "protocol_whitelist": "", "format_whitelist": containers, "codec_whitelist": decoders, "probesize": "1048576",
        "max_streams": "64",
        "formatprobesize": "65536", "fflags": "discardcorrupt", "advanced_editlist": "0", "enable_drefs": "0",
        "use_absolute_path": "0",
    ]

    init(_ source: FileBytes) throws(AudioFileError) {
        guard FFmpegLibrary.isReady else { throw Self.missing(source.name) }
        byteCount = source.byteCount
        bytes = FFmpegByteReader(source)
        io = try bytes.makeContext()
        var opened = avformat_alloc_context()
        opened?.pointee.pb = io
        ossicle_refuse_other_files(opened)
        var options: OpaquePointer?
        for (key, value) in Self.options { av_dict_set(&options, key, value, 0) }
        let failure = avformat_open_input(&opened, nil, nil, &options)
        av_dict_free(&options)
        guard failure >= 0, let opened else {
            bytes.free(&io)
            throw Self.unreadable(source.name, FFmpegLibrary.words(failure))
        }
        format = opened
        container = String(cString: opened.pointee.iformat.pointee.name)
        let streams = (0..<Int(opened.pointee.nb_streams)).compactMap { opened.pointee.streams[$0] }
        guard let stream = streams.first(where: { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }) else {
            var closing: UnsafeMutablePointer<AVFormatContext>? = opened
            avformat_close_input(&closing)
            bytes.free(&io)
            throw AudioFileError(
                .unrecognized, path: source.name, found: "no sound in it", rule: "A sound file holds an audio stream.",
                cure: "Name another file.")
        }
        self.stream = stream
        for other in streams where other != stream { other.pointee.discard = AVDISCARD_ALL }
    }

    deinit {
        var closing: UnsafeMutablePointer<AVFormatContext>? = format
        avformat_close_input(&closing)
        bytes.free(&io)
    }

    /// Puts the next packet of the stream into `packet`; false at the end, and where the file breaks.
    func read(into packet: UnsafeMutablePointer<AVPacket>) -> Bool {
        bytes.refill()
        av_packet_unref(packet)
        while av_read_frame(format, packet) >= 0 {
            if packet.pointee.stream_index == stream.pointee.index {
                packetsRead += 1
                return true
            }
            av_packet_unref(packet)
        }
        return false
    }

    /// Moves to the packet at a timestamp, or in ADTS, which has none, at a byte.
    private func seek(to place: FFmpegPlace) -> Bool {
        bytes.refill()
        let isBare = container == "aac"
        return av_seek_frame(
            format, stream.pointee.index, isBare ? place.byte : place.timestamp,
            isBare ? AVSEEK_FLAG_BYTE : AVSEEK_FLAG_BACKWARD) >= 0
    }

    /// Seeks, and reads on to the very packet at `place`, which demuxers may stop a little before; false when it does
    /// not come.
    func read(into packet: UnsafeMutablePointer<AVPacket>, at place: FFmpegPlace) -> Bool {
        guard seek(to: place) else { return false }
        for _ in 0..<64 where read(into: packet) {
            if packet.pointee.pos == place.byte { return true }
        }
        return false
    }

    private static func missing(_ path: String) -> AudioFileError {
        let (found, cure) = FFmpegLibrary.missing
        return AudioFileError(
            .unsupported, path: path, found: found, rule: "Such files are read by FFmpeg.", cure: cure)
    }

    static func unreadable(_ path: String, _ found: String) -> AudioFileError {
        AudioFileError(
            .unrecognized, path: path, found: found,
            rule: "FFmpeg reads M4A, MP4, 3GP, AAC, CAF, MPEG audio, WMA, Matroska, AC-3, WavPack and TTA here.",
            cure: "Convert the file to one of these.")
    }
}

/// Where a packet is found again.
struct FFmpegPlace {
    var timestamp: Int64
    var byte: Int64
}
#endif
