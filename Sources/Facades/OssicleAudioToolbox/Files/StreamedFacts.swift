// What is known of a streamed file.

import OssicleCodecs
import OssicleFiles
import OssicleProperties

/// The properties of a stream, as far as its bytes have told.
struct StreamedFacts {
    var isReady = false
    private(set) var format: StreamFormat?
    private var container: AudioContainer?
    private var metadata: AudioMetadata?
    private var data: (offset: Int64, byteCount: Int64?, packetCount: Int64?)?
    private var priming: (leading: Int, trailing: Int)?
    private var packetCount: Int64 = 0
    private var packetBytes: Int64 = 0
    private var packetFrames: Int64 = 0
    private var largestPacket = 0

    /// Where the audio data begins, in bytes from the start of the stream.
    var dataOffset: Int64? { data?.offset }

    /// Takes up what a parser tells and returns the properties that are known by it.
    mutating func learn(_ event: PacketStreamParser.Event) -> [AudioFileStreamPropertyID] {
        switch event {
        case .container(let container):
            self.container = container
            return []
        case .format(let format):
            let isFirst = self.format == nil
            self.format = format
            return (isFirst ? [kAudioFileStreamProperty_FileFormat] : []) + [
                kAudioFileStreamProperty_DataFormat, kAudioFileStreamProperty_FormatList,
            ]
                + (format.packets?.cookie.isEmpty == false ? [kAudioFileStreamProperty_MagicCookieData] : [])
                + (format.channelLabels == nil ? [] : [kAudioFileStreamProperty_ChannelLayout])
        case .data(let offset, let byteCount, let packetCount):
            data = (offset, byteCount, packetCount)
            return [kAudioFileStreamProperty_DataOffset]
                + (byteCount == nil ? [] : [kAudioFileStreamProperty_AudioDataByteCount])
                + (packetCount == nil ? [] : [kAudioFileStreamProperty_AudioDataPacketCount])
        case .metadata(let metadata):
            self.metadata = metadata
            return [kAudioFileStreamProperty_InfoDictionary]
        case .priming(let leading, let trailing):
            priming = (leading, trailing)
            return [kAudioFileStreamProperty_PacketTableInfo]
        case .packets: return []
        }
    }

    /// Counts packets that are handed out.
    mutating func count(_ spans: [PacketSpan]) {
        packetCount += Int64(spans.count)
        for span in spans {
            packetBytes += Int64(span.byteCount)
            packetFrames += Int64(span.frameCount > 0 ? span.frameCount : format?.framesPerPacket ?? 0)
            largestPacket = max(largestPacket, span.byteCount)
        }
    }

    /// The value of a property: `kAudioFileStreamError_ValueUnknown` while it is not known, `…UnsupportedProperty`
    /// where it never is.
    func property(_ id: AudioFileStreamPropertyID, _ question: PropertyData) throws(StatusError) -> PropertyValue {
        switch id {
        case kAudioFileStreamProperty_ReadyToProducePackets: return .of(UInt32(isReady ? 1 : 0))
        case kAudioFileStreamProperty_FileFormat: return .of(try fileType())
        case kAudioFileStreamProperty_DataFormat: return .of(try known(format).description)
        case kAudioFileStreamProperty_FormatList: return .of(try known(format).listItem)
        case kAudioFileStreamProperty_ChannelLayout:
            return ChannelLayoutBytes.layout(
                of: try known(format).channelLabels, channelCount: try known(format).channelCount)
        case kAudioFileStreamProperty_MagicCookieData:
            let cookie = try known(format).packets?.cookie ?? []
            guard !cookie.isEmpty else { throw StatusError(kAudioFileStreamError_UnsupportedProperty) }
            return .bytes(cookie)
        case kAudioFileStreamProperty_DataOffset: return .of(try known(data).offset)
        case kAudioFileStreamProperty_AudioDataByteCount: return .of(UInt64(clamping: try known(data?.byteCount)))
        case kAudioFileStreamProperty_AudioDataPacketCount: return .of(UInt64(clamping: try known(data?.packetCount)))
        case kAudioFileStreamProperty_InfoDictionary: return .object(try known(metadata).dictionary(duration: nil))
        case kAudioFileStreamProperty_PacketTableInfo: return .of(try packetTable())
        case kAudioFileStreamProperty_MaximumPacketSize:
            return .of(UInt32(clamping: max(largestPacket, try known(format).bytesPerPacket)))
        case kAudioFileStreamProperty_PacketSizeUpperBound:
            return .of(UInt32(clamping: max(largestPacket, try known(format).largestPacket)))
        case kAudioFileStreamProperty_AverageBytesPerPacket: return .of(try averageBytes())
        case kAudioFileStreamProperty_BitRate: return .of(UInt32(rounding: try bitRate()))
        default: return try translation(id, question)
        }
    }

