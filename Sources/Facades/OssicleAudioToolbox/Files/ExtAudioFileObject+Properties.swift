// The properties of extended audio files.

import OssicleCodecs
import OssicleFiles
import OssicleProperties

extension ExtAudioFileObject {
    static let settable: Set<ExtAudioFilePropertyID> = [
        kExtAudioFileProperty_FileChannelLayout, kExtAudioFileProperty_ClientDataFormat,
        kExtAudioFileProperty_ClientChannelLayout,
        kExtAudioFileProperty_CodecManufacturer, kExtAudioFileProperty_ConverterConfig,
        kExtAudioFileProperty_IOBufferSizeBytes,
        kExtAudioFileProperty_IOBuffer,
    ]

    /// The value of a property.
    func property(_ id: ExtAudioFilePropertyID) throws(StatusError) -> PropertyValue {
        switch id {
        case kExtAudioFileProperty_FileDataFormat: return .of(format.description)
        case kExtAudioFileProperty_FileChannelLayout:
            return ChannelLayoutBytes.layout(of: format.channelLabels, channelCount: format.channelCount)
        case kExtAudioFileProperty_ClientDataFormat: return .of(clientFormat.description)
        case kExtAudioFileProperty_ClientChannelLayout:
            return ChannelLayoutBytes.layout(of: clientFormat.channelLabels, channelCount: clientFormat.channelCount)
        case kExtAudioFileProperty_CodecManufacturer: return .of(UInt32(0))
        case kExtAudioFileProperty_AudioConverter: return .of(Optional(try referToConverter()))
        case kExtAudioFileProperty_AudioFile: return .of(Optional(try referToAudioFile()))
        case kExtAudioFileProperty_FileMaxPacketSize: return .of(UInt32(clamping: try largestPacket()))
        case kExtAudioFileProperty_ClientMaxPacketSize: return .of(UInt32(clamping: clientFormat.largestPacket))
        case kExtAudioFileProperty_FileLengthFrames: return .of(length)
        case kExtAudioFileProperty_IOBufferSizeBytes: return .of(bufferSize)
        case kExtAudioFileProperty_PacketTable:
            guard case .reading = side, !format.isPCM else { throw StatusError(kExtAudioFileError_InvalidProperty) }
            return try beneath { file throws(StatusError) in
                try file.property(kAudioFilePropertyPacketTableInfo, .nothing)
            }
        default: throw StatusError(kExtAudioFileError_InvalidProperty)
        }
    }

    /// Takes a new value.
    func setProperty(_ id: ExtAudioFilePropertyID, _ data: PropertyData) throws(StatusError) {
        switch id {
        case kExtAudioFileProperty_ClientDataFormat:
            let description: AudioStreamBasicDescription = try data.value()
            guard description.mFormatID == kAudioFormatLinearPCM else {
                throw StatusError(kExtAudioFileError_NonPCMClientFormat)
            }
            guard let format = StreamFormat(description) else {
                throw StatusError(kAudioConverterErr_FormatNotSupported)
            }
            try setClientFormat(format)
        case kExtAudioFileProperty_ClientChannelLayout:
            guard let labels = ChannelLayoutBytes.labels(data.bytes), let named = clientFormat.labelled(labels) else {
                throw StatusError(data.badSize)
            }
            try setClientFormat(named)
        case kExtAudioFileProperty_FileChannelLayout:
            guard case .writing(let writer) = side else { throw StatusError(kExtAudioFileError_InvalidOperationOrder) }
            guard let labels = ChannelLayoutBytes.labels(data.bytes) else { throw StatusError(data.badSize) }
            try writer.setLabels(labels)
        case kExtAudioFileProperty_IOBufferSizeBytes: bufferSize = try data.value()
        case kExtAudioFileProperty_CodecManufacturer: _ = try data.value(UInt32.self)
        case kExtAudioFileProperty_ConverterConfig, kExtAudioFileProperty_IOBuffer: _ = try data.value(UInt.self)
        default:
            _ = try property(id)
            throw StatusError(kExtAudioFileError_InvalidOperationOrder)
        }
    }

    private func largestPacket() throws(StatusError) -> Int {
        guard case .reading = side, !format.isPCM else { return format.largestPacket }
        return try beneath { file throws(StatusError) in
            try file.reading { reader throws(StatusError) in reader.maximumPacketSize }
        }
    }

    /// Calls `body` with the file beneath.
    private func beneath<Result>(_ body: (AudioFileObject) throws(StatusError) -> Result) throws(StatusError) -> Result
    {
        guard let file = AudioFileObject.table.object(of: try referToAudioFile()) else {
            throw StatusError(kAudioFileNotOpenError)
        }
        return try body(file)
    }
}
