// Opening, creating and closing sound files, in the C interface's spelling. Not for the audio thread.

import Foundation
import OssicleCodecs
import OssicleFiles
import OssicleProperties

/// Opens the file at `inFileRef` and writes a reference to it, `nil` with an error. `inFileTypeHint` helps where the
/// file does not tell its type; 0 without. An existing file can be read only: writing into it is
/// `kAudioFileOperationNotSupportedError`.
///
/// `kAudioFileFileNotFoundError`, `kAudioFilePermissionsError`, `kAudioFileUnsupportedFileTypeError` for what is no
/// sound file, `kAudioFileInvalidFileError` for a broken one, `kAudioFileUnsupportedDataFormatError` for a coding
/// unknown here.
@discardableResult
public func AudioFileOpenURL(
    _ inFileRef: CFURL, _ inPermissions: AudioFilePermissions, _ inFileTypeHint: AudioFileTypeID,
    _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
    outAudioFile.pointee = nil
    return status { () throws(StatusError) in
        let path = try filePath(inFileRef)
        let wantsWriting = inPermissions != .readPermission
        if wantsWriting, access(path, F_OK) == 0, access(path, W_OK) != 0 {
            throw StatusError(kAudioFilePermissionsError)
        }
        let bytes = try StatusError.file { () throws(AudioFileError) in try FileBytes(path: path) }
        let object = try AudioFileObject(reading: bytes, hint: inFileTypeHint, path: path, wantsWriting: wantsWriting)
        outAudioFile.pointee = AudioFileObject.table.add(object)
    }
}

/// Creates a file of `inFileType` for packets of `inFormat` and writes a reference to it. `kAudioFilePermissionsError`
/// where the file exists and `inFlags` lacks `.eraseFile`, `kAudioFileUnsupportedFileTypeError` and
/// `kAudioFileUnsupportedDataFormatError` where type and format do not go together: linear PCM is taken as it is, so
/// its byte order must be the file's.
@discardableResult
public func AudioFileCreateWithURL(
    _ inFileRef: CFURL, _ inFileType: AudioFileTypeID, _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inFlags: AudioFileFlags, _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
    outAudioFile.pointee = nil
    return status { () throws(StatusError) in
        let path = try filePath(inFileRef)
        guard inFlags.contains(.eraseFile) || access(path, F_OK) != 0 else {
            throw StatusError(kAudioFilePermissionsError)
        }
        let file = try writtenFile(inFileType, inFormat.pointee) { () throws(AudioFileError) in try FileSink(path: path)
        }
        outAudioFile.pointee = AudioFileObject.table.add(AudioFileObject(writing: file, path: path))
    }
}

/// Opens a file that the client reads for us. The functions are called within the calls of this interface, on their
/// thread. Errors as in `AudioFileOpenURL`.
@discardableResult
public func AudioFileOpenWithCallbacks(
    _ inClientData: UnsafeMutableRawPointer, _ inReadFunc: @escaping AudioFile_ReadProc,
    _ inWriteFunc: AudioFile_WriteProc?, _ inGetSizeFunc: @escaping AudioFile_GetSizeProc,
    _ inSetSizeFunc: AudioFile_SetSizeProc?, _ inFileTypeHint: AudioFileTypeID,
    _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
    outAudioFile.pointee = nil
    return status { () throws(StatusError) in
        let bytes = CallbackBytes(inClientData, read: inReadFunc, write: nil, size: inGetSizeFunc)
        outAudioFile.pointee = AudioFileObject.table.add(
            try AudioFileObject(reading: bytes, hint: inFileTypeHint, wantsWriting: inWriteFunc != nil))
    }
}

/// Creates a file that the client writes for us, emptying it by `inSetSizeFunc`. Errors as in `AudioFileCreateWithURL`.
@discardableResult
public func AudioFileInitializeWithCallbacks(
    _ inClientData: UnsafeMutableRawPointer, _ inReadFunc: @escaping AudioFile_ReadProc,
    _ inWriteFunc: @escaping AudioFile_WriteProc, _ inGetSizeFunc: @escaping AudioFile_GetSizeProc,
    _ inSetSizeFunc: @escaping AudioFile_SetSizeProc, _ inFileType: AudioFileTypeID,
    _ inFormat: UnsafePointer<AudioStreamBasicDescription>, _ inFlags: AudioFileFlags,
    _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
    outAudioFile.pointee = nil
    return status { () throws(StatusError) in
        let emptied = inSetSizeFunc(inClientData, 0)
        guard emptied == noErr else { throw StatusError(emptied) }
        let bytes = CallbackBytes(inClientData, read: inReadFunc, write: inWriteFunc, size: inGetSizeFunc)
        let file = try writtenFile(inFileType, inFormat.pointee) { () throws(AudioFileError) in bytes }
        outAudioFile.pointee = AudioFileObject.table.add(AudioFileObject(writing: file))
    }
}

/// Closes a file; one being written gets its final header. `kAudio_ParamError` for a file that is not there, as in all
/// of these functions.
@discardableResult
public func AudioFileClose(_ inAudioFile: AudioFileID) -> OSStatus {
    guard let object = AudioFileObject.table.remove(inAudioFile) else { return kAudio_ParamError }
    return status { () throws(StatusError) in try object.close() }
}

/// Brings a file into a form that can be streamed: it always is.
@discardableResult
public func AudioFileOptimize(_ inAudioFile: AudioFileID) -> OSStatus {
    withAudioFile(inAudioFile) { _ throws(StatusError) in }
}

/// Calls `body` with the file behind a reference.
func withAudioFile(_ reference: AudioFileID, _ body: (AudioFileObject) throws(StatusError) -> Void) -> OSStatus {
    guard let object = AudioFileObject.table.object(of: reference) else { return kAudio_ParamError }
    return status { () throws(StatusError) in try body(object) }
}

/// The path of a URL on disk.
func filePath(_ url: CFURL) throws(StatusError) -> String {
    guard let path = (url as URL).localPath, !path.isEmpty else { throw StatusError(kAudio_BadFilePathError) }
    return path
}

private func writtenFile(
    _ type: AudioFileTypeID, _ description: AudioStreamBasicDescription,
    to makeSink: @escaping () throws(AudioFileError) -> any ByteSink
) throws(StatusError) -> WrittenFile {
    guard AudioContainer(type: type) != nil else { throw StatusError(kAudioFileUnsupportedFileTypeError) }
    guard AudioCodec(description, inFileOf: type) != nil, let format = StreamFormat(description),
        format.bufferCount == 1
    else {
        throw StatusError(kAudioFileUnsupportedDataFormatError)
    }
    return try WrittenFile(type, format, to: makeSink)
}
