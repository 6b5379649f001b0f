// The properties of a file being read.

import OssicleChannels
import OssicleCodecs
import OssicleFiles
import OssicleProperties

extension PacketFileReader {
    /// The value of a property; `question` is what the client wrote into the place for the answer.
    func property(_ id: AudioFilePropertyID, _ question: PropertyData) throws(StatusError) -> PropertyValue {
        switch id {
        case kAudioFilePropertyFileFormat: return .of(info.fileType)
        case kAudioFilePropertyDataFormat: return .of(format.description)
        case kAudioFilePropertyFormatList: return .of(format.listItem)
        case kAudioFilePropertyDataFormatName: return .text(format.name)
        case kAudioFilePropertyIsOptimized, kAudioFilePropertyAudioTrackCount: return .of(UInt32(1))
        case kAudioFilePropertyDeferSizeUpdates: return .of(UInt32(0))
        case kAudioFilePropertyReserveDuration: return .of(Float64(0))
        case kAudioFilePropertyAudioDataByteCount: return .of(UInt64(clamping: dataByteCount))
        case kAudioFilePropertyAudioDataPacketCount: return .of(UInt64(clamping: packetCount))
        case kAudioFilePropertyMaximumPacketSize: return .of(UInt32(clamping: maximumPacketSize))
        case kAudioFilePropertyPacketSizeUpperBound: return .of(UInt32(clamping: packetSizeUpperBound))
        case kAudioFilePropertyDataOffset: return .of(dataOffset)
        case kAudioFilePropertyChannelLayout:
            return ChannelLayoutBytes.layout(of: format.channelLabels, channelCount: format.channelCount)
        case kAudioFilePropertyEstimatedDuration: return .of(estimatedDuration)
        case kAudioFilePropertyBitRate: return .of(UInt32(clamping: bitRate))
        case kAudioFilePropertyInfoDictionary: return .object(metadata.dictionary(duration: estimatedDuration))
        case kAudioFilePropertySourceBitDepth where info.bitDepth > 0:
            return .of(Int32(clamping: info.codec.isFloat ? -info.bitDepth : info.bitDepth))
        case kAudioFilePropertyMagicCookieData where format.packets?.cookie.isEmpty == false:
            return .bytes(format.packets?.cookie ?? [])
        case kAudioFilePropertyPacketTableInfo where !format.isPCM:
            return .of(
                AudioFilePacketTableInfo(
                    mNumberValidFrames: info.frameCount, mPrimingFrames: Int32(clamping: primingFrames),
                    mRemainderFrames: Int32(clamping: remainderFrames)))
        default: return try translation(id, question)
        }
    }

    private func translation(_ id: AudioFilePropertyID, _ question: PropertyData) throws(StatusError) -> PropertyValue {
        switch id {
        case kAudioFilePropertyPacketToFrame, kAudioFilePropertyFrameToPacket:
            let asked = try question.question(AudioFramePacketTranslation())
            return .of(id == kAudioFilePropertyPacketToFrame ? try frame(asked) : try packet(asked))
        case kAudioFilePropertyPacketToByte, kAudioFilePropertyByteToPacket:
            let asked = try question.question(AudioBytePacketTranslation())
            return .of(id == kAudioFilePropertyPacketToByte ? try byte(asked) : try packet(asked))
        default: throw StatusError(kAudioFileUnsupportedPropertyError)
        }
    }

    private func frame(_ asked: AudioFramePacketTranslation) throws(StatusError) -> AudioFramePacketTranslation {
        guard let frame = try StatusError.file({ () throws(AudioFileError) in try firstFrame(ofPacket: asked.mPacket) })
        else {
            throw StatusError(kAudioFileInvalidPacketOffsetError)
        }
        return AudioFramePacketTranslation(mFrame: frame, mPacket: asked.mPacket, mFrameOffsetInPacket: 0)
    }

    private func packet(_ asked: AudioFramePacketTranslation) throws(StatusError) -> AudioFramePacketTranslation {
        guard let place = try StatusError.file({ () throws(AudioFileError) in try packet(holdingFrame: asked.mFrame) })
        else {
            throw StatusError(kAudioFilePositionError)
        }
        return AudioFramePacketTranslation(
            mFrame: asked.mFrame, mPacket: place.packet, mFrameOffsetInPacket: UInt32(clamping: place.frameInPacket))
    }

    private func byte(_ asked: AudioBytePacketTranslation) throws(StatusError) -> AudioBytePacketTranslation {
        guard let byte = try StatusError.file({ () throws(AudioFileError) in try byteOffset(ofPacket: asked.mPacket) })
        else {
            throw StatusError(kAudioFileInvalidPacketOffsetError)
        }
        return AudioBytePacketTranslation(mByte: byte, mPacket: asked.mPacket, mByteOffsetInPacket: 0, mFlags: [])
    }

    private func packet(_ asked: AudioBytePacketTranslation) throws(StatusError) -> AudioBytePacketTranslation {
        guard let place = try StatusError.file({ () throws(AudioFileError) in try packet(holdingByte: asked.mByte) })
        else {
            throw StatusError(kAudioFilePositionError)
        }
        return AudioBytePacketTranslation(
            mByte: asked.mByte, mPacket: place.packet, mByteOffsetInPacket: UInt32(clamping: place.byteInPacket),
            mFlags: [])
    }
}
