// A client's input procedure, as a converter asks it.

import OssicleCodecs
import OssicleConversion
import OssicleProperties

/// Calls an input procedure and checks what it gives.
final class InputProcedure {
    /// Why there was no input, where that was not the end of the stream.
    private(set) var status = noErr

    private let procedure: AudioConverterComplexInputDataProc
    private let reference: AudioConverterRef
    private let userData: UnsafeMutableRawPointer?
    private let format: StreamFormat
    private let list: UnsafeMutableAudioBufferListPointer

    init(
        _ procedure: @escaping AudioConverterComplexInputDataProc, _ reference: AudioConverterRef,
        userData: UnsafeMutableRawPointer?, format: StreamFormat
    ) {
        self.procedure = procedure
        self.reference = reference
        self.userData = userData
        self.format = format
        list = AudioBufferList.allocate(maximumBuffers: format.bufferCount)
    }

    deinit { UnsafeMutableRawPointer(list.unsafeMutablePointer).deallocate() }

    /// Asks for `packets` packets; after a failure no more.
    func pull(_ packets: Int) -> ConverterInput {
        guard status == noErr else { return .nothingNow }
        list.count = format.bufferCount
        let channels = UInt32(clamping: format.channelsPerBuffer)
        for index in list.indices { list[index] = AudioBuffer(mNumberChannels: channels, mDataByteSize: 0, mData: nil) }
        var count = UInt32(clamping: max(1, packets))
        var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
        status =
            format.isPCM
            ? procedure(reference, &count, list.unsafeMutablePointer, nil, userData)
            : procedure(reference, &count, list.unsafeMutablePointer, &descriptions, userData)
        guard status == noErr else { return .nothingNow }
        guard count > 0 else { return .endOfStream }
        do throws(StatusError) {
            return format.isPCM ? try takeSamples(Int(count)) : try takePackets(Int(count), descriptions)
        } catch {
            status = error.status
            return .nothingNow
        }
    }

    private func takeSamples(_ frames: Int) throws(StatusError) -> ConverterInput {
        let buffers = BufferList.pointers(list, of: format)
        let available = min(frames, BufferList.packets(list, of: format))
        guard let buffers, available > 0 else { throw StatusError(kAudioConverterErr_InvalidInputSize) }
        return .samples(buffers.map { UnsafeRawPointer($0) }, frames: available)
    }

    private func takePackets(
        _ count: Int,
        _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    ) throws(StatusError) -> ConverterInput {
        guard list.count == 1, let memory = list[0].mData else {
            throw StatusError(kAudioConverterErr_InvalidInputSize)
        }
        let bytes = UnsafeRawBufferPointer(start: memory, count: Int(list[0].mDataByteSize))
        if !format.needsPacketDescriptions {
            let size = format.bytesPerPacket, available = min(count, bytes.count / size)
            guard available > 0 else { throw StatusError(kAudioConverterErr_InvalidInputSize) }
            return .packets(
                bytes,
                (0..<available).map {
                    PacketSpan(offset: $0 * size, byteCount: size, frameCount: format.framesPerPacket)
                })
        }
        guard let descriptions else { throw StatusError(kAudioConverterErr_RequiresPacketDescriptionsError) }
        guard let spans = PacketSpan.spans(UnsafeBufferPointer(start: descriptions, count: count), in: bytes.count)
        else {
            throw StatusError(kAudioConverterErr_InvalidInputSize)
        }
        return .packets(bytes, spans)
    }
}

/// What a client's buffer list has for a stream.
enum BufferList {
    /// Where the buffers lie; `nil` where their number is not the stream's, or one is missing.
    static func pointers(
        _ list: UnsafeMutableAudioBufferListPointer, of format: StreamFormat
    ) -> [UnsafeMutableRawPointer]? {
        guard list.count == format.bufferCount else { return nil }
        let pointers = list.compactMap(\.mData)
        return pointers.count == format.bufferCount ? pointers : nil
    }

    /// Packets of one size that fit into every buffer.
    static func packets(_ list: UnsafeMutableAudioBufferListPointer, of format: StreamFormat) -> Int {
        guard format.bytesPerPacket > 0 else { return 0 }
        return list.map { Int($0.mDataByteSize) / format.bytesPerPacket }.min() ?? 0
    }

    /// Tells the client how many bytes of each buffer were written.
    static func setSize(_ list: UnsafeMutableAudioBufferListPointer, packets: Int, of format: StreamFormat) {
        for index in list.indices { list[index].mDataByteSize = UInt32(clamping: packets * format.bytesPerPacket) }
    }
}

extension UnsafePointer where Pointee == AudioBufferList {
    /// The list as a collection; only to be read.
    var buffers: UnsafeMutableAudioBufferListPointer {
        UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: self))
    }
}

extension PacketSpan {
    /// The spans that `descriptions` describe; `nil` where one lies outside of `size` bytes.
    static func spans(_ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>, in size: Int) -> [PacketSpan]?
    {
        var spans: [PacketSpan] = []
        spans.reserveCapacity(descriptions.count)
        for description in descriptions {
            let span = PacketSpan(
                offset: description.mStartOffset, byteCount: description.mDataByteSize,
                frameCount: description.mVariableFramesInPacket, in: size)
            guard let span else { return nil }
            spans.append(span)
        }
        return spans
    }

    /// The description of this packet in a stream of `format`.
    func description(in format: StreamFormat) -> AudioStreamPacketDescription {
        AudioStreamPacketDescription(
            mStartOffset: Int64(offset),
            mVariableFramesInPacket: format.framesPerPacket > 0 ? 0 : UInt32(clamping: frameCount),
            mDataByteSize: UInt32(clamping: byteCount))
    }
}
