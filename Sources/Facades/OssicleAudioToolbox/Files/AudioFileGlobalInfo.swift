// What can be asked of sound files in general, in the C interface's spelling. Any thread.

import OssicleCodecs
import OssicleFiles
import OssicleProperties

/// Writes the size of an answer. `kAudioFileUnsupportedPropertyError` for an unknown question,
/// `kAudioFileBadPropertySizeError` for a specifier of another size, `kAudioFileUnsupportedFileTypeError` for an
/// unknown type of file.
@discardableResult
public func AudioFileGetGlobalInfoSize(
    _ inPropertyID: AudioFilePropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeMutableRawPointer?,
    _ outDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    status { () throws(StatusError) in
        let specifier = PropertyData(inSpecifier, inSpecifierSize, badSize: kAudioFileBadPropertySizeError)
        outDataSize.pointee = UInt32(clamping: try GlobalFileInfo.answer(inPropertyID, specifier).size)
    }
}

/// Writes an answer to `outPropertyData`, which has room for `ioDataSize` bytes, and sets that to the bytes written.
/// Errors as in `AudioFileGetGlobalInfoSize`.
@discardableResult
public func AudioFileGetGlobalInfo(
    _ inPropertyID: AudioFilePropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeMutableRawPointer?,
    _ ioDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
    status { () throws(StatusError) in
        let specifier = PropertyData(inSpecifier, inSpecifierSize, badSize: kAudioFileBadPropertySizeError)
        try GlobalFileInfo.answer(inPropertyID, specifier).write(
            to: outPropertyData, ioDataSize, badSize: kAudioFileBadPropertySizeError)
    }
}

/// Types of files, their codings and their extensions.
private enum GlobalFileInfo {
    static func answer(_ id: AudioFilePropertyID, _ specifier: PropertyData) throws(StatusError) -> PropertyValue {
        switch id {
        case kAudioFileGlobalInfo_ReadableTypes: return .list(readable.map(\.id))
        case kAudioFileGlobalInfo_WritableTypes:
            return .list(readable.filter { !codecs(of: $0.id).isEmpty }.map(\.id))
        case kAudioFileGlobalInfo_AllExtensions: return array(AudioContainer.extensions.flatMap(\.endings))
        case kAudioFileGlobalInfo_TypesForExtension: return .list(try types(of: specifier))
        case kAudioFileGlobalInfo_FileTypeName:
            let type: AudioFileTypeID = try specifier.value()
            guard let name = AudioFileType.all.first(where: { $0.id == type })?.name else {
                throw StatusError(kAudioFileUnsupportedFileTypeError)
            }
            return .text(name)
        case kAudioFileGlobalInfo_ExtensionsForType:
            let container = try container(of: try specifier.value())
            return array(AudioContainer.extensions.filter { $0.container == container }.flatMap(\.endings))
        case kAudioFileGlobalInfo_AvailableFormatIDs:
            var ids: [AudioFormatID] = []
            let type: AudioFileTypeID = try specifier.value()
            _ = try container(of: type)
            for id in codecs(of: type).map(\.id) where !ids.contains(id) { ids.append(id) }
            return .list(ids)
        case kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat:
            let asked: AudioFileTypeAndFormatID = try specifier.value()
            return .list(try descriptions(asked.mFormatID, asked.mFileType, in: try container(of: asked.mFileType)))
        default: throw StatusError(kAudioFileUnsupportedPropertyError)
        }
    }

    /// Without FFmpeg the packets of MPEG-4 and ADTS files can be reached, but not their sound.
    private static var readable: [AudioFileType] {
        AudioFileType.all.filter { Codecs.hasFFmpeg || ![.mpeg4, .adts].contains($0.container) }
    }

    private static func container(of type: AudioFileTypeID) throws(StatusError) -> AudioContainer {
        guard let container = AudioContainer(type: type) else { throw StatusError(kAudioFileUnsupportedFileTypeError) }
        return container
    }

    /// The codings files can be written with.
    private static func codecs(of type: AudioFileTypeID) -> [(codec: AudioCodec, id: AudioFormatID)] {
        AudioCodec.allCases.filter {
            AudioFileType.holds(type, $0)
                && ($0.isLinear || Codecs.encoderRange($0, sampleRate: 44_100, channelCount: 2) != nil)
        }
        .map { ($0, $0.isLinear ? kAudioFormatLinearPCM : $0.descriptor.formatID) }
    }

    /// Streams with what a client chooses, rate and channels, left 0.
    private static func descriptions(
        _ id: AudioFormatID, _ type: AudioFileTypeID, in container: AudioContainer
    ) throws(StatusError) -> [AudioStreamBasicDescription] {
        let found = codecs(of: type).filter { $0.id == id }
        guard !found.isEmpty else { throw StatusError(kAudioFileUnsupportedDataFormatError) }
        let orders = container == .caf ? [false, true] : [[.aiff, .au].contains(container)]
        return found.flatMap { codec, _ in
            orders.prefix(codec.isLinear ? orders.count : 1).map { isBigEndian in
                let info = AudioFileInfo(
                    sampleRate: 1, channelCount: 1, frameCount: 0, container: container, codec: codec,
                    isBigEndian: isBigEndian, channelLabels: nil)
                var description = info.streamFormat.description
                (
                    description.mSampleRate, description.mChannelsPerFrame, description.mBytesPerFrame,
                    description.mBytesPerPacket
                ) = (0, 0, 0, 0)
                return description
            }
        }
    }

    private static func types(of specifier: PropertyData) throws(StatusError) -> [AudioFileTypeID] {
        guard let pointer = UnsafeRawPointer(bitPattern: try specifier.value(UInt.self)) else {
            throw StatusError(kAudio_ParamError)
        }
        let text = Unmanaged<NSString>.fromOpaque(pointer).takeUnretainedValue()
        let ending = String(describing: text).lowercased()
        let container = AudioContainer(pathExtension: ending.hasPrefix(".") ? String(ending.dropFirst()) : ending)
        return AudioFileType.all.filter { $0.container == container }.map(\.id)
    }

    private static func array(_ texts: [String]) -> PropertyValue {
        .object(NSArray(array: texts.map { NSString(string: $0) }))
    }
}
