// Sound files in the client's own format, in the C interface's spelling. One thread at a time for each file; not for
// the audio thread, except `ExtAudioFileWriteAsync`.

import OssicleCodecs
import OssicleFiles
import OssicleProperties

/// A sound file that is read or written in the client's format. A handle: nothing lies at its address.
public typealias ExtAudioFileRef = OpaquePointer

/// Opens the file at `inURL` to be read and writes a reference to it, `nil` with an error. Errors as in
/// `AudioFileOpenURL`.
@discardableResult
public func ExtAudioFileOpenURL(_ inURL: CFURL, _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>) -> OSStatus {
    outExtAudioFile.pointee = nil
    return status { () throws(StatusError) in
        let path = try filePath(inURL)
        let reader = try StatusError.file { () throws(AudioFileError) in try AudioFileReader(path: path) }
        outExtAudioFile.pointee = ExtAudioFileObject.table.add(
            ExtAudioFileObject(.reading(try ExtAudioFileReader(reader)), path: path))
    }
}

/// Reads or writes through an open file, which the client closes after this one. A file to be written must still be
/// empty, and have a URL: `kAudioFileOperationNotSupportedError` otherwise.
@discardableResult
public func ExtAudioFileWrapAudioFileID(
    _ inFileID: AudioFileID, _ inForWriting: Bool,
    _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
    outExtAudioFile.pointee = nil
    return withAudioFile(inFileID) { file throws(StatusError) in
        let side =
            inForWriting
            ? ExtAudioFileObject.Side.writing(try file.extAudioFileWriter()) : .reading(try file.extAudioFileReader())
        outExtAudioFile.pointee = ExtAudioFileObject.table.add(
            ExtAudioFileObject(side, path: file.path, audioFile: inFileID))
    }
}

/// Creates a file of `inFileType` and writes a reference to it. Byte order is the type's own, except in CAF and AIFF-C,
/// which keep what `inStreamDesc` says. Errors as in `AudioFileCreateWithURL`.
@discardableResult
public func ExtAudioFileCreateWithURL(
    _ inURL: CFURL, _ inFileType: AudioFileTypeID, _ inStreamDesc: UnsafePointer<AudioStreamBasicDescription>,
    _ inChannelLayout: UnsafePointer<AudioChannelLayout>?, _ inFlags: UInt32,
    _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
    outExtAudioFile.pointee = nil
    return status { () throws(StatusError) in
        let path = try filePath(inURL)
        let labels = inChannelLayout.flatMap { ChannelLayoutBytes.labels($0) }
        let request = try FileEncoderRequest(
            path: path, inFileType, description: inStreamDesc.pointee, channelLabels: labels)
        guard AudioFileFlags(rawValue: inFlags).contains(.eraseFile) || access(path, F_OK) != 0 else {
            throw StatusError(kAudioFilePermissionsError)
        }
        outExtAudioFile.pointee = ExtAudioFileObject.table.add(
            ExtAudioFileObject(.writing(try ExtAudioFileWriter(request)), path: path))
    }
}

/// Writes what waits, finishes the file and ends the reference. `kAudio_ParamError` for one that is not there, as in
/// all of these functions.
@discardableResult
public func ExtAudioFileDispose(_ inExtAudioFile: ExtAudioFileRef) -> OSStatus {
    guard let object = ExtAudioFileObject.table.remove(inExtAudioFile) else { return kAudio_ParamError }
    return status { () throws(StatusError) in try object.close() }
}

