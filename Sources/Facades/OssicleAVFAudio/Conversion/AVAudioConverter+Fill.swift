// Output buffers, filled by the machine.

import OssicleCodecs
import OssicleConversion
import OssicleCoreAudioTypes

extension AVAudioConverter {
    typealias Pull = (Int) throws(OssicleError) -> ConverterInput

    /// Fills up to `frames` frames of `buffer`.
    func fill(_ buffer: AVAudioPCMBuffer, frames: AVAudioFrameCount, _ pull: @escaping Pull) throws(OssicleError) -> AVAudioConverterOutputStatus {
        buffer.frameLength = 0
        guard buffer.frameCapacity > 0 else { throw fault.noRoom() }
        let memory = buffer.lists.whole.compactMap(\.mData)
        let (status, count) = try run(pull) { pull throws(ConversionError) in try machine.convert(into: memory, frames: Int(frames), pull: pull) }
        buffer.frameLength = AVAudioFrameCount(clamping: count)
        return .init(status, isEmpty: count == 0)
    }

    /// Fills `buffer` with packets.
    func fill(_ buffer: AVAudioCompressedBuffer, _ pull: @escaping Pull) throws(OssicleError) -> AVAudioConverterOutputStatus {
        (buffer.packetCount, buffer.byteLength) = (0, 0)
        guard buffer.packetCapacity > 0 else { throw fault.noRoom() }
        let memory = UnsafeMutableRawBufferPointer(start: buffer.data, count: Int(buffer.byteCapacity))
        let (status, spans) = try run(pull) { pull throws(ConversionError) in
            try machine.convert(into: memory, packets: Int(buffer.packetCapacity), pull: pull)
        }
        buffer.take(spans)
        return .init(status, isEmpty: spans.isEmpty)
    }

    /// Runs the machine. It cannot hear of a failure of the client's side: it is told that there is nothing, and the failure thrown after.
    private func run<Result>(_ pull: @escaping Pull,
                             _ body: ((Int) -> ConverterInput) throws(ConversionError) -> Result) throws(OssicleError) -> Result {
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
        self = switch status {
        case .full: .haveData
        case .inputRanDry: .inputRanDry
        case .endOfStream: isEmpty ? .endOfStream : .haveData
        }
    }
}

extension AVAudioCompressedBuffer {
    /// Takes up the packets that lie in `data`. A packet tells its frames only where the format does not.
    fileprivate func take(_ spans: [PacketSpan]) {
        packetCount = AVAudioPacketCount(clamping: spans.count)
        byteLength = UInt32(clamping: spans.map { $0.offset + $0.byteCount }.max() ?? 0)
        guard let packetDescriptions else { return }
        let usual = Int(format.streamDescription.pointee.mFramesPerPacket)
        for (index, span) in spans.prefix(Int(packetCapacity)).enumerated() {
            packetDescriptions[index] = AudioStreamPacketDescription(
                mStartOffset: Int64(span.offset), mVariableFramesInPacket: span.frameCount == usual ? 0 : UInt32(clamping: span.frameCount),
                mDataByteSize: UInt32(clamping: span.byteCount))
        }
    }
}
