// Between packets, frames and bytes of a streamed file.

import OssicleCodecs

extension StreamedFacts {
    /// Places that follow from packets of one length or size.
    func translation(_ id: AudioFileStreamPropertyID, _ question: PropertyData) throws(StatusError) -> PropertyValue {
        switch id {
        case kAudioFileStreamProperty_PacketToFrame:
            var place = try question.question(AudioFramePacketTranslation())
            let frame = place.mPacket.multipliedReportingOverflow(by: try framesPerPacket())
            guard place.mPacket >= 0, !frame.overflow else { throw StatusError(kAudioFileStreamError_InvalidPacketOffset) }
            place.mFrame = frame.partialValue
            return .of(place)
        case kAudioFileStreamProperty_FrameToPacket:
            var place = try question.question(AudioFramePacketTranslation())
            let frames = try framesPerPacket()
            guard place.mFrame >= 0 else { throw StatusError(kAudioFileStreamError_InvalidPacketOffset) }
            (place.mPacket, place.mFrameOffsetInPacket) = (place.mFrame / frames, UInt32(clamping: place.mFrame % frames))
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
            (place.mPacket, place.mByteOffsetInPacket, place.mFlags) = (place.mByte / size, UInt32(clamping: place.mByte % size), [])
            return .of(place)
        default: throw StatusError(kAudioFileStreamError_UnsupportedProperty)
        }
    }
}
