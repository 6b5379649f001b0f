// A sound file being written by its packets.

import OssicleCodecs
import OssicleFiles
import OssicleProperties

/// The writer of packets, and what a client may still change about the file before the first of them.
final class WrittenFile {
    /// Properties that may be set.
    static let settable: Set<AudioFilePropertyID> = [
        kAudioFilePropertyMagicCookieData, kAudioFilePropertyChannelLayout, kAudioFilePropertyPacketTableInfo,
        kAudioFilePropertyInfoDictionary,
        kAudioFilePropertyDeferSizeUpdates, kAudioFilePropertyReserveDuration,
    ]

    let fileType: AudioFileTypeID
    private let makeSink: () throws(AudioFileError) -> any ByteSink
    /// `nil` once closed, or handed over to another writer.
    private var writer: PacketFileWriter?
    private(set) var format: StreamFormat
    private var packetTable: AudioFilePacketTableInfo?
    private var byteCount: Int64 = 0
    private var frameCount: Int64 = 0
    private var largestPacket = 0

    init(
        _ type: AudioFileTypeID, _ format: StreamFormat,
        to makeSink: @escaping () throws(AudioFileError) -> any ByteSink
    ) throws(StatusError) {
        guard let container = AudioContainer(type: type) else { throw StatusError(kAudioFileUnsupportedFileTypeError) }
        fileType = type
        self.format = format
        self.makeSink = makeSink
        writer = try StatusError.file { () throws(AudioFileError) in
            try PacketFileWriter(makeSink(), container: container, format: format)
        }
    }

    private func open() throws(StatusError) -> PacketFileWriter {
        guard let writer else { throw StatusError(kAudioFileNotOpenError) }
        return writer
    }

    var packetCount: Int64 { writer?.packetCount ?? 0 }

    /// Appends packets at `start`, the end of the file; those of one size may also overwrite.
    func write(_ bytes: UnsafeRawBufferPointer, _ spans: [PacketSpan], at start: Int64) throws(StatusError) {
        let writer = try open()
        guard start >= 0, start <= writer.packetCount else { throw StatusError(kAudioFilePositionError) }
        let isConstant = !format.needsPacketDescriptions
        guard isConstant || start == writer.packetCount else { throw StatusError(kAudioFileOperationNotSupportedError) }
        let before = writer.packetCount
        try StatusError.file { () throws(AudioFileError) in
            if isConstant { try writer.write(bytes, at: start) } else { try writer.write(bytes, spans) }
        }
        if isConstant {
            byteCount = writer.packetCount.multipliedReportingOverflow(by: Int64(format.bytesPerPacket)).partialValue
            largestPacket = format.bytesPerPacket
        } else {
            byteCount += spans.reduce(0) { $0 + Int64($1.byteCount) }
            largestPacket = max(largestPacket, spans.map(\.byteCount).max() ?? 0)
        }
        let described = spans.reduce(0) { $0 + Int64($1.frameCount) }
        let counted = (writer.packetCount - before).multipliedReportingOverflow(by: Int64(format.framesPerPacket))
            .partialValue
        frameCount &+= format.framesPerPacket > 0 ? counted : described
    }

    /// Finishes the file; a second time nothing happens.
    func close() throws(StatusError) {
        guard let writer else { return }
        self.writer = nil
        try StatusError.file { () throws(AudioFileError) in try writer.close() }
    }

