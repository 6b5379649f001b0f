#if FFmpeg
// What a stream turned out to be once its first packets were decoded.

import CFFmpeg
import OssicleChannels
import OssicleCodecs

struct FFmpegStreamShape {
    var codec: AudioCodec
    var sampleRate: Double
    var channelCount: Int
    var labels: [UInt32]?
    /// Frames of every packet but the last; 0 when packets differ.
    var framesPerPacket: Int
    var entry: FFmpegTimeline.Entry

    /// Packets that may be damaged before the first that is not.
    private static let patience = 32

    /// Learns the shape from the first packets, or where there are none from the header.
    init(_ input: FFmpegInput, path: String) throws(AudioFileError) {
        if let silent = Self.silent(input) { self = silent } else { self = try Self.discover(input, path: path) }
    }

    private init(
        codec: AudioCodec, sampleRate: Double, channelCount: Int, labels: [UInt32]?, framesPerPacket: Int,
        entry: FFmpegTimeline.Entry
    ) {
        self.codec = codec
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.labels = labels
        self.framesPerPacket = framesPerPacket
        self.entry = entry
    }

    /// Decodes up to the first frames of `input`.
    private static func discover(_ input: FFmpegInput, path: String) throws(AudioFileError) -> FFmpegStreamShape {
        let decoder = try FFmpegStreamDecoder.makeDecoder(input, path: path), packet = FFmpegPacket()
        for _ in 0..<patience where input.read(into: packet.pointer) {
            guard let frames = try? decoder.decode(packet.pointer), frames.count > 0, let found = decoder.shape,
                found.sampleRate > 0
            else { continue }
            let (codec, isRegular, entry) = kind(input.stream.pointee.codecpar.pointee, decoder)
            return FFmpegStreamShape(
                codec: codec, sampleRate: found.sampleRate, channelCount: found.channelCount, labels: found.labels,
                framesPerPacket: isRegular ? frames.count : 0, entry: entry)
        }
        throw AudioFileError(
            .damaged, path: path, found: "no packet can be decoded", rule: "A sound file holds packets of sound.",
            cure: "Get the file again.")
    }

    /// A file of no packets has the shape that its header tells.
    private static func silent(_ input: FFmpegInput) -> FFmpegStreamShape? {
        let parameters = input.stream.pointee.codecpar.pointee, count = Int(parameters.ch_layout.nb_channels)
        guard input.container.hasPrefix("mov"), input.tableCount == 0, (1...64).contains(count),
            parameters.sample_rate > 0
        else { return nil }
        let codec: AudioCodec =
            parameters.codec_id == AV_CODEC_ID_ALAC ? .alac(bits: Int(parameters.bits_per_raw_sample)) : .aac
        return FFmpegStreamShape(
            codec: codec, sampleRate: Double(parameters.sample_rate), channelCount: count,
            labels: ChannelOrder.mpeg4(count),
            framesPerPacket: 1024, entry: .beginning)
    }

    private static func kind(
        _ parameters: AVCodecParameters, _ decoder: FFmpegDecoder
    ) -> (AudioCodec, isRegular: Bool, FFmpegTimeline.Entry) {
        switch parameters.codec_id {
        case AV_CODEC_ID_AAC:
            switch decoder.profile {
            case FF_PROFILE_AAC_HE: (.heAAC, true, .beginning)
            case FF_PROFILE_AAC_HE_V2: (.heAACv2, true, .beginning)
            case FF_PROFILE_AAC_LOW: (.aac, true, .grid)
            default: (.aac, true, .beginning)
            }
        case AV_CODEC_ID_ALAC: (.alac(bits: decoder.bitsPerSample), true, .anywhere)
        case AV_CODEC_ID_FLAC: (.flac(bits: decoder.bitsPerSample), false, .beginning)
        case AV_CODEC_ID_OPUS: (.opus, false, .beginning)
        case AV_CODEC_ID_VORBIS: (.vorbis, false, .beginning)
        case AV_CODEC_ID_MP1: (.mp1, false, .beginning)
        case AV_CODEC_ID_MP2: (.mp2, false, .beginning)
        case AV_CODEC_ID_MP3: (.mp3, false, .beginning)
        default: (.other, false, .beginning)
        }
    }
}

/// A packet of FFmpeg's that is given back with this object.
final class FFmpegPacket {
    let pointer: UnsafeMutablePointer<AVPacket>

    /// FFmpeg's few bytes for a packet are there, or nothing is: it stands like Swift's own memory.
    init() { pointer = av_packet_alloc() }

    /// Another hold on the same bytes.
    convenience init(copying other: FFmpegPacket) {
        self.init()
        av_packet_ref(pointer, other.pointer)
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&pointer)
    }
}
#endif
