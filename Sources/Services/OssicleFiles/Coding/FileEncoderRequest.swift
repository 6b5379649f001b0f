import OssicleCodecs

/// What a sound file to be written is to be.
package struct FileEncoderRequest: Sendable {
    package var path: String
    package var container: AudioContainer
    package var codec: AudioCodec
    /// In hertz.
    package var sampleRate: Double
    package var channelCount: Int
    /// One label per channel, as in `AudioFileInfo`, in the order in which planes come; an encoder puts them into the file's own order where it has one.
    package var channelLabels: [UInt32]?
    package var settings: EncoderSettings
    package var metadata: AudioMetadata
    /// Whether linear samples are to lie most significant byte first; `nil` leaves the container's own order. CAF, WAV (as RIFX), AIFF (16 and
    /// more bits) and AU take both.
    package var isBigEndian: Bool?

    package init(path: String, container: AudioContainer, codec: AudioCodec, sampleRate: Double, channelCount: Int, channelLabels: [UInt32]? = nil,
                 settings: EncoderSettings = EncoderSettings(), metadata: AudioMetadata = AudioMetadata(), isBigEndian: Bool? = nil) {
        self.path = path
        self.container = container
        self.codec = codec
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.channelLabels = channelLabels
        self.settings = settings
        self.metadata = metadata
        self.isBigEndian = isBigEndian
    }
}
