// Questions about formats, in the C interface's spelling. Any thread.

import OssicleCodecs

/// Writes the size of an answer. `kAudioFormatUnsupportedPropertyError` for an unknown question, `kAudioFormatBadSpecifierSizeError` for a
/// specifier of another size, `kAudioFormatUnknownFormatError` for a format that makes no sense or is not known here.
@discardableResult
public func AudioFormatGetPropertyInfo(_ inPropertyID: AudioFormatPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
                                       _ outPropertyDataSize: UnsafeMutablePointer<UInt32>) -> OSStatus {
    status { () throws(StatusError) in
        let specifier = PropertyData(inSpecifier, inSpecifierSize, badSize: kAudioFormatBadSpecifierSizeError)
        outPropertyDataSize.pointee = UInt32(clamping: try FormatQuestion.answer(inPropertyID, specifier, nil).size)
    }
}

/// Writes an answer to `outPropertyData`, which has room for `ioPropertyDataSize` bytes, and sets that to the bytes written. Errors as
/// in `AudioFormatGetPropertyInfo`, and `kAudioFormatBadPropertySizeError` where the room does not suffice.
@discardableResult
public func AudioFormatGetProperty(_ inPropertyID: AudioFormatPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
                                   _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outPropertyData: UnsafeMutableRawPointer?) -> OSStatus {
    status { () throws(StatusError) in
        guard let ioPropertyDataSize, let outPropertyData else { throw StatusError(kAudio_ParamError) }
        let specifier = PropertyData(inSpecifier, inSpecifierSize, badSize: kAudioFormatBadSpecifierSizeError)
        let question = PropertyData(outPropertyData, ioPropertyDataSize.pointee, badSize: kAudioFormatBadPropertySizeError)
        let answer = try FormatQuestion.answer(inPropertyID, specifier, question)
        try answer.write(to: outPropertyData, ioPropertyDataSize, badSize: kAudioFormatBadPropertySizeError)
    }
}
