// Sound out of files of packets.

import OssicleCodecs

/// Decodes with our own decoders what `PacketFileReader` reads, without what the encoder added before and behind the
/// recording. Damaged packets are left out.
final class PacketFileDecoder: FileDecoder {
    let info: AudioFileInfo
    let metadata: AudioMetadata
    private let path: String
    private let file: PacketFileReader
    private let decoder: any PacketDecoder
    /// The next packet, and what is left of the one before it.
    private var packet: Int64 = 0
    private var decoded = PlanarFrames.none
    private var used = 0
    /// Decoded frames to leave out before the next one that is read.
    private var surplus: Int64
    private var position: Int64 = 0
    private var memory: [UInt8]

    init(_ source: any ByteSource) throws(AudioFileError) {
        path = source.name
        file = try PacketFileReader(source)
        guard case .packets(let format) = file.format else {
            throw AudioFileError(
                .unsupported, path: source.name, found: "linear PCM", rule: "Packets have a codec.",
                cure: "Convert the file to WAV or CAF.")
        }
        decoder = try source.name.explaining { () throws(CodecError) in try Codecs.makeDecoder(format) }
        guard decoder.format.channelCount == file.format.channelCount else {
            throw AudioFileError(
                .damaged, path: source.name,
                found: "\(file.format.channelCount) channels, and a cookie of \(decoder.format.channelCount)",
                rule: "A file and its codec agree on the channels.", cure: "Copy or convert the file again.")
        }
        info = file.info
        metadata = info.container == .mpeg && file.metadata.isEmpty ? ID3Version1.read(source) : file.metadata
        surplus = Int64(file.primingFrames)
        // A file that is shorter than its packets has none.
        memory = [UInt8](
            repeating: 0, count: max(1, Int(clamping: min(Int64(file.maximumPacketSize), file.dataByteCount))))
    }

    func close() {}

    func read(into planes: [UnsafeMutablePointer<Double>], frames: Int) throws(AudioFileError) -> Int {
        var done = 0
        let wanted = Int(min(Int64(frames), info.frameCount - position))
        while done < wanted {
            if used == decoded.count {
                guard try decodeNext() else { break }
                continue
            }
            let dropped = Int(min(surplus, Int64(decoded.count - used)))
            surplus -= Int64(dropped)
            used += dropped
            let count = min(wanted - done, decoded.count - used)
            for (plane, samples) in zip(planes, decoded.planes) {
                (plane + done).update(from: samples + used, count: count)
            }
            used += count
            done += count
        }
        position += Int64(done)
        return done
    }

    /// Packets that do not depend on others are decoded from the one that holds `frame` on; the others from the
    /// beginning.
    func seek(to frame: Int64) throws(AudioFileError) {
        let target = frame + Int64(file.primingFrames), codec = info.codec
        let isIndependent = codec.isLossless || codec == .muLaw || codec == .aLaw
        (packet, surplus) =
            isIndependent
            ? try file.packet(holdingFrame: target).map { ($0.packet, Int64($0.frameInPacket)) } ?? (
                file.packetCount, 0
            )
            : (0, target)
        (decoded, used, position) = (.none, 0, frame)
        decoder.reset()
    }

    /// Whether there was a packet, or something left in the decoder.
    private func decodeNext() throws(AudioFileError) -> Bool {
        let number = packet
        let spans = try memory.withMutableBytes { bytes throws(AudioFileError) in
            try file.read(from: number, count: 1, into: bytes)
        }
        used = 0
        guard let span = spans.first else {
            decoded = try path.explaining { () throws(CodecError) in try decoder.drain() }
            return decoded.count > 0
        }
        packet += 1
        let frames =
            memory.withUnsafeBytes { try? decoder.decode(UnsafeRawBufferPointer(rebasing: $0[..<span.byteCount])) }
            ?? .none
        decoded = frames.planes.count == info.channelCount ? frames : .none
        return true
    }
}