    /// The value of a property.
    func property(_ id: AudioFilePropertyID) throws(StatusError) -> PropertyValue {
        let seconds = format.sampleRate > 0 ? Double(frameCount) / format.sampleRate : 0
        switch id {
        case kAudioFilePropertyFileFormat: return .of(fileType)
        case kAudioFilePropertyDataFormat: return .of(format.description)
        case kAudioFilePropertyFormatList: return .of(format.listItem)
        case kAudioFilePropertyDataFormatName: return .text(format.name)
        case kAudioFilePropertyIsOptimized, kAudioFilePropertyAudioTrackCount: return .of(UInt32(1))
        case kAudioFilePropertyDeferSizeUpdates: return .of(UInt32(0))
        case kAudioFilePropertyReserveDuration: return .of(Float64(0))
        case kAudioFilePropertyAudioDataByteCount: return .of(UInt64(clamping: byteCount))
        case kAudioFilePropertyAudioDataPacketCount: return .of(UInt64(clamping: packetCount))
        case kAudioFilePropertyMaximumPacketSize, kAudioFilePropertyPacketSizeUpperBound:
            return .of(UInt32(clamping: max(largestPacket, format.bytesPerPacket)))
        case kAudioFilePropertyChannelLayout:
            return ChannelLayoutBytes.layout(of: format.channelLabels, channelCount: format.channelCount)
        case kAudioFilePropertyEstimatedDuration: return .of(seconds)
        case kAudioFilePropertyBitRate: return .of(UInt32(rounding: seconds > 0 ? Double(byteCount) * 8 / seconds : 0))
        case kAudioFilePropertyInfoDictionary: return .object(try open().metadata.dictionary(duration: seconds))
        case kAudioFilePropertyMagicCookieData where !format.isPCM: return .bytes(try open().cookie)
        case kAudioFilePropertyPacketTableInfo where !format.isPCM:
            return .of(
                packetTable
                    ?? AudioFilePacketTableInfo(mNumberValidFrames: frameCount, mPrimingFrames: 0, mRemainderFrames: 0))
        default: throw StatusError(kAudioFileUnsupportedPropertyError)
        }
    }

    /// Takes a new value.
    func setProperty(_ id: AudioFilePropertyID, _ data: PropertyData) throws(StatusError) {
        let writer = try open()
        switch id {
        case kAudioFilePropertyMagicCookieData where !format.isPCM: writer.cookie = Array(data.bytes)
        case kAudioFilePropertyPacketTableInfo where !format.isPCM:
            let table: AudioFilePacketTableInfo = try data.value()
            guard table.mPrimingFrames >= 0, table.mRemainderFrames >= 0 else { throw StatusError(kAudio_ParamError) }
            packetTable = table
            writer.primingFrames = Int(table.mPrimingFrames)
            writer.remainderFrames = Int(table.mRemainderFrames)
        case kAudioFilePropertyInfoDictionary:
            let address: UInt = try data.value()
            guard let pointer = UnsafeRawPointer(bitPattern: address) else { throw StatusError(kAudio_ParamError) }
            writer.metadata = AudioMetadata(Unmanaged<NSDictionary>.fromOpaque(pointer).takeUnretainedValue())
        case kAudioFilePropertyChannelLayout: try setLabels(ChannelLayoutBytes.labels(data.bytes))
        case kAudioFilePropertyDeferSizeUpdates: _ = try data.value(UInt32.self)
        case kAudioFilePropertyReserveDuration: _ = try data.value(Float64.self)
        default:
            throw StatusError(
                try property(id).size > 0 ? kAudioFilePermissionsError : kAudioFileUnsupportedPropertyError)
        }
    }

    /// Names the channels: the file begins anew, which it can while it is empty.
    private func setLabels(_ labels: [UInt32]?) throws(StatusError) {
        let writer = try open()
        guard let labels, let named = format.labelled(labels) else { throw StatusError(kAudioFileBadPropertySizeError) }
        guard writer.packetCount == 0 else { throw StatusError(kAudioFileOperationNotSupportedError) }
        let renewed = try StatusError.file { () throws(AudioFileError) in
            try writer.close()
            return try PacketFileWriter(makeSink(), container: writer.container, format: named)
        }
        renewed.cookie = writer.cookie
        renewed.metadata = writer.metadata
        (renewed.primingFrames, renewed.remainderFrames) = (writer.primingFrames, writer.remainderFrames)
        self.writer = renewed
        format = named
    }
}
