// Converting, in the C interface's spelling.

import OssicleCodecs
import OssicleConversion
import OssicleProperties

/// Converts samples that lie in one buffer on either side, at one rate: the whole input.
/// `kAudioConverterErr_OperationNotSupported` for compressed formats and changes of rate,
/// `kAudioConverterErr_InvalidInputSize` where the input is not a whole number of frames,
/// `kAudioConverterErr_InvalidOutputSize` where the output has no room.
@discardableResult
public func AudioConverterConvertBuffer(
    _ inAudioConverter: AudioConverterRef, _ inInputDataSize: UInt32, _ inInputData: UnsafeRawPointer,
    _ ioOutputDataSize: UnsafeMutablePointer<UInt32>, _ outOutputData: UnsafeMutableRawPointer
) -> OSStatus {
    withConverter(inAudioConverter) { object throws(StatusError) in
        let source = object.source, target = object.target
        guard source.bufferCount == 1, target.bufferCount == 1, source.bytesPerPacket > 0 else {
            throw StatusError(kAudioConverterErr_OperationNotSupported)
        }
        guard Int(inInputDataSize) % source.bytesPerPacket == 0 else {
            throw StatusError(kAudioConverterErr_InvalidInputSize)
        }
        let frames = Int(inInputDataSize) / source.bytesPerPacket
        let room = target.bytesPerPacket > 0 ? Int(ioOutputDataSize.pointee) / target.bytesPerPacket : 0
        let written = try object.convert([inInputData], [outOutputData], frames: frames, room: room)
        ioOutputDataSize.pointee = UInt32(clamping: written * target.bytesPerPacket)
    }
}

/// Converts `inNumberPCMFrames` frames at one rate from buffers to buffers. Errors as in `AudioConverterConvertBuffer`,
/// and `kAudio_ParamError` where a list has not the format's buffers.
@discardableResult
public func AudioConverterConvertComplexBuffer(
    _ inAudioConverter: AudioConverterRef, _ inNumberPCMFrames: UInt32,
    _ inInputData: UnsafePointer<AudioBufferList>,
    _ outOutputData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
    withConverter(inAudioConverter) { object throws(StatusError) in
        let input = inInputData.buffers, output = UnsafeMutableAudioBufferListPointer(outOutputData)
        guard object.source.isPCM, object.target.isPCM else {
            throw StatusError(kAudioConverterErr_OperationNotSupported)
        }
        guard let sources = BufferList.pointers(input, of: object.source),
            let targets = BufferList.pointers(output, of: object.target)
        else {
            throw StatusError(kAudio_ParamError)
        }
        let frames = Int(inNumberPCMFrames)
        guard BufferList.packets(input, of: object.source) >= frames else {
            throw StatusError(kAudioConverterErr_InvalidInputSize)
        }
        let room = BufferList.packets(output, of: object.target)
        let written = try object.convert(sources.map { UnsafeRawPointer($0) }, targets, frames: frames, room: room)
        BufferList.setSize(output, packets: written, of: object.target)
    }
}

