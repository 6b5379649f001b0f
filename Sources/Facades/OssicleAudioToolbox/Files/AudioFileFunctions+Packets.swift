// Reading and writing the packets of sound files, in the C interface's spelling. Not for the audio thread.

import OssicleCodecs
import OssicleFiles
import OssicleProperties

/// Reads up to `ioNumBytes` bytes of the audio data from `inStartingByte` on and sets `ioNumBytes` to what there was.
/// `kAudioFileEndOfFileError` where it was nothing, `kAudioFilePositionError` for a negative place.
@discardableResult
public func AudioFileReadBytes(
    _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ inStartingByte: Int64, _ ioNumBytes: UnsafeMutablePointer<UInt32>,
    _ outBuffer: UnsafeMutableRawPointer
) -> OSStatus {
    let memory = UnsafeMutableRawBufferPointer(start: outBuffer, count: Int(ioNumBytes.pointee))
    ioNumBytes.pointee = 0
    return withAudioFile(inAudioFile) { object throws(StatusError) in
        guard inStartingByte >= 0 else { throw StatusError(kAudioFilePositionError) }
        let got = try object.reading { reader throws(StatusError) in
            try StatusError.file { () throws(AudioFileError) in try reader.readBytes(from: inStartingByte, into: memory)
            }
        }
        ioNumBytes.pointee = UInt32(clamping: got)
        guard got > 0 || memory.isEmpty else { throw StatusError(kAudioFileEndOfFileError) }
    }
}

/// Writes `ioNumBytes` bytes of audio data at `inStartingByte`: whole packets of a format whose packets have one size,
/// up to the end of the file or behind it. `kAudioFileOperationNotSupportedError` for other formats,
/// `kAudio_ParamError` for a part of a packet.
@discardableResult
public func AudioFileWriteBytes(
    _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ inStartingByte: Int64, _ ioNumBytes: UnsafeMutablePointer<UInt32>,
    _ inBuffer: UnsafeRawPointer
) -> OSStatus {
    let bytes = UnsafeRawBufferPointer(start: inBuffer, count: Int(ioNumBytes.pointee))
    ioNumBytes.pointee = 0
    return withAudioFile(inAudioFile) { object throws(StatusError) in
        try object.writing { file throws(StatusError) in
            let size = Int64(file.format.bytesPerPacket)
            guard !file.format.needsPacketDescriptions else { throw StatusError(kAudioFileOperationNotSupportedError) }
            guard inStartingByte % size == 0, Int64(bytes.count) % size == 0 else {
                throw StatusError(kAudio_ParamError)
            }
            try file.write(bytes, [], at: inStartingByte / size)
        }
        ioNumBytes.pointee = UInt32(clamping: bytes.count)
    }
}

/// Reads up to `ioNumPackets` packets from `inStartingPacket` on, as many as fit into `ioNumBytes` bytes, and sets both
/// to what there was. Descriptions are written where `outPacketDescriptions` has room for them.
/// `kAudioFileEndOfFileError` where there was nothing, `kAudioFilePositionError` for a negative place,
/// `kAudioFileBadPropertySizeError` where not one packet fits.
@discardableResult
public func AudioFileReadPacketData(
    _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ ioNumBytes: UnsafeMutablePointer<UInt32>,
    _ outPacketDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?, _ inStartingPacket: Int64,
    _ ioNumPackets: UnsafeMutablePointer<UInt32>, _ outBuffer: UnsafeMutableRawPointer?
) -> OSStatus {
    let room = Int(ioNumBytes.pointee), wanted = Int(ioNumPackets.pointee)
    (ioNumBytes.pointee, ioNumPackets.pointee) = (0, 0)
    return withAudioFile(inAudioFile) { object throws(StatusError) in
        guard let outBuffer else { throw StatusError(kAudio_ParamError) }
        let memory = UnsafeMutableRawBufferPointer(start: outBuffer, count: room)
        let spans = try object.readPackets(
            from: inStartingPacket, count: wanted, into: memory, descriptions: outPacketDescriptions)
        ioNumPackets.pointee = UInt32(clamping: spans.count)
        ioNumBytes.pointee = UInt32(clamping: spans.map { $0.offset + $0.byteCount }.max() ?? 0)
    }
}

