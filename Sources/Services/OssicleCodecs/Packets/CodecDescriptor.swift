// Codecs: how samples are coded, and what the library knows of each.

import OssicleChannels

/// The coding of the samples in a stream or a sound file.
package enum AudioCodec: String, CaseIterable, Sendable {
    case pcm8, pcm8Unsigned, pcm16, pcm24, pcm32, float32, float64
    /// `imaADPCM` is WAVE's form, `ima4` Apple's: packets of 64 frames.
    case muLaw, aLaw, imaADPCM, ima4, microsoftADPCM
    case alac16, alac20, alac24, alac32
    case flac8, flac16, flac24
    case aac, heAAC, heAACv2
    case vorbis, opus, mp1, mp2, mp3
    /// Readable, but not one we name.
    case other

    /// Significant bits of a sample; 0 where the coding has no such number.
    package var bitDepth: Int { descriptor.bitDepth }

    /// The largest magnitude a decoder may give; infinite where samples lie in the file as floating point.
    package var decodedPeak: Double { descriptor.decodedPeak }

    /// Whether samples are kept as they are.
    package var isLossless: Bool { bitDepth > 0 }

    /// Whether samples lie in the stream as they are, without compression.
    package var isLinear: Bool { isFloat || [.pcm8, .pcm8Unsigned, .pcm16, .pcm24, .pcm32].contains(self) }

    /// Whether samples are kept as they are, as integers.
    package var isInteger: Bool { isLossless && !isFloat }

    /// Whether samples are kept as they are, as floating point.
    package var isFloat: Bool { self == .float32 || self == .float64 }

    /// Apple Lossless for samples of `bits`.
    package static func alac(bits: Int) -> AudioCodec {
        bits > 24 ? .alac32 : bits > 20 ? .alac24 : bits > 16 ? .alac20 : .alac16
    }

    /// FLAC for samples of `bits`.
    package static func flac(bits: Int) -> AudioCodec { bits > 16 ? .flac24 : bits > 8 ? .flac16 : .flac8 }
}

/// A codec as the rest of the library sees it. A new codec is a case of `AudioCodec`, a descriptor in
/// `CodecTable.swift` and the files of its encoder and decoder; what a container calls it stands with the container.
package struct CodecDescriptor: Sendable {
    package typealias MakeDecoder = @Sendable (PacketFormat) throws(CodecError) -> any PacketDecoder
    package typealias MakeEncoder = @Sendable (PacketFormat, EncoderSettings) throws(CodecError) -> any PacketEncoder

    /// Its usual name.
    package let name: String
    /// Core Audio's number, which CAF files use too; `????` where there is none.
    package var formatID: UInt32 = 0x3F3F_3F3F
    /// Significant bits of a sample; 0 where the coding has no such number.
    package var bitDepth = 0
    /// How far decoded samples may reach, linear.
    package var decodedPeak = DecodedRange.integerPeak
    /// Frames and bytes of a packet of some channels at a rate, where the codec fixes them; 0 where it does not.
    package var packet: @Sendable (_ sampleRate: Double, _ channelCount: Int) -> (frames: Int, bytes: Int) = { _, _ in
        (0, 0)
    }
    /// The largest packet of some channels in bytes, where a standard limits it; `nil` where samples do.
    package var largestPacket: @Sendable (_ channelCount: Int) -> Int? = { _ in nil }
    /// The order in which the codec keeps some channels; `nil` where it has none of its own.
    package var order: @Sendable (_ channelCount: Int) -> [UInt32]? = { _ in nil }
    package var decoder: MakeDecoder?
    package var encoder: MakeEncoder?
    /// What the encoder can do at a rate with some channels; `nil` when there is no such encoder.
    package var encoderRange: @Sendable (_ sampleRate: Double, _ channelCount: Int) -> EncoderRange? = { _, _ in nil }
    /// What to do instead where there is no encoder or decoder.
    package var cure = "Read or write it as a whole sound file, or choose Apple Lossless, FLAC, Opus or AAC."

    /// The flags of Core Audio's format: for lossless codecs the depth of the samples they were made of.
    package var formatFlags: UInt32 { SourceDepth.flag(bitDepth, of: formatID) }
}

extension AudioCodec {
    package var descriptor: CodecDescriptor { Self.descriptors[self] ?? CodecDescriptor(name: rawValue) }

    private static let descriptors = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.described) })

    /// The codec of a compressed stream with Core Audio's number and flags; `nil` for one not known here. A lossless
    /// stream that does not tell its depth has 16 bits.
    package init?(formatID: UInt32, flags: UInt32) {
        switch formatID {
        case SourceDepth.appleLossless: self = .alac(bits: SourceDepth.bits(flags, of: formatID) ?? 16)
        case SourceDepth.flac: self = .flac(bits: SourceDepth.bits(flags, of: formatID) ?? 16)
        default:
            let codec = Self.allCases.first { !$0.isLinear && $0 != .other && $0.descriptor.formatID == formatID }
            guard let codec else { return nil }
            self = codec
        }
    }
}

/// The depth of the samples that a lossless stream was made of, in the flags of its format.
package enum SourceDepth {
    package static let appleLossless: UInt32 = 0x616C_6163, flac: UInt32 = 0x666C_6163
    private static let depths: [(bits: Int, flag: UInt32)] = [(16, 1), (20, 2), (24, 3), (32, 4)]

    /// The flag for `bits`; 0 where there is none, and for formats without.
    package static func flag(_ bits: Int, of formatID: UInt32) -> UInt32 {
        isLossless(formatID) ? depths.first { $0.bits == bits }?.flag ?? 0 : 0
    }

    /// The flag for the least depth that keeps `bits`; 0 for formats without.
    package static func flag(keeping bits: Int, of formatID: UInt32) -> UInt32 {
        isLossless(formatID) ? depths.first { $0.bits >= bits }?.flag ?? 4 : 0
    }

    /// The depth that `flags` of a format tell.
    package static func bits(_ flags: UInt32, of formatID: UInt32) -> Int? {
        isLossless(formatID) ? depths.first { $0.flag == flags }?.bits : nil
    }

    private static func isLossless(_ formatID: UInt32) -> Bool { [flac, appleLossless].contains(formatID) }
}
