#if FFmpeg
import OssicleCodecs

/// Encodes AAC into a bare stream of packets, each with a header of its own (ISO/IEC 13818-7, 6.2). It can be read at any moment. There is no place to
/// tell of the encoder's priming and padding: what is read begins with `primingFrames` of silence and ends with some.
final class ADTSFileEncoder: FileEncoder {
    let isBigEndian = false
    private(set) var frameCount: Int64 = 0
    private let path: String
    private let encoder: any PacketEncoder
    private let sink: FileSink
    private let header: [UInt8]
    private var end: Int64 = 0
    private var waiting: [UInt8] = []

    init(_ request: FileEncoderRequest) throws(AudioFileError) {
        path = request.path
        encoder = try request.makePacketEncoder()
        guard let configuration = AACConfiguration(cookie: encoder.format.cookie), configuration.channelConfiguration > 0 else {
            throw AudioFileError(.unsupported, path: path, found: "\(request.channelCount) channels", rule: "A header of ADTS can tell 1 to 6 and 8 channels.",
                                 cure: "Write an .m4a file.")
        }
        header = Self.header(configuration)
        sink = try FileSink(path: path)
    }

    func write(_ planes: [UnsafePointer<Double>], frames: Int) throws(AudioFileError) {
        try path.explaining { () throws(CodecError) in try encoder.encode(planes, frames: frames, add) }
        try flush()
        frameCount += Int64(frames)
    }

    func keepReadable() {}

    func close() throws(AudioFileError) {
        try path.explaining { () throws(CodecError) in try encoder.finish(add) }
        try flush()
        try sink.close()
    }

    /// The header of a packet, with a length of nothing: MPEG-4, no checksum, one raw block, as full as it comes.
    private static func header(_ configuration: AACConfiguration) -> [UInt8] {
        let first = configuration.audioSpecificConfig[0], second = configuration.audioSpecificConfig[1]
        let profile = UInt8(clamping: configuration.objectType - 1), rate = (first & 7) << 1 | second >> 7, channels = UInt8(clamping: configuration.channelConfiguration)
        return [0xFF, 0xF1, profile << 6 | rate << 2 | channels >> 2, (channels & 3) << 6, 0, 0x1F, 0xFC]
    }

    private func add(_ packet: UnsafeRawBufferPointer, frames: Int) {
        var header = header
        let length = header.count + packet.count
        header[3] |= UInt8(length >> 11 & 3)
        header[4] = UInt8(length >> 3 & 0xFF)
        header[5] |= UInt8(length & 7) << 5
        waiting += header
        waiting += packet
    }

    private func flush() throws(AudioFileError) {
        let bytes = waiting
        waiting.removeAll(keepingCapacity: true)
        try sink.write(bytes, at: end)
        end += Int64(bytes.count)
    }
}
#endif