/// Fills `outOutputData` with up to `ioOutputDataPacketSize` packets, asking the procedure for input as it goes, and
/// sets `ioOutputDataPacketSize`, the sizes of the buffers and, for packets of different size, their descriptions to
/// what was made.
///
/// Nothing and `noErr` mean the end of the stream. The procedure's own status comes back where it was not `noErr`, with
/// what was made before; the next call continues. `kAudio_ParamError` where the list has not the format's buffers,
/// `kAudioConverterErr_InvalidOutputSize` where they have no room, `kAudioConverterErr_RequiresPacketDescriptionsError`
/// where descriptions are missing on either side, `kAudioConverterErr_InvalidInputSize` where the procedure's input is
/// no whole packet.
@discardableResult
public func AudioConverterFillComplexBuffer(
    _ inAudioConverter: AudioConverterRef, _ inInputDataProc: @escaping AudioConverterComplexInputDataProc,
    _ inInputDataProcUserData: UnsafeMutableRawPointer?,
    _ ioOutputDataPacketSize: UnsafeMutablePointer<UInt32>,
    _ outOutputData: UnsafeMutablePointer<AudioBufferList>,
    _ outPacketDescription: UnsafeMutablePointer<AudioStreamPacketDescription>?
) -> OSStatus {
    let wanted = Int(ioOutputDataPacketSize.pointee)
    ioOutputDataPacketSize.pointee = 0
    return withConverter(inAudioConverter) { object throws(StatusError) in
        let output = UnsafeMutableAudioBufferListPointer(outOutputData)
        let input = InputProcedure(
            inInputDataProc, inAudioConverter, userData: inInputDataProcUserData, format: object.source)
        let made =
            object.target.isPCM
            ? try object.fill(output, frames: wanted, from: input)
            : try object.fill(output, packets: wanted, descriptions: outPacketDescription, from: input)
        ioOutputDataPacketSize.pointee = UInt32(clamping: made)
        guard input.status == noErr else { throw StatusError(input.status) }
    }
}

extension ConverterObject {
    /// Converts `frames` frames at one rate and returns how many that were.
    fileprivate func convert(
        _ sources: [UnsafeRawPointer], _ targets: [UnsafeMutableRawPointer], frames: Int, room: Int
    ) throws(StatusError) -> Int {
        guard source.isPCM, target.isPCM, source.sampleRate == target.sampleRate else {
            throw StatusError(kAudioConverterErr_OperationNotSupported)
        }
        guard room >= frames else { throw StatusError(kAudioConverterErr_InvalidOutputSize) }
        guard frames > 0 else { return 0 }
        return try converting { converter throws(StatusError) in
            var given = false
            return try StatusError.conversion { () throws(ConversionError) in
                try converter.convert(into: targets, frames: frames) { _ in
                    defer { given = true }
                    return given ? .nothingNow : .samples(sources, frames: frames)
                }
            }.frames
        }
    }

    fileprivate func fill(
        _ list: UnsafeMutableAudioBufferListPointer, frames: Int, from input: InputProcedure
    ) throws(StatusError) -> Int {
        guard let buffers = BufferList.pointers(list, of: target) else { throw StatusError(kAudio_ParamError) }
        guard BufferList.packets(list, of: target) >= frames else {
            throw StatusError(kAudioConverterErr_InvalidOutputSize)
        }
        BufferList.setSize(list, packets: 0, of: target)
        let made = try converting { converter throws(StatusError) in
            try StatusError.conversion { () throws(ConversionError) in
                try converter.convert(into: buffers, frames: frames, pull: input.pull)
            }
        }.frames
        BufferList.setSize(list, packets: made, of: target)
        return made
    }

    fileprivate func fill(
        _ list: UnsafeMutableAudioBufferListPointer, packets: Int,
        descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
        from input: InputProcedure
    ) throws(StatusError) -> Int {
        guard list.count == 1, let data = list[0].mData else { throw StatusError(kAudio_ParamError) }
        guard descriptions != nil || packets <= 1 || !target.needsPacketDescriptions else {
            throw StatusError(kAudioConverterErr_RequiresPacketDescriptionsError)
        }
        let memory = UnsafeMutableRawBufferPointer(start: data, count: Int(list[0].mDataByteSize))
        let size = converter.maximumOutputPacketSize
        guard memory.count >= size else { throw StatusError(kAudioConverterErr_InvalidOutputSize) }
        list[0].mDataByteSize = 0
        let spans = try converting { converter throws(StatusError) in
            try StatusError.conversion { () throws(ConversionError) in
                try converter.convert(into: memory, packets: packets, pull: input.pull)
            }
        }.spans
        for (index, span) in spans.enumerated() { descriptions?[index] = span.description(in: target) }
        list[0].mDataByteSize = UInt32(clamping: spans.map { $0.offset + $0.byteCount }.max() ?? 0)
        return spans.count
    }
}
