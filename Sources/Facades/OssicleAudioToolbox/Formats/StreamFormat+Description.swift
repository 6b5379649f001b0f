import OssicleChannels
import OssicleCodecs
import OssicleCoreAudioTypes
import OssicleFiles
import OssicleProperties

/// The services read and write the fields.
extension AudioStreamBasicDescription: StreamDescription {}

extension StreamFormat {
    /// The description of this format.
    var description: AudioStreamBasicDescription { described() }

    /// The format as the one way to decode the stream.
    var listItem: AudioFormatListItem {
        let known = channelLabels.flatMap { ChannelOrder.tag(for: $0) }
        let tag = known ?? ChannelLayoutBytes.tag(ofUnnamed: channelCount, in: kAudioChannelLayoutTag_Unknown)
        return AudioFormatListItem(mASBD: description, mChannelLayoutTag: tag)
    }
}

extension FileEncoderRequest {
    /// The file a client asks for.
    init(
        path: String, _ type: AudioFileTypeID, description: AudioStreamBasicDescription,
        channelLabels: [UInt32]?
    ) throws(StatusError) {
        guard let container = AudioContainer(type: type) else { throw StatusError(kAudioFileUnsupportedFileTypeError) }
        guard let channels = Int(exactly: description.mChannelsPerFrame), (1...65_535).contains(channels),
            description.mSampleRate.isFinite,
            description.mSampleRate > 0, let codec = AudioCodec(description, inFileOf: type)
        else {
            throw StatusError(kAudioFileUnsupportedDataFormatError)
        }
        let isBig = description.mFormatFlags & kAudioFormatFlagIsBigEndian != 0
        guard type != kAudioFileAIFCType || !codec.isFloat || isBig else {
            throw StatusError(kAudioFileUnsupportedDataFormatError)
        }
        // AIFF-C has one order of floating point, and single bytes have none.
        let takesBothOrders =
            codec.isLinear
            && (type == kAudioFileCAFType || (type == kAudioFileAIFCType && codec.isInteger && codec.bitDepth > 8))
        self.init(
            path: path, container: container, codec: codec, sampleRate: description.mSampleRate, channelCount: channels,
            channelLabels: channelLabels?.count == channels ? channelLabels : nil,
            isBigEndian: takesBothOrders ? isBig : nil)
    }
}
