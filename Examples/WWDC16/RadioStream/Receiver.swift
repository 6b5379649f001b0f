import AVFoundation
import Workbench

/// Takes the bytes of a compressed file as they come and gives the sound in them.
final class Receiver {
    private var stream: AudioFileStreamID?
    private var converter: AVAudioConverter?
    private let packets = PacketQueue()
    private var sound: [Float] = []
    private(set) var packetCount = 0

    init() throws {
        let status = AudioFileStreamOpen(
            Unmanaged.passUnretained(self).toOpaque(),
            { client, stream, property, _ in
                Unmanaged<Receiver>.fromOpaque(client).takeUnretainedValue().learned(property, of: stream)
            },
            { client, byteCount, packetCount, bytes, descriptions in
                Unmanaged<Receiver>.fromOpaque(client).takeUnretainedValue().arrived(
                    bytes, byteCount, packetCount, descriptions)
            }, kAudioFileMP3Type, &stream)
        guard status == noErr else { throw Failure("the stream cannot be opened: \(status)") }
    }

    deinit {
        if let stream { AudioFileStreamClose(stream) }
    }

    /// Parses the next piece and decodes the packets it completed.
    func receive(_ piece: Data) throws {
        guard let stream else { throw Failure("the stream is closed") }
        let status = piece.withUnsafeBytes { bytes in
            AudioFileStreamParseBytes(stream, UInt32(bytes.count), bytes.baseAddress, [])
        }
        guard status == noErr else { throw Failure("a piece cannot be parsed: \(status)") }
        try decode(otherwise: .noDataNow)
    }

    /// Decodes what is left.
    func finish() throws -> Take {
        try decode(otherwise: .endOfStream)
        return Take(rate: converter?.outputFormat.sampleRate ?? 44_100, left: sound, right: sound)
    }

    private func learned(_ property: AudioFileStreamPropertyID, of stream: AudioFileStreamID) {
        guard property == kAudioFileStreamProperty_ReadyToProducePackets else { return }
        var asbd = AudioStreamBasicDescription()
        var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        guard AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_DataFormat, &size, &asbd) == noErr,
            let compressed = AVAudioFormat(streamDescription: &asbd),
            let plain = AVAudioFormat(standardFormatWithSampleRate: asbd.mSampleRate, channels: asbd.mChannelsPerFrame)
        else { return }
        converter = AVAudioConverter(from: compressed, to: plain)
    }

    private func arrived(
        _ bytes: UnsafeRawPointer, _ byteCount: UInt32, _ count: UInt32,
        _ descriptions: UnsafePointer<AudioStreamPacketDescription>?
    ) {
        guard let format = converter?.inputFormat, let descriptions else { return }
        let buffer = AVAudioCompressedBuffer(format: format, packetCapacity: count, maximumPacketSize: Int(byteCount))
        buffer.data.copyMemory(from: bytes, byteCount: Int(byteCount))
        buffer.packetDescriptions?.update(from: descriptions, count: Int(count))
        buffer.byteLength = byteCount
        buffer.packetCount = count
        packets.append(buffer)
        packetCount += Int(count)
    }

    private func decode(otherwise nothing: AVAudioConverterInputStatus) throws {
        guard let converter, let piece = AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 4096) else {
            return
        }
        var status = AVAudioConverterOutputStatus.haveData
        while status == .haveData {
            var failure: NSError?
            status = converter.convert(to: piece, error: &failure) { [packets] _, status in
                let next = packets.next()
                status.pointee = next == nil ? nothing : .haveData
                return next
            }
            if let failure { throw failure }
            sound += piece.samples()
        }
    }
}

/// Packets that have arrived and not been decoded.
final class PacketQueue: @unchecked Sendable {
    private let lock = NSLock()
    private var buffers: [AVAudioCompressedBuffer] = []

    func append(_ buffer: AVAudioCompressedBuffer) { lock.withLock { buffers.append(buffer) } }

    func next() -> AVAudioCompressedBuffer? { lock.withLock { buffers.isEmpty ? nil : buffers.removeFirst() } }
}