    /// A value that the stream has told.
    func known<Value>(_ value: Value?) throws(StatusError) -> Value {
        guard let value else { throw StatusError(kAudioFileStreamError_ValueUnknown) }
        return value
    }

    private func fileType() throws(StatusError) -> AudioFileTypeID {
        let container = try known(container), format = try known(format)
        let codec: AudioCodec, isBigEndian: Bool
        switch format {
        case .pcm(let pcm): (codec, isBigEndian) = (pcm.kind == .float ? .float32 : .pcm16, pcm.isBigEndian)
        case .packets(let packets): (codec, isBigEndian) = (packets.codec, true)
        }
        return AudioFileInfo(
            sampleRate: format.sampleRate, channelCount: format.channelCount, frameCount: 0, container: container,
            codec: codec,
            isBigEndian: isBigEndian, channelLabels: nil
        ).fileType
    }

    private func packetTable() throws(StatusError) -> AudioFilePacketTableInfo {
        let priming = try known(priming), packets = try known(data?.packetCount), frames = try framesPerPacket()
        let total = packets.multipliedReportingOverflow(by: frames)
        guard !total.overflow else { throw StatusError(kAudioFileStreamError_ValueUnknown) }
        let valid = total.partialValue - Int64(clamping: priming.leading) - Int64(clamping: priming.trailing)
        return AudioFilePacketTableInfo(
            mNumberValidFrames: max(0, valid), mPrimingFrames: Int32(clamping: priming.leading),
            mRemainderFrames: Int32(clamping: priming.trailing))
    }

    /// Bytes of a packet, of those so far where they differ.
    func averageBytes() throws(StatusError) -> Double {
        let format = try known(format)
        if !format.needsPacketDescriptions { return Double(format.bytesPerPacket) }
        guard packetCount > 0 else { throw StatusError(kAudioFileStreamError_ValueUnknown) }
        return Double(packetBytes) / Double(packetCount)
    }

    private func bitRate() throws(StatusError) -> Double {
        let format = try known(format)
        if !format.needsPacketDescriptions {
            return Double(format.bytesPerPacket * 8) * format.sampleRate / Double(format.framesPerPacket)
        }
        guard packetFrames > 0 else { throw StatusError(kAudioFileStreamError_ValueUnknown) }
        return Double(packetBytes) * 8 * format.sampleRate / Double(packetFrames)
    }

    /// Frames of a packet, where the format tells them.
    func framesPerPacket() throws(StatusError) -> Int64 {
        let frames = try known(format).framesPerPacket
        guard frames > 0 else { throw StatusError(kAudioFileStreamError_ValueUnknown) }
        return Int64(frames)
    }
}

extension StreamedFacts {
    /// Places that follow from packets of one length or size.
    func translation(_ id: AudioFileStreamPropertyID, _ question: PropertyData) throws(StatusError) -> PropertyValue {
        switch id {
        case kAudioFileStreamProperty_PacketToFrame:
            var place = try question.question(AudioFramePacketTranslation())
            let frame = place.mPacket.multipliedReportingOverflow(by: try framesPerPacket())
            guard place.mPacket >= 0, !frame.overflow else {
                throw StatusError(kAudioFileStreamError_InvalidPacketOffset)
            }
            place.mFrame = frame.partialValue
            return .of(place)
        case kAudioFileStreamProperty_FrameToPacket:
            var place = try question.question(AudioFramePacketTranslation())
            let frames = try framesPerPacket()
            guard place.mFrame >= 0 else { throw StatusError(kAudioFileStreamError_InvalidPacketOffset) }
            (place.mPacket, place.mFrameOffsetInPacket) = (
                place.mFrame / frames, UInt32(clamping: place.mFrame % frames)
            )
            return .of(place)
        case kAudioFileStreamProperty_PacketToByte:
            var place = try question.question(AudioBytePacketTranslation())
            let byte = Double(place.mPacket) * (try averageBytes())
            guard place.mPacket >= 0, byte < 9e18 else { throw StatusError(kAudioFileStreamError_InvalidPacketOffset) }
            place.mByte = Int64(byte)
            place.mFlags = try known(format).needsPacketDescriptions ? .bytePacketTranslationFlag_IsEstimate : []
            return .of(place)
        case kAudioFileStreamProperty_ByteToPacket:
            var place = try question.question(AudioBytePacketTranslation())
            let format = try known(format)
            guard !format.needsPacketDescriptions else { throw StatusError(kAudioFileStreamError_ValueUnknown) }
            guard place.mByte >= 0 else { throw StatusError(kAudioFileStreamError_InvalidPacketOffset) }
            let size = Int64(format.bytesPerPacket)
            (place.mPacket, place.mByteOffsetInPacket, place.mFlags) = (
                place.mByte / size, UInt32(clamping: place.mByte % size), []
            )
            return .of(place)
        default: throw StatusError(kAudioFileStreamError_UnsupportedProperty)
        }
    }
}
