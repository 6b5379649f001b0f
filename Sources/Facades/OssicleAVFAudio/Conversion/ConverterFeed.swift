// The client's side of a conversion.

import OssicleAudioToolbox
import OssicleCodecs
import OssicleConversion
import OssicleCoreAudioTypes

/// Asks a client's block for input and checks what it brings. For one thread at a time.
final class ConverterFeed {
    private let format: AVAudioFormat
    private let fault: ConverterFault
    /// Kept until the next one is asked for: the machine may not be through with it.
    private var buffer: AVAudioBuffer?

    init(_ format: AVAudioFormat, _ fault: ConverterFault) {
        self.format = format
        self.fault = fault
    }

    func reset() { buffer = nil }

    /// What `block` has. A buffer without data counts as nothing now, so that a block that returns it forever ends the call.
    func pull(_ packets: Int, _ block: AVAudioConverterInputBlock) throws(OssicleError) -> ConverterInput {
        var status = AVAudioConverterInputStatus.haveData
        buffer = block(AVAudioPacketCount(clamping: max(packets, 1)), &status)
        if status == .endOfStream { return .endOfStream }
        guard status == .haveData, let buffer else { return .nothingNow }
        return try input(buffer)
    }

    /// The valid part of `buffer`.
    func input(_ buffer: AVAudioBuffer) throws(OssicleError) -> ConverterInput {
        guard buffer.format == format else { throw fault.wrongFormat("input", buffer.format, format) }
        switch buffer {
        case let samples as AVAudioPCMBuffer:
            guard samples.frameLength > 0 else { return .nothingNow }
            return .samples(samples.lists.valid.compactMap { $0.mData.map { UnsafeRawPointer($0) } }, frames: Int(samples.frameLength))
        case let packets as AVAudioCompressedBuffer:
            guard packets.packetCount > 0 else { return .nothingNow }
            let spans = try spans(packets)
            return .packets(UnsafeRawBufferPointer(start: packets.data, count: Int(packets.byteLength)), spans)
        default: return .nothingNow
        }
    }

    private func spans(_ buffer: AVAudioCompressedBuffer) throws(OssicleError) -> [PacketSpan] {
        let count = Int(buffer.packetCount), length = Int(buffer.byteLength)
        guard let descriptions = buffer.packetDescriptions else {
            let size = Int(format.streamDescription.pointee.mBytesPerPacket)
            guard size <= length / count else { throw fault.badPackets("\(count) packets of \(size) bytes in \(length) bytes") }
            return (0..<count).map { PacketSpan(offset: $0 * size, byteCount: size) }
        }
        var spans: [PacketSpan] = []
        spans.reserveCapacity(count)
        for index in 0..<count {
            let packet = descriptions[index]
            guard let span = PacketSpan(packet, in: length) else {
                throw fault.badPackets("packet \(index) of \(packet.mDataByteSize) bytes at \(packet.mStartOffset) in \(length) bytes")
            }
            spans.append(span)
        }
        return spans
    }
}
