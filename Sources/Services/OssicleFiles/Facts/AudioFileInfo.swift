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
    /// One label per channel, numbered as in the channel layout chunk of the Core Audio Format specification; `nil`
    /// when the file does not tell.
    package var channelLabels: [UInt32]?

    package init(
        sampleRate: Double, channelCount: Int, frameCount: Int64, container: AudioContainer, codec: AudioCodec,
        isBigEndian: Bool,
        channelLabels: [UInt32]?
    ) {
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

extension AudioFileInfo {
    /// The stream as it lies in the file.
    package var streamFormat: StreamFormat {
        if codec.isLinear {
            let kind: PCMFormat.Kind = codec.isFloat ? .float : codec == .pcm8Unsigned ? .unsigned : .signed
            return .pcm(
                PCMFormat(
                    sampleRate: sampleRate, channelCount: channelCount, kind: kind, bits: bitDepth,
                    isBigEndian: isBigEndian, isInterleaved: true, channelLabels: channelLabels))
        }
        let packet = codec.descriptor.packet(sampleRate, channelCount)
        return .packets(
            PacketFormat(
                codec: codec, sampleRate: sampleRate, channelCount: channelCount, framesPerPacket: packet.frames,
                bytesPerPacket: packet.bytes, channelLabels: channelLabels))
    }

    /// Core Audio's type, finer than the container: AIFF-C is what AIFF cannot hold, and MPEG audio has a type for each
    /// layer.
    package var fileType: UInt32 {
        switch (container, codec) {
        case (.aiff, _): codec.isInteger && codec.isLinear && isBigEndian ? AudioFileType.aiff : AudioFileType.aifc
        case (.mpeg, .mp1): FourCC("MPG1").value
        case (.mpeg, .mp2): FourCC("MPG2").value
        default: container.fileType
        }
    }
}

/// What is wrong with a sound file that can be read nevertheless.
package struct AudioFileWarning: Equatable, Sendable {
    package enum Kind: Sendable {
        /// Its header and its bytes tell different lengths, or a part of it is left out; known when it is opened.
        case shape
        /// Frames it tells of were not there when they were read.
        case missing
        /// Samples were not finite; the text tells how many, so far.
        case notFinite
    }

    package let kind: Kind
    /// A sentence without its full stop whose subject, "it", is the file.
    package let text: String
}

/// What a sound file says about its content.
package struct AudioMetadata: Equatable, Sendable {
    package var title: String?
    package var artist: String?
    package var album: String?
    package var comment: String?
    package var date: String?
    package var genre: String?
    package var trackNumber: String?
    package var copyright: String?
    package var encodingApplication: String?

    package init() {}

    package var isEmpty: Bool { self == AudioMetadata() }
}

/// What sound files can be read, as every message, help text and document lists it.
package enum SoundFormats {
    /// The last two with the package trait FFmpeg only.
    package static let readable = [
        "WAV", "RF64", "W64", "AIFF", "CAF", "AU", "FLAC", "Apple Lossless", "MP3", "Ogg Vorbis", "Ogg Opus", "AAC",
        "M4A",
    ]

    /// "Readable are WAV, … and M4A."
    package static let sentence =
        "Readable are \(readable.dropLast().joined(separator: ", ")) and \(readable[readable.count - 1])\(condition)."

    #if FFmpeg
    private static let condition = ""
    #else
    private static let condition = ", the last two with the package trait FFmpeg"
    #endif
}
