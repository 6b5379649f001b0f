// What writers of containers put down.

import OssicleCodecs

/// A file to be written, as far as it has come.
struct WriterFacts {
    let format: StreamFormat
    /// What errors call the file.
    let name: String
    var cookie: [UInt8]
    var metadata = AudioMetadata()
    var primingFrames = 0
    var remainderFrames = 0
    /// The packets so far; of packets of constant size only their bytes are counted.
    var packets = PacketIndex()
    var byteCount: Int64 = 0

    var hasConstantPackets: Bool { format.bytesPerPacket > 0 }
    var packetCount: Int64 { hasConstantPackets ? byteCount / Int64(format.bytesPerPacket) : packets.count }
    var frameCount: Int64 {
        hasConstantPackets ? packetCount * Int64(max(1, format.framesPerPacket)) : packets.frameCount
    }
    /// Frames of the recording.
    var validFrames: Int64 { max(0, frameCount - Int64(primingFrames) - Int64(remainderFrames)) }

    func unsupported(_ container: AudioContainer, rule: String) -> AudioFileError {
        let found: String
        switch format {
        case .pcm(let pcm):
            found =
                "\(pcm.channelCount) channels of \(pcm.bits)-bit \(pcm.kind) PCM, \(pcm.isBigEndian ? "big" : "little") endian, at \(pcm.sampleRate) Hz in \(container)"
        case .packets(let packets):
            found = "\(packets.channelCount) channels of \(packets.codec) at \(packets.sampleRate) Hz in \(container)"
        }
        return AudioFileError(
            .unsupported, path: name, found: found, rule: rule, cure: "Choose another format, or write CAF.")
    }
}

extension StreamFormat {
    /// Whether it is linear PCM of integers.
    var isIntegerPCM: Bool {
        guard case .pcm(let pcm) = self else { return false }
        return pcm.kind != .float
    }
}

/// How the bytes of one container grow.
protocol ContainerWriter {
    /// Before the first packet.
    mutating func begin(_ facts: WriterFacts, _ sink: any ByteSink) throws(AudioFileError)
    /// Puts down packets that `facts` counts already.
    mutating func append(
        _ bytes: UnsafeRawBufferPointer, _ spans: [PacketSpan], facts: WriterFacts, sink: any ByteSink)
        throws(AudioFileError)
    /// Brings the file into a state that a reader understands should the process end now.
    mutating func keepReadable(_ facts: WriterFacts, _ sink: any ByteSink) throws(AudioFileError)
    mutating func finish(_ facts: WriterFacts, _ sink: any ByteSink) throws(AudioFileError)
    /// Where the audio begins, when packets of constant size may be overwritten.
    var audioOffset: Int64? { get }
}

extension ContainerWriter {
    mutating func keepReadable(_ facts: WriterFacts, _ sink: any ByteSink) throws(AudioFileError) {}
    var audioOffset: Int64? { nil }
}

extension ByteSink {
    func write(_ bytes: [UInt8], at offset: Int64) throws(AudioFileError) {
        try bytes.withBytes { memory throws(AudioFileError) in try write(memory, at: offset) }
    }
}
