// Sound into files of packets.

import OssicleCodecs

/// Encodes into the containers of `PacketFileWriter`. What is in the file can be read at any moment; the encoder's last
/// frames come at the end of the recording. ADTS has no place for the encoder's priming and padding: what is read of it
/// begins with `primingFrames` of silence and ends with some.
final class PacketFileEncoder: FileEncoder {
    let isBigEndian = false
    private let path: String
    private let encoder: any PacketEncoder
    private let writer: PacketFileWriter
    /// For each channel of the file the plane it comes from; `nil` when they come as they are.
    private let order: [Int]?
    private var packets: [UInt8] = []
    private var spans: [PacketSpan] = []
    /// The most frames encoded before their packets go into the file.
    private static let chunk = 65_536

    convenience init(_ request: FileEncoderRequest) throws(AudioFileError) {
        try self.init(request) { () throws(AudioFileError) in try FileSink(path: request.path) }
    }

    /// - Parameter open: makes the file, once it is known that it can be encoded.
    init(_ request: FileEncoderRequest, open: () throws(AudioFileError) -> any ByteSink) throws(AudioFileError) {
        encoder = try request.makePacketEncoder()
        var format = encoder.format
        format.channelLabels = request.packetLabels
        try PacketFileWriter.check(.packets(format), in: request.container, path: request.path)
        path = request.path
        order = request.packetPlanes
        writer = try PacketFileWriter(open(), container: request.container, format: .packets(format))
        writer.metadata = request.metadata
        writer.primingFrames = encoder.primingFrames
        try writer.begin()
    }

    func write(_ planes: [UnsafePointer<Double>], frames: Int) throws(AudioFileError) {
        let planes = order.map { $0.map { planes[$0] } } ?? planes
        var done = 0
        while done < frames {
            let count = min(frames - done, Self.chunk)
            try path.explaining { () throws(CodecError) in
                try encoder.encode(planes.map { $0 + done }, frames: count, emit: add)
            }
            try flush()
            done += count
        }
    }

    /// The writer does that.
    func keepReadable() {}

    func close() throws(AudioFileError) {
        try path.explaining { () throws(CodecError) in try encoder.finish(add) }
        writer.cookie = encoder.format.cookie
        try flush()
        writer.remainderFrames = encoder.remainderFrames
        try writer.close()
    }

    private func add(_ packet: UnsafeRawBufferPointer, frames: Int) {
        spans.append(PacketSpan(offset: packets.count, byteCount: packet.count, frameCount: frames))
        packets += packet
    }

    private func flush() throws(AudioFileError) {
        defer {
            packets.removeAll(keepingCapacity: true)
            spans.removeAll(keepingCapacity: true)
        }
        guard !spans.isEmpty else { return }
        try packets.withBytes { bytes throws(AudioFileError) in try writer.write(bytes, spans) }
    }
}
