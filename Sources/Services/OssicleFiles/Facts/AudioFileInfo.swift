// What a sound file is, without its samples.

import OssicleCodecs

/// The facts of a sound file.
package struct AudioFileInfo: Equatable, Sendable {
    /// Frames per second, in hertz.
    package var sampleRate: Double
    package var channelCount: Int
    /// Length in frames, as the file tells it. A damaged file may hold fewer; `ResidentAudio` counts what is there.
    package var frameCount: Int64
    package var container: AudioContainer
    package var codec: AudioCodec
    /// Whether samples lie in the file most significant byte first.
    package var isBigEndian: Bool
    /// One label per channel, numbered as in the channel layout chunk of the Core Audio Format specification; `nil` when the
    /// file does not tell.
    package var channelLabels: [UInt32]?

    package init(sampleRate: Double, channelCount: Int, frameCount: Int64, container: AudioContainer, codec: AudioCodec, isBigEndian: Bool,
                 channelLabels: [UInt32]?) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.frameCount = frameCount
        self.container = container
        self.codec = codec
        self.isBigEndian = isBigEndian
        self.channelLabels = channelLabels
    }

    /// Significant bits of a sample; 0 where the coding has no such number.
    package var bitDepth: Int { codec.bitDepth }
    /// Length in seconds.
    package var duration: Double { sampleRate > 0 ? Double(frameCount) / sampleRate : 0 }
}

/// Tells what a sound file is, without decoding it.
package enum AudioFileProbe {
    /// The facts of the file at `path`, or an error that tells why it is no readable sound file.
    package static func probe(path: String) throws(AudioFileError) -> AudioFileInfo {
        try AudioFileReader(path: path).info
    }
}
