// Containers: how a file wraps its samples.

import OssicleCodecs

/// The container of a sound file.
package enum AudioContainer: String, CaseIterable, Sendable {
    case wav, rf64, wave64, aiff, caf, flac, ogg, mpeg, au
    /// `mpeg4` is the family of M4A; `adts` is a bare stream of AAC.
    case mpeg4, adts
    /// Readable, but not one we name.
    case other
}

/// A type of file as Core Audio numbers it; a container may have several.
package struct AudioFileType: Sendable {
    package let id: UInt32
    package let container: AudioContainer
    package let name: String

    private init(_ id: FourCC, _ container: AudioContainer, name: String) {
        self.id = id.value
        self.container = container
        self.name = name
    }

    package static let aiff = FourCC("AIFF").value, aifc = FourCC("AIFC").value, caf = FourCC("caff").value

    /// The first of a container is the usual one.
    package static let all = [
        AudioFileType("WAVE", .wav, name: "WAVE"), AudioFileType("RF64", .rf64, name: "RF64"),
        AudioFileType("BW64", .rf64, name: "BW64"),
        AudioFileType("W64f", .wave64, name: "Wave64"), AudioFileType("AIFF", .aiff, name: "AIFF"),
        AudioFileType("AIFC", .aiff, name: "AIFC"), AudioFileType("caff", .caf, name: "CAF"),
        AudioFileType("flac", .flac, name: "FLAC"),
        AudioFileType("MPG3", .mpeg, name: "MPEG Layer 3"), AudioFileType("MPG2", .mpeg, name: "MPEG Layer 2"),
        AudioFileType("MPG1", .mpeg, name: "MPEG Layer 1"), AudioFileType("NeXT", .au, name: "NeXT/Sun"),
        AudioFileType("m4af", .mpeg4, name: "Apple MPEG-4 Audio"), AudioFileType("mp4f", .mpeg4, name: "MPEG-4 Audio"),
        AudioFileType("m4bf", .mpeg4, name: "Apple MPEG-4 Audio Books"),
        AudioFileType("3gpp", .mpeg4, name: "3GP Audio"),
        AudioFileType("3gp2", .mpeg4, name: "3GP-2 Audio"), AudioFileType("adts", .adts, name: "AAC ADTS"),
    ]

    /// Whether files of type `id` can hold `codec`: AIFF holds integers of 8 to 32 bits alone, AIFF-C floating point
    /// and compressed sound as well.
    package static func holds(_ id: UInt32, _ codec: AudioCodec) -> Bool {
        guard let container = AudioContainer(type: id), container.holds(codec) else { return false }
        return id != aiff || [.pcm8, .pcm16, .pcm24, .pcm32].contains(codec)
    }
}

extension AudioContainer {
    /// The container of a file type; `nil` for one not known here.
    package init?(type: UInt32) {
        guard let container = AudioFileType.all.first(where: { $0.id == type })?.container else { return nil }
        self = container
    }

    /// The container files with this extension have; `nil` for one not known here.
    package init?(pathExtension: String) {
        let ending = pathExtension.lowercased()
        guard let container = Self.extensions.first(where: { $0.endings.contains(ending) })?.container else {
            return nil
        }
        self = container
    }

    /// The type that files with this extension have: AIFF-C has one of its own beside AIFF's.
    package static func fileType(pathExtension: String) -> UInt32? {
        pathExtension.lowercased() == "aifc"
            ? AudioFileType.aifc : AudioContainer(pathExtension: pathExtension)?.fileType
    }

    /// Core Audio's usual file type; 0 where it has none.
    package var fileType: UInt32 { AudioFileType.all.first { $0.container == self }?.id ?? 0 }

    package static let extensions: [(endings: [String], container: AudioContainer)] = [
        (["wav", "wave"], .wav), (["rf64", "bw64"], .rf64), (["w64"], .wave64), (["aif", "aiff", "aifc"], .aiff),
        (["caf"], .caf), (["flac"], .flac),
        (["mp3", "mp2", "mp1"], .mpeg), (["ogg", "oga", "opus"], .ogg), (["au", "snd"], .au),
        (["m4a", "m4b", "mp4", "m4r", "3gp", "3g2"], .mpeg4),
        (["aac", "adts"], .adts),
    ]

    /// Whether files of this kind can hold `codec`.
    package func holds(_ codec: AudioCodec) -> Bool {
        switch self {
        case .wav, .rf64, .wave64: codec.isLinear || [.muLaw, .aLaw, .imaADPCM, .microsoftADPCM].contains(codec)
        case .aiff: codec.isLinear || [.muLaw, .aLaw, .ima4].contains(codec)
        case .au: codec.isLinear || [.muLaw, .aLaw].contains(codec)
        case .caf: ![.vorbis, .imaADPCM, .microsoftADPCM, .other].contains(codec)
        case .flac: [.flac8, .flac16, .flac24].contains(codec)
        case .ogg: [.vorbis, .opus].contains(codec)
        case .mpeg: [.mp1, .mp2, .mp3].contains(codec)
        case .mpeg4: [.aac, .heAAC, .heAACv2, .alac16, .alac20, .alac24, .alac32].contains(codec)
        case .adts: [.aac, .heAAC, .heAACv2].contains(codec)
        case .other: false
        }
    }
}

extension AudioCodec {
    /// The codec by which `description` is kept in `container`; `nil` where they do not go together. Linear PCM takes
    /// the container's own byte order and its own kind of 8-bit sample.
    package init?(_ description: some StreamDescription, in container: AudioContainer) {
        let codec =
            description.isLinearPCM
            ? Self.linear(description, container)
            : AudioCodec(formatID: description.mFormatID, flags: description.mFormatFlags)
        guard let codec, container.holds(codec) else { return nil }
        self = codec
    }

    /// The codec by which `description` is kept in a file of `type`, which may be narrower than its container.
    package init?(_ description: some StreamDescription, inFileOf type: UInt32) {
        guard let container = AudioContainer(type: type), let codec = AudioCodec(description, in: container),
            AudioFileType.holds(type, codec)
        else { return nil }
        self = codec
    }

    private static func linear(_ description: some StreamDescription, _ container: AudioContainer) -> AudioCodec {
        switch (description.isFloat, description.mBitsPerChannel) {
        case (true, 64): .float64
        case (true, _): .float32
        case (_, ...8): [.wav, .rf64, .wave64].contains(container) ? .pcm8Unsigned : .pcm8
        case (_, 17...24): .pcm24
        case (_, 25...): .pcm32
        default: .pcm16
        }
    }
}

/// A name of four characters, as chunks and boxes carry it.
struct FourCC: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    let value: UInt32

    init(_ value: UInt32) { self.value = value }

    init(stringLiteral text: StaticString) {
        value = text.withUTF8Buffer { $0.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// The characters; a question mark for those that are not ASCII.
    var description: String {
        String(
            decoding: stride(from: 24, through: 0, by: -8).map { shift in
                let byte = UInt8(truncatingIfNeeded: value >> UInt32(shift))
                return (0x20...0x7E).contains(byte) ? byte : 0x3F
            }, as: UTF8.self)
    }
}
