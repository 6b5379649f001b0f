// The answers about formats.

import OssicleChannels
import OssicleCodecs
import OssicleProperties

/// Answers what is asked of formats.
enum FormatQuestion {
    /// - Parameter question: what the client wrote into the place for the answer; `nil` when only the size matters.
    static func answer(
        _ id: AudioFormatPropertyID, _ specifier: PropertyData, question: PropertyData?
    ) throws(StatusError) -> PropertyValue {
        switch id {
        case kAudioFormatProperty_FormatInfo:
            guard let question else { return .of(AudioStreamBasicDescription()) }
            return .of(try filled(try question.value(), cookie: Array(specifier.bytes)))
        case kAudioFormatProperty_FormatName: return .text(try format(specifier).name)
        case kAudioFormatProperty_FormatIsVBR: return .of(UInt32(try format(specifier).bytesPerPacket == 0 ? 1 : 0))
        case kAudioFormatProperty_FormatIsExternallyFramed:
            return .of(UInt32(try format(specifier).needsPacketDescriptions ? 1 : 0))
        case kAudioFormatProperty_FormatList: return .of(try listItem(specifier))
        case kAudioFormatProperty_FirstPlayableFormatFromList: return .of(try firstPlayable(specifier.list()))
        case kAudioFormatProperty_EncodeFormatIDs: return .list(encodedIDs)
        case kAudioFormatProperty_DecodeFormatIDs: return .list(decodedIDs)
        case kAudioFormatProperty_ASBDFromESDS:
            guard let configuration = AACConfiguration(cookie: Array(specifier.bytes)) else {
                throw StatusError(kAudioFormatUnknownFormatError)
            }
            return .of(configuration.description)
        case kAudioFormatProperty_ChannelLayoutForTag:
            let tag: AudioChannelLayoutTag = try specifier.value()
            guard let labels = ChannelOrder.labels(for: tag) else {
                throw StatusError(kAudioFormatUnknownFormatError)
            }
            return ChannelLayoutBytes.described(labels)
        case kAudioFormatProperty_TagForChannelLayout:
            guard let tag = ChannelOrder.tag(for: try labels(specifier)) else {
                throw StatusError(kAudioFormatUnknownFormatError)
            }
            return .of(tag)
        case kAudioFormatProperty_NumberOfChannelsForLayout: return .of(UInt32(clamping: try labels(specifier).count))
        default: throw StatusError(kAudioFormatUnsupportedPropertyError)
        }
    }

    private static func format(_ specifier: PropertyData) throws(StatusError) -> StreamFormat {
        var description: AudioStreamBasicDescription = try specifier.value()
        if description.mSampleRate == 0 { description.mSampleRate = 44_100 }
        if description.mChannelsPerFrame == 0 { description.mChannelsPerFrame = 2 }
        guard let format = StreamFormat(description) else { throw StatusError(kAudioFormatUnknownFormatError) }
        return format
    }

    private static func labels(_ specifier: PropertyData) throws(StatusError) -> [AudioChannelLabel] {
        guard let labels = ChannelLayoutBytes.labels(specifier.bytes) else {
            throw StatusError(kAudioFormatBadSpecifierSizeError)
        }
        return labels
    }

    /// Fills the fields that are 0 and follow from the others, or from the cookie.
    private static func filled(
        _ description: AudioStreamBasicDescription, cookie: [UInt8]
    ) throws(StatusError) -> AudioStreamBasicDescription {
        var filled = description
        if description.mFormatID == kAudioFormatLinearPCM {
            let samples =
                description.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0
                ? max(1, description.mChannelsPerFrame) : 1
            let bytes = description.mBitsPerChannel.addingReportingOverflow(7).partialValue / 8
            if filled.mBytesPerFrame == 0 {
                filled.mBytesPerFrame = samples.multipliedReportingOverflow(by: bytes).partialValue
            }
            if filled.mFramesPerPacket == 0 { filled.mFramesPerPacket = 1 }
            if filled.mBytesPerPacket == 0 { filled.mBytesPerPacket = filled.mBytesPerFrame }
            return filled
        }
        if [kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2].contains(description.mFormatID),
            let configuration = AACConfiguration(cookie: cookie)
        {
            return configuration.description
        }
        if filled.mChannelsPerFrame == 0 { filled.mChannelsPerFrame = 2 }
        if filled.mSampleRate == 0 { filled.mSampleRate = 44_100 }
        guard let format = StreamFormat(filled) else { throw StatusError(kAudioFormatUnknownFormatError) }
        filled = format.description
        (filled.mSampleRate, filled.mChannelsPerFrame) = (description.mSampleRate, description.mChannelsPerFrame)
        if description.mChannelsPerFrame == 0 { (filled.mBytesPerPacket, filled.mBytesPerFrame) = (0, 0) }
        return filled
    }

    private static func listItem(_ specifier: PropertyData) throws(StatusError) -> AudioFormatListItem {
        let info: AudioFormatInfo = try specifier.value()
        let cookie = UnsafeRawBufferPointer(start: info.mMagicCookie, count: Int(info.mMagicCookieSize))
        guard let format = StreamFormat(try filled(info.mASBD, cookie: Array(cookie))) else {
            throw StatusError(kAudioFormatUnknownFormatError)
        }
        return format.listItem
    }

    private static func firstPlayable(_ items: [AudioFormatListItem]) throws(StatusError) -> UInt32 {
        guard let index = items.firstIndex(where: { decodedIDs.contains($0.mASBD.mFormatID) }) else {
            throw StatusError(kAudioFormatUnsupportedDataFormatError)
        }
        return UInt32(clamping: index)
    }

    private static let encodedIDs = ids { Codecs.encoderRange($0, sampleRate: 48_000, channelCount: 2) != nil }
    private static let decodedIDs = ids { hasDecoder($0) }

    /// A decoder that misses its cookie is there all the same.
    private static func hasDecoder(_ codec: AudioCodec) -> Bool {
        do throws(CodecError) {
            _ = try Codecs.makeDecoder(PacketFormat(codec: codec, sampleRate: 48_000, channelCount: 2))
            return true
        } catch {
            return ![.unsupported, .traitOff].contains(error.kind)
        }
    }

    private static func ids(_ isThere: (AudioCodec) -> Bool) -> [AudioFormatID] {
        var ids = [kAudioFormatLinearPCM]
        for codec in AudioCodec.allCases where !codec.isLinear && codec != .other && isThere(codec) {
            if !ids.contains(codec.descriptor.formatID) { ids.append(codec.descriptor.formatID) }
        }
        return ids
    }
}

extension AACConfiguration {
    /// The format of the stream that begins with this configuration.
    fileprivate var description: AudioStreamBasicDescription {
        let packets = PacketFormat(
            codec: codec, sampleRate: sampleRate, channelCount: channelCount, framesPerPacket: framesPerPacket)
        return StreamFormat.packets(packets).description
    }
}
