// The properties of sound files in the client's own format, in the C interface's spelling. One thread at a time for each file; not for the
// audio thread.

/// Writes the size of a property and whether it can be set. `kExtAudioFileError_InvalidProperty` for one that this file does not have.
@discardableResult
public func ExtAudioFileGetPropertyInfo(_ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID,
                                        _ outSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<DarwinBoolean>?) -> OSStatus {
    withExtAudioFile(inExtAudioFile) { object throws(StatusError) in
        let size = try object.property(inPropertyID).size
        outSize?.pointee = UInt32(clamping: size)
        outWritable?.pointee = DarwinBoolean(ExtAudioFileObject.settable.contains(inPropertyID))
    }
}

/// Writes a property to `outPropertyData`, which has room for `ioPropertyDataSize` bytes, and sets that to the bytes written.
/// `kExtAudioFileError_InvalidPropertySize` where the room does not suffice.
@discardableResult
public func ExtAudioFileGetProperty(_ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID,
                                    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer) -> OSStatus {
    withExtAudioFile(inExtAudioFile) { object throws(StatusError) in
        try object.property(inPropertyID).write(to: outPropertyData, ioPropertyDataSize, badSize: kExtAudioFileError_InvalidPropertySize)
    }
}

/// Sets a property. `kExtAudioFileError_InvalidOperationOrder` for one that can only be read, or not now.
@discardableResult
public func ExtAudioFileSetProperty(_ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID, _ inPropertyDataSize: UInt32,
                                    _ inPropertyData: UnsafeRawPointer) -> OSStatus {
    withExtAudioFile(inExtAudioFile) { object throws(StatusError) in
        try object.setProperty(inPropertyID, PropertyData(inPropertyData, inPropertyDataSize, badSize: kExtAudioFileError_InvalidPropertySize))
    }
}
