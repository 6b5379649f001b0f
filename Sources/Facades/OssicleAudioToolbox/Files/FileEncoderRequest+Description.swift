import OssicleCodecs
import OssicleFiles

extension FileEncoderRequest {
    /// The file a client asks for.
    init(path: String, _ type: AudioFileTypeID, _ description: AudioStreamBasicDescription,
         channelLabels: [UInt32]?) throws(StatusError) {
        guard let container = AudioContainer(type: type) else { throw StatusError(kAudioFileUnsupportedFileTypeError) }
        guard let channels = Int(exactly: description.mChannelsPerFrame), (1...65_535).contains(channels), description.mSampleRate.isFinite,
              description.mSampleRate > 0, let codec = AudioCodec(description, in: container) else {
            throw StatusError(kAudioFileUnsupportedDataFormatError)
        }
        let takesBothOrders = [kAudioFileCAFType, kAudioFileAIFCType].contains(type) && codec.isLinear
        self.init(path: path, container: container, codec: codec, sampleRate: description.mSampleRate, channelCount: channels,
                  channelLabels: channelLabels?.count == channels ? channelLabels : nil,
                  isBigEndian: takesBothOrders ? description.mFormatFlags & kAudioFormatFlagIsBigEndian != 0 : nil)
    }
}
