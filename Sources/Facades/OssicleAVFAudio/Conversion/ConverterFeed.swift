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

    /// What `block` has. A buffer without data counts as nothing now, so that a block that returns it forever ends the
    /// call.
    func pull(_ packets: Int, _ block: AVAudioConverterInputBlock) throws(OssicleError) -> ConverterInput {
        var status = AVAudioConverterInputStatus.haveData
        buffer = block(AVAudioPacketCount(clamping: max(packets, 1)), &status)
        if status == .endOfStream { return .endOfStream }
        guard status == .haveData, let buffer else { return .nothingNow }
        return try input(buffer)
    }

    /// The valid part of `buffer`.
    func input(_ buffer: AVAudioBuffer) throws(OssicleError) -> ConverterInput {
        guard buffer.format == format else { throw fault.wrongFormat("input", buffer.format, expected: format) }
        switch buffer {
        case let samples as AVAudioPCMBuffer:
            guard samples.frameLength > 0 else { return .nothingNow }
            return .samples(
                samples.lists.valid.compactMap { $0.mData.map { UnsafeRawPointer($0) } },
                frames: Int(samples.frameLength))
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
            guard size <= length / count else {
                throw fault.badPackets("\(count) packets of \(size) bytes in \(length) bytes")
            }
            return (0..<count).map { PacketSpan(offset: $0 * size, byteCount: size) }
        }
        var spans: [PacketSpan] = []
        spans.reserveCapacity(count)
        for index in 0..<count {
            let packet = descriptions[index]
            let span = PacketSpan(
                offset: packet.mStartOffset, byteCount: packet.mDataByteSize,
                frameCount: packet.mVariableFramesInPacket, in: length)
            guard let span else {
                throw fault.badPackets(
                    "packet \(index) of \(packet.mDataByteSize) bytes at \(packet.mStartOffset) in \(length) bytes")
            }
            spans.append(span)
        }
        return spans
    }
}

extension AVAudioConverter {
    typealias Pull = (Int) throws(OssicleError) -> ConverterInput

    /// Fills up to `frames` frames of `buffer`.
    func fill(
        _ buffer: AVAudioPCMBuffer, frames: AVAudioFrameCount, pull: @escaping Pull
    ) throws(OssicleError) -> AVAudioConverterOutputStatus {
        buffer.frameLength = 0
        guard buffer.frameCapacity > 0 else { throw fault.noRoom() }
        let memory = buffer.lists.whole.compactMap(\.mData)
        let (status, count) = try run(pull) { pull throws(ConversionError) in
            try machine.convert(into: memory, frames: Int(frames), pull: pull)
        }
        buffer.frameLength = AVAudioFrameCount(clamping: count)
        return .init(status, isEmpty: count == 0)
    }

    /// Fills `buffer` with packets.
    func fill(
        _ buffer: AVAudioCompressedBuffer, _ pull: @escaping Pull
    ) throws(OssicleError) -> AVAudioConverterOutputStatus {
        (buffer.packetCount, buffer.byteLength) = (0, 0)
        guard buffer.packetCapacity > 0 else { throw fault.noRoom() }
        let memory = UnsafeMutableRawBufferPointer(start: buffer.data, count: Int(buffer.byteCapacity))
        let (status, spans) = try run(pull) { pull throws(ConversionError) in
            try machine.convert(into: memory, packets: Int(buffer.packetCapacity), pull: pull)
        }
        buffer.take(spans)
        return .init(status, isEmpty: spans.isEmpty)
    }

    /// Runs the machine. It cannot hear of a failure of the client's side: it gets the answer that there is nothing,
    /// and the failure thrown after.
    private func run<Result>(
        _ pull: @escaping Pull,
        _ body: ((Int) -> ConverterInput) throws(ConversionError) -> Result
    ) throws(OssicleError) -> Result {
        var failure: OssicleError?
        let result: Result
        do throws(ConversionError) {
            result = try body { packets in
                guard failure == nil else { return .nothingNow }
                do throws(OssicleError) {
                    return try pull(packets)
                } catch {
                    failure = error
                    return .nothingNow
                }
            }
        } catch {
            throw OssicleError(error, fault.object)
        }
        if let failure { throw failure }
        return result
    }
}

extension AVAudioConverterOutputStatus {
    /// The last of a stream still is data; the call after it says that the stream is over.
    fileprivate init(_ status: ConverterStatus, isEmpty: Bool) {
        self =
            switch status {
            case .full: .haveData
            case .inputRanDry: .inputRanDry
            case .endOfStream: isEmpty ? .endOfStream : .haveData
            }
    }
}

extension AVAudioCompressedBuffer {
    /// Takes up the packets that lie in `data`. A packet states its frames only where the format does not.
    fileprivate func take(_ spans: [PacketSpan]) {
        packetCount = AVAudioPacketCount(clamping: spans.count)
        byteLength = UInt32(clamping: spans.map { $0.offset + $0.byteCount }.max() ?? 0)
        guard let packetDescriptions else { return }
        let usual = Int(format.streamDescription.pointee.mFramesPerPacket)
        for (index, span) in spans.prefix(Int(packetCapacity)).enumerated() {
            packetDescriptions[index] = AudioStreamPacketDescription(
                mStartOffset: Int64(span.offset),
                mVariableFramesInPacket: span.frameCount == usual ? 0 : UInt32(clamping: span.frameCount),
                mDataByteSize: UInt32(clamping: span.byteCount))
        }
    }
}
