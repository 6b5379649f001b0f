// The properties of sound files, in the C interface's spelling. Not for the audio thread.

import OssicleFiles
import OssicleProperties

/// Writes the size of a property and whether it can be set. `kAudioFileUnsupportedPropertyError` for one that this file
/// does not have.
@discardableResult
public func AudioFileGetPropertyInfo(
    _ inAudioFile: AudioFileID, _ inPropertyID: AudioFilePropertyID, _ outDataSize: UnsafeMutablePointer<UInt32>?,
    _ isWritable: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    withAudioFile(inAudioFile) { object throws(StatusError) in
        let size = try object.property(inPropertyID, .nothing).size
        outDataSize?.pointee = UInt32(clamping: size)
        isWritable?.pointee = object.isSettable(inPropertyID) ? 1 : 0
    }
}

/// Writes a property to `outPropertyData`, which has room for `ioDataSize` bytes, and sets that to the bytes written.
/// `kAudioFileBadPropertySizeError` where the room does not suffice.
@discardableResult
public func AudioFileGetProperty(
    _ inAudioFile: AudioFileID, _ inPropertyID: AudioFilePropertyID, _ ioDataSize: UnsafeMutablePointer<UInt32>,
    _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
    withAudioFile(inAudioFile) { object throws(StatusError) in
        let question = PropertyData(outPropertyData, ioDataSize.pointee, badSize: kAudioFileBadPropertySizeError)
        try object.property(inPropertyID, question).write(
            to: outPropertyData, ioDataSize, badSize: kAudioFileBadPropertySizeError)
    }
}

/// Sets a property of a file being written. `kAudioFilePermissionsError` for a file being read and for a property that
/// can only be read.
@discardableResult
public func AudioFileSetProperty(
    _ inAudioFile: AudioFileID, _ inPropertyID: AudioFilePropertyID, _ inDataSize: UInt32,
    _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
    withAudioFile(inAudioFile) { object throws(StatusError) in
        try object.writing { file throws(StatusError) in
            try file.setProperty(
                inPropertyID, PropertyData(inPropertyData, inDataSize, badSize: kAudioFileBadPropertySizeError))
        }
    }
}

/// The number of chunks of client's data: `kAudioFileOperationNotSupportedError`.
@discardableResult
public func AudioFileCountUserData(
    _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ outNumberItems: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    outNumberItems.pointee = 0
    return withAudioFile(inAudioFile) { _ throws(StatusError) in throw StatusError(kAudioFileOperationNotSupportedError)
    }
}

/// A chunk of client's data: `kAudioFileOperationNotSupportedError`.
@discardableResult
public func AudioFileGetUserData(
    _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32,
    _ ioUserDataSize: UnsafeMutablePointer<UInt32>, _ outUserData: UnsafeMutableRawPointer
) -> OSStatus {
    ioUserDataSize.pointee = 0
    return withAudioFile(inAudioFile) { _ throws(StatusError) in throw StatusError(kAudioFileOperationNotSupportedError)
    }
}
