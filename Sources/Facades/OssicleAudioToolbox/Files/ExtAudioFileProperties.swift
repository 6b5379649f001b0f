// The properties of extended audio files.

import OssicleProperties

/// A four-character code that names a property of an extended audio file.
public typealias ExtAudioFilePropertyID = UInt32

/// The stream in the file. `AudioStreamBasicDescription`, read only. (`ffmt`)
public let kExtAudioFileProperty_FileDataFormat: ExtAudioFilePropertyID = 0x6666_6D74
/// The roles of the file's channels; may be set before writing. `AudioChannelLayout` with its tail. (`fclo`)
public let kExtAudioFileProperty_FileChannelLayout: ExtAudioFilePropertyID = 0x6663_6C6F
/// The samples the client reads or writes: linear PCM. `AudioStreamBasicDescription`. (`cfmt`)
public let kExtAudioFileProperty_ClientDataFormat: ExtAudioFilePropertyID = 0x6366_6D74
/// The roles of the client's channels. `AudioChannelLayout` with its tail. (`cclo`)
public let kExtAudioFileProperty_ClientChannelLayout: ExtAudioFilePropertyID = 0x6363_6C6F
/// Whose codec to use; without effect. `UInt32`. (`cman`)
public let kExtAudioFileProperty_CodecManufacturer: ExtAudioFilePropertyID = 0x636D_616E
/// The converter between client and file, the file's own. `AudioConverterRef`, read only. (`acnv`)
public let kExtAudioFileProperty_AudioConverter: ExtAudioFilePropertyID = 0x6163_6E76
/// The file beneath, the file's own. `AudioFileID`, read only. (`afil`)
public let kExtAudioFileProperty_AudioFile: ExtAudioFilePropertyID = 0x6166_696C
/// No packet in the file is larger, in bytes. `UInt32`, read only. (`fmps`)
public let kExtAudioFileProperty_FileMaxPacketSize: ExtAudioFilePropertyID = 0x666D_7073
/// Bytes of a client frame in one buffer. `UInt32`, read only. (`cmps`)
public let kExtAudioFileProperty_ClientMaxPacketSize: ExtAudioFilePropertyID = 0x636D_7073
/// Length in frames of the file's rate. `Int64`, read only. (`#frm`)
public let kExtAudioFileProperty_FileLengthFrames: ExtAudioFilePropertyID = 0x2366_726D
/// Set to `nil` after a change of the converter's properties; it takes effect. A pointer, write only. (`accf`)
public let kExtAudioFileProperty_ConverterConfig: ExtAudioFilePropertyID = 0x6163_6366
/// Bytes of the buffer between file and converter. `UInt32`. (`iobs`)
public let kExtAudioFileProperty_IOBufferSizeBytes: ExtAudioFilePropertyID = 0x696F_6273
/// That buffer itself; the client's is not needed. A pointer, write only. (`iobf`)
public let kExtAudioFileProperty_IOBuffer: ExtAudioFilePropertyID = 0x696F_6266
/// Frames that count, and those before and behind. `AudioFilePacketTableInfo`, read only. (`xpti`)
public let kExtAudioFileProperty_PacketTable: ExtAudioFilePropertyID = 0x7870_7469

/// Writes the size of a property and whether it can be set. `kExtAudioFileError_InvalidProperty` for one that this file
/// does not have.
@discardableResult
public func ExtAudioFileGetPropertyInfo(
    _ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID,
    _ outSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    withExtAudioFile(inExtAudioFile) { object throws(StatusError) in
        let size = try object.property(inPropertyID).size
        outSize?.pointee = UInt32(clamping: size)
        outWritable?.pointee = DarwinBoolean(ExtAudioFileObject.settable.contains(inPropertyID))
    }
}

/// Writes a property to `outPropertyData`, which has room for `ioPropertyDataSize` bytes, and sets that to the bytes
/// written. `kExtAudioFileError_InvalidPropertySize` where the room does not suffice.
@discardableResult
public func ExtAudioFileGetProperty(
    _ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
    withExtAudioFile(inExtAudioFile) { object throws(StatusError) in
        try object.property(inPropertyID).write(
            to: outPropertyData, ioPropertyDataSize, badSize: kExtAudioFileError_InvalidPropertySize)
    }
}

/// Sets a property. `kExtAudioFileError_InvalidOperationOrder` for one that can only be read, or not now.
@discardableResult
public func ExtAudioFileSetProperty(
    _ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID, _ inPropertyDataSize: UInt32,
    _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
    withExtAudioFile(inExtAudioFile) { object throws(StatusError) in
        try object.setProperty(
            inPropertyID,
            PropertyData(inPropertyData, inPropertyDataSize, badSize: kExtAudioFileError_InvalidPropertySize))
    }
}
