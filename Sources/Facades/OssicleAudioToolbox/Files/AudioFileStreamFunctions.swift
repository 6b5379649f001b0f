// Sound files that arrive in pieces, in the C interface's spelling. One thread at a time for each stream; not for the
// audio thread.

import OssicleFiles
import OssicleProperties

/// Begins a stream of bytes. `inPropertyListenerProc` hears of each property that becomes known, of
/// `kAudioFileStreamProperty_ReadyToProducePackets` last; `inPacketsProc` takes the packets. Both are called within
/// `AudioFileStreamParseBytes` and may ask for properties. `inFileTypeHint` helps where the bytes do not tell their
/// type; 0 without. Where no `inClientData` is given the functions get an address at which nothing lies.
@discardableResult
public func AudioFileStreamOpen(
    _ inClientData: UnsafeMutableRawPointer?, _ inPropertyListenerProc: @escaping AudioFileStream_PropertyListenerProc,
    _ inPacketsProc: @escaping AudioFileStream_PacketsProc, _ inFileTypeHint: AudioFileTypeID,
    _ outAudioFileStream: UnsafeMutablePointer<AudioFileStreamID?>
) -> OSStatus {
    outAudioFileStream.pointee = StreamedFile.table.add(
        StreamedFile(
            hint: inFileTypeHint, inClientData ?? Handle.next(), listener: inPropertyListenerProc,
            packets: inPacketsProc))
    return noErr
}

/// Parses the next bytes, cut anywhere. With `.discontinuity` the parser looks for the next packet's start.
///
/// `kAudioFileStreamError_UnsupportedFileType` for what is no sound file, `…InvalidFile` for a broken one,
/// `…NotOptimized` where the packets come before what is needed to read them, `…IllegalOperation` within one of the
/// client's functions.
@discardableResult
public func AudioFileStreamParseBytes(
    _ inAudioFileStream: AudioFileStreamID, _ inDataByteSize: UInt32, _ inData: UnsafeRawPointer?,
    _ inFlags: AudioFileStreamParseFlags
) -> OSStatus {
    withStream(inAudioFileStream) { stream throws(StatusError) in
        let bytes = UnsafeRawBufferPointer(start: inData, count: inData == nil ? 0 : Int(inDataByteSize))
        try stream.parse(bytes, inAudioFileStream, discontinuity: inFlags.contains(.discontinuity))
    }
}

/// Writes the byte of the file, counted from the start of the audio data, at which to go on for packet
/// `inPacketOffset`, and whether it is a guess. The bytes parsed next come from there, with `.discontinuity`.
/// `kAudioFileStreamError_DataUnavailable` while nothing can be said.
@discardableResult
public func AudioFileStreamSeek(
    _ inAudioFileStream: AudioFileStreamID, _ inPacketOffset: Int64, _ outDataByteOffset: UnsafeMutablePointer<Int64>,
    _ ioFlags: UnsafeMutablePointer<AudioFileStreamSeekFlags>
) -> OSStatus {
    withStream(inAudioFileStream) { stream throws(StatusError) in
        let place = try stream.dataOffset(ofPacket: inPacketOffset)
        outDataByteOffset.pointee = place.offset
        ioFlags.pointee = place.isEstimate ? .offsetIsEstimated : []
    }
}

/// Writes the size of a property and that it cannot be set. `kAudioFileStreamError_ValueUnknown` while it has no value.
@discardableResult
public func AudioFileStreamGetPropertyInfo(
    _ inAudioFileStream: AudioFileStreamID, _ inPropertyID: AudioFileStreamPropertyID,
    _ outPropertyDataSize: UnsafeMutablePointer<UInt32>?,
    _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    withStream(inAudioFileStream) { stream throws(StatusError) in
        let size = try stream.facts.property(inPropertyID, .nothing).size
        outPropertyDataSize?.pointee = UInt32(clamping: size)
        outWritable?.pointee = false
    }
}

/// Writes a property to `outPropertyData`, which has room for `ioPropertyDataSize` bytes, and sets that to the bytes
/// written. `kAudioFileStreamError_BadPropertySize` where the room does not suffice.
@discardableResult
public func AudioFileStreamGetProperty(
    _ inAudioFileStream: AudioFileStreamID, _ inPropertyID: AudioFileStreamPropertyID,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
    withStream(inAudioFileStream) { stream throws(StatusError) in
        let question = PropertyData(
            outPropertyData, ioPropertyDataSize.pointee, badSize: kAudioFileStreamError_BadPropertySize)
        let value = try stream.facts.property(inPropertyID, question)
        try value.write(to: outPropertyData, ioPropertyDataSize, badSize: kAudioFileStreamError_BadPropertySize)
    }
}

/// Sets a property: none can be, so `kAudioFileStreamError_IllegalOperation`, or `…UnsupportedProperty` for an unknown
/// one.
@discardableResult
public func AudioFileStreamSetProperty(
    _ inAudioFileStream: AudioFileStreamID, _ inPropertyID: AudioFileStreamPropertyID,
    _ inPropertyDataSize: UInt32, _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
    withStream(inAudioFileStream) { stream throws(StatusError) in
        _ = try stream.facts.property(inPropertyID, .nothing)
        throw StatusError(kAudioFileStreamError_IllegalOperation)
    }
}

/// Ends a stream; packets that waited for more bytes are handed out. `kAudio_ParamError` for one that is not there, as
/// in all of these functions.
@discardableResult
public func AudioFileStreamClose(_ inAudioFileStream: AudioFileStreamID) -> OSStatus {
    let result = withStream(inAudioFileStream) { stream throws(StatusError) in try stream.close(inAudioFileStream) }
    StreamedFile.table.remove(inAudioFileStream)
    return result
}

/// Calls `body` alone with the stream behind a reference.
private func withStream(_ reference: AudioFileStreamID, _ body: (StreamedFile) throws(StatusError) -> Void) -> OSStatus
{
    guard let stream = StreamedFile.table.object(of: reference) else { return kAudio_ParamError }
    return status { () throws(StatusError) in try stream.alone { () throws(StatusError) in try body(stream) } }
}