/// Reads up to `ioNumberFrames` frames of the client's format and sets `ioNumberFrames` and the sizes of the buffers to
/// what there was; nothing at the end, with `noErr`. `kAudio_ParamError` where the buffers are not the format's or too
/// small, `kExtAudioFileError_NonPCMClientFormat` where the file is compressed and no client format is set.
@discardableResult
public func ExtAudioFileRead(
    _ inExtAudioFile: ExtAudioFileRef, _ ioNumberFrames: UnsafeMutablePointer<UInt32>,
    _ ioData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
    let wanted = Int(ioNumberFrames.pointee)
    ioNumberFrames.pointee = 0
    return withExtAudioFile(inExtAudioFile) { object throws(StatusError) in
        guard case .reading(let reader) = object.side else {
            throw StatusError(kExtAudioFileError_InvalidOperationOrder)
        }
        ioNumberFrames.pointee = UInt32(
            clamping: try reader.read(into: UnsafeMutableAudioBufferListPointer(ioData), frames: wanted))
    }
}

/// Appends `inNumberFrames` frames of the client's format. Errors as in `ExtAudioFileRead`, and the file's own.
@discardableResult
public func ExtAudioFileWrite(
    _ inExtAudioFile: ExtAudioFileRef, _ inNumberFrames: UInt32, _ ioData: UnsafePointer<AudioBufferList>
) -> OSStatus {
    withExtAudioFile(inExtAudioFile) { object throws(StatusError) in
        try object.write(ioData.buffers, frames: Int(inNumberFrames))
    }
}

/// Takes `inNumberFrames` frames to be written on another thread, in order. A first call with 0 and `nil`, on any other
/// thread, makes ready; from then on this may be called on the audio thread: it neither locks nor allocates nor waits.
/// One thread at a time.
///
/// There is room for two seconds: `kExtAudioFileError_AsyncWriteBufferOverflow` where it is full,
/// `kExtAudioFileError_AsyncWriteTooLarge` for more at once than ever fits; nothing is taken then. What goes wrong
/// while writing is the result of later calls.
@discardableResult
public func ExtAudioFileWriteAsync(
    _ inExtAudioFile: ExtAudioFileRef, _ inNumberFrames: UInt32,
    _ ioData: UnsafePointer<AudioBufferList>?
) -> OSStatus {
    guard inNumberFrames > 0, let ioData else { return startAsync(inExtAudioFile) }
    if let result = AsyncRingTable.add(ioData, frames: Int(inNumberFrames), to: inExtAudioFile) { return result }
    let started = startAsync(inExtAudioFile)
    guard started == noErr else { return started }
    return AsyncRingTable.add(ioData, frames: Int(inNumberFrames), to: inExtAudioFile) ?? kAudio_ParamError
}

/// Moves to a frame, counted at the file's rate. `kExtAudioFileError_InvalidSeek` outside of the file, and while
/// writing.
@discardableResult
public func ExtAudioFileSeek(_ inExtAudioFile: ExtAudioFileRef, _ inFrameOffset: Int64) -> OSStatus {
    withExtAudioFile(inExtAudioFile) { object throws(StatusError) in
        guard case .reading(let reader) = object.side else { throw StatusError(kExtAudioFileError_InvalidSeek) }
        try reader.seek(to: inFrameOffset)
    }
}

/// Writes the frame that is read next, or frames written, counted at the file's rate.
@discardableResult
public func ExtAudioFileTell(
    _ inExtAudioFile: ExtAudioFileRef, _ outFrameOffset: UnsafeMutablePointer<Int64>
) -> OSStatus {
    withExtAudioFile(inExtAudioFile) { object throws(StatusError) in outFrameOffset.pointee = object.position }
}

/// Calls `body` alone with the file behind a reference.
func withExtAudioFile(
    _ reference: ExtAudioFileRef, _ body: (ExtAudioFileObject) throws(StatusError) -> Void
) -> OSStatus {
    guard let object = ExtAudioFileObject.table.object(of: reference) else { return kAudio_ParamError }
    return status { () throws(StatusError) in try object.alone { () throws(StatusError) in try body(object) } }
}

private func startAsync(_ reference: ExtAudioFileRef) -> OSStatus {
    withExtAudioFile(reference) { object throws(StatusError) in try object.startAsync(reference) }
}