/// Reads as `AudioFileReadPacketData` does, into a buffer that the client has made large enough for `ioNumPackets`
/// packets of `kAudioFilePropertyMaximumPacketSize`.
@discardableResult
public func AudioFileReadPackets(
    _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ outNumBytes: UnsafeMutablePointer<UInt32>,
    _ outPacketDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?, _ inStartingPacket: Int64,
    _ ioNumPackets: UnsafeMutablePointer<UInt32>, _ outBuffer: UnsafeMutableRawPointer?
) -> OSStatus {
    outNumBytes.pointee = 0
    var room: UInt32 = 0
    let known = withAudioFile(inAudioFile) { object throws(StatusError) in
        let largest = try object.reading { reader throws(StatusError) in reader.maximumPacketSize }
        room = UInt32(clamping: Int(ioNumPackets.pointee).multipliedReportingOverflow(by: largest).partialValue)
    }
    guard known == noErr else {
        ioNumPackets.pointee = 0
        return known
    }
    outNumBytes.pointee = room
    return AudioFileReadPacketData(
        inAudioFile, inUseCache, outNumBytes, outPacketDescriptions, inStartingPacket, ioNumPackets, outBuffer)
}

/// Writes `ioNumPackets` packets at `inStartingPacket`, the end of the file; packets of one size may also overwrite.
/// Sets `ioNumPackets` to what was written. `kAudio_ParamError` where the bytes do not hold the packets or descriptions
/// are missing, `kAudioFilePositionError` beyond the end, `kAudioFileOperationNotSupportedError` before it where
/// packets differ in size.
@discardableResult
public func AudioFileWritePackets(
    _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ inNumBytes: UInt32,
    _ inPacketDescriptions: UnsafePointer<AudioStreamPacketDescription>?, _ inStartingPacket: Int64,
    _ ioNumPackets: UnsafeMutablePointer<UInt32>, _ inBuffer: UnsafeRawPointer
) -> OSStatus {
    let count = Int(ioNumPackets.pointee)
    ioNumPackets.pointee = 0
    return withAudioFile(inAudioFile) { object throws(StatusError) in
        let bytes = UnsafeRawBufferPointer(start: inBuffer, count: Int(inNumBytes))
        try object.writing { file throws(StatusError) in
            if file.format.needsPacketDescriptions {
                let described = inPacketDescriptions.flatMap {
                    PacketSpan.spans(UnsafeBufferPointer(start: $0, count: count), in: bytes.count)
                }
                guard let described else { throw StatusError(kAudio_ParamError) }
                try file.write(bytes, described, at: inStartingPacket)
            } else {
                let size = count.multipliedReportingOverflow(by: file.format.bytesPerPacket)
                guard !size.overflow, size.partialValue <= bytes.count else { throw StatusError(kAudio_ParamError) }
                try file.write(UnsafeRawBufferPointer(rebasing: bytes[..<size.partialValue]), [], at: inStartingPacket)
            }
        }
        ioNumPackets.pointee = UInt32(clamping: count)
    }
}

extension AudioFileObject {
    fileprivate func readPackets(
        from start: Int64, count: Int, into memory: UnsafeMutableRawBufferPointer,
        descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    ) throws(StatusError) -> [PacketSpan] {
        guard start >= 0 else { throw StatusError(kAudioFilePositionError) }
        return try reading { reader throws(StatusError) in
            let spans = try StatusError.file { () throws(AudioFileError) in
                try reader.read(from: start, count: count, into: memory)
            }
            guard !spans.isEmpty || count == 0 else {
                throw StatusError(
                    start < reader.packetCount ? kAudioFileBadPropertySizeError : kAudioFileEndOfFileError)
            }
            for (index, span) in spans.enumerated() { descriptions?[index] = span.description(in: reader.format) }
            return spans
        }
    }
}
