#if FFmpeg
import OssicleChannels
import OssicleCodecs

/// Encodes into an M4A file. What is in the file can be read at any moment; at the end of the recording the encoder's
/// last frames come and the file becomes a plain one.
final class MPEG4FileEncoder: FileEncoder {
    let isBigEndian = false
    private(set) var frameCount: Int64 = 0
    private let path: String
    private let encoder: any PacketEncoder
    private let writer: MPEG4Writer
    /// For each channel of the file the plane it comes from, where the encoder leaves that to us.
    private let planes: [Int]?
    private let framesPerFragment: Int
    /// A failure of `keepReadable`, that was not reported yet.
    private var failure: AudioFileError?

    convenience init(_ request: FileEncoderRequest) throws(AudioFileError) {
        try self.init(request, encoder: request.makePacketEncoder()) { () throws(AudioFileError) in
            try FileSink(path: request.path)
        }
    }

    /// - Parameter open: makes the file, once it is known that it can be encoded.
    init(
        _ request: FileEncoderRequest, encoder: any PacketEncoder, open: () throws(AudioFileError) -> any ByteSink
    ) throws(AudioFileError) {
        path = request.path
        self.encoder = encoder
        planes = Self.losslessOrder(request)
        var track = MPEG4Track(format: encoder.format, bits: request.codec.bitDepth)
        track.primingFrames = encoder.primingFrames
        writer = try MPEG4Writer(open(), track: track, metadata: request.metadata)
        framesPerFragment = Int(request.sampleRate)
    }

    func write(_ planes: [UnsafePointer<Double>], frames: Int) throws(AudioFileError) {
        if let failure { throw failure }
        let ordered = self.planes.map { $0.map { planes[$0] } } ?? planes
        var done = 0
        while done < frames {
            let count = min(frames - done, framesPerFragment)
            try path.explaining { () throws(CodecError) in
                try encoder.encode(ordered.map { $0 + done }, frames: count, emit: writer.add)
            }
            done += count
            frameCount += Int64(count)
            if writer.waitingFrames >= framesPerFragment { try writer.flush() }
        }
    }

    func keepReadable() {
        do throws(AudioFileError) { try writer.flush() } catch { failure = error }
    }

    func close() throws(AudioFileError) {
        try path.explaining { () throws(CodecError) in try encoder.finish(writer.add) }
        try writer.flush()
        try writer.finish(primingFrames: encoder.primingFrames, remainderFrames: encoder.remainderFrames)
    }

    /// Apple Lossless has an order for each number of channels, and M4A no place to tell another. Labels that are none
    /// of them keep their order.
    private static func losslessOrder(_ request: FileEncoderRequest) -> [Int]? {
        guard request.codec.isLossless, let own = ChannelOrder.mpeg4(request.channelCount),
            let given = request.channelLabels
        else { return nil }
        let planes = own.compactMap { given.firstIndex(of: $0) }
        return planes.count == given.count ? planes : nil
    }
}
#endif
