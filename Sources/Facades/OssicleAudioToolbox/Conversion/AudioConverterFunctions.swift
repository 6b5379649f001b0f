// Making and ending converters, and their properties, in the C interface's spelling. One thread at a time for each
// converter; not for the audio thread.

import OssicleCodecs
import OssicleConversion
import OssicleProperties

/// Makes a converter from one format to another. `kAudioConverterErr_FormatNotSupported` where no conversion leads
/// there; then `nil` is written. Rate and channels of a compressed format may be 0: they are the other side's.
@discardableResult
public func AudioConverterNew(
    _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>
) -> OSStatus {
    outAudioConverter.pointee = nil
    return status { () throws(StatusError) in
        let source = inSourceFormat.pointee, target = inDestinationFormat.pointee
        guard let input = StreamFormat(source.completed(by: target)),
            let output = StreamFormat(target.completed(by: source))
        else {
            throw StatusError(kAudioConverterErr_FormatNotSupported)
        }
        outAudioConverter.pointee = ConverterObject.table.add(try ConverterObject(from: input, to: output))
    }
}

/// Makes a converter as `AudioConverterNew` does. There is one codec for each format, so the classes change nothing.
@discardableResult
public func AudioConverterNewSpecific(
    _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>, _ inNumberClassDescriptions: UInt32,
    _ inClassDescriptions: UnsafePointer<AudioClassDescription>,
    _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>
) -> OSStatus {
    AudioConverterNew(inSourceFormat, inDestinationFormat, outAudioConverter)
}

/// Ends a converter. `kAudio_ParamError` for one that is not there, as in all of these functions.
@discardableResult
public func AudioConverterDispose(_ inAudioConverter: AudioConverterRef) -> OSStatus {
    ConverterObject.table.remove(inAudioConverter) == nil ? kAudio_ParamError : noErr
}

/// Forgets what was converted so far: the next input begins another stream. Properties stay.
@discardableResult
public func AudioConverterReset(_ inAudioConverter: AudioConverterRef) -> OSStatus {
    withConverter(inAudioConverter) { object throws(StatusError) in
        try object.converting { $0.reset() }
    }
}

/// Writes the size of a property and whether it can be set. `kAudioConverterErr_PropertyNotSupported` for one that this
/// converter does not have.
@discardableResult
public func AudioConverterGetPropertyInfo(
    _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID,
    _ outSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    withConverter(inAudioConverter) { object throws(StatusError) in
        let value = try object.alone(asking: true) { () throws(StatusError) in
            try object.property(inPropertyID, .nothing)
        }
        outSize?.pointee = UInt32(clamping: value.size)
        outWritable?.pointee = DarwinBoolean(object.isSettable(inPropertyID))
    }
}

/// Writes a property to `outPropertyData`, which has room for `ioPropertyDataSize` bytes, and sets that to the bytes
/// written. `kAudioConverterErr_BadPropertySizeError` where the room does not suffice.
@discardableResult
public func AudioConverterGetProperty(
    _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
    withConverter(inAudioConverter) { object throws(StatusError) in
        let data = PropertyData(
            outPropertyData, ioPropertyDataSize.pointee, badSize: kAudioConverterErr_BadPropertySizeError)
        let value = try object.alone(asking: true) { () throws(StatusError) in try object.property(inPropertyID, data) }
        try value.write(to: outPropertyData, ioPropertyDataSize, badSize: kAudioConverterErr_BadPropertySizeError)
    }
}

/// Sets a property. `kAudioConverterErr_OperationNotSupported` for one that can only be read, or a value the converter
/// cannot take.
@discardableResult
public func AudioConverterSetProperty(
    _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID, _ inPropertyDataSize: UInt32,
    _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
    withConverter(inAudioConverter) { object throws(StatusError) in
        let data = PropertyData(inPropertyData, inPropertyDataSize, badSize: kAudioConverterErr_BadPropertySizeError)
        try object.alone { () throws(StatusError) in try object.setProperty(inPropertyID, data) }
    }
}

/// Calls `body` with the converter behind a reference.
func withConverter(_ reference: AudioConverterRef, _ body: (ConverterObject) throws(StatusError) -> Void) -> OSStatus {
    guard let object = ConverterObject.table.object(of: reference) else { return kAudio_ParamError }
    return status { () throws(StatusError) in try body(object) }
}

extension AudioStreamBasicDescription {
    /// Compressed formats that do not tell rate or channels have those of the other side.
    fileprivate func completed(by other: AudioStreamBasicDescription) -> AudioStreamBasicDescription {
        guard mFormatID != kAudioFormatLinearPCM else { return self }
        var completed = self
        if mSampleRate == 0 { completed.mSampleRate = other.mSampleRate }
        if mChannelsPerFrame == 0 { completed.mChannelsPerFrame = other.mChannelsPerFrame }
        return completed
    }
}
