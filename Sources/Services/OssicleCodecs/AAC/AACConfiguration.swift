// What an AAC decoder needs to begin: ISO/IEC 14496-3, AudioSpecificConfig.

/// The configuration of an AAC stream, found in an AudioSpecificConfig or in the ES descriptor around one.
package struct AACConfiguration: Equatable, Sendable {
    /// The bare configuration.
    package let audioSpecificConfig: [UInt8]
    /// The audio object type of the core: 2 is AAC-LC.
    package private(set) var objectType = 0
    /// Frames per second of the core, in hertz; spectral band replication doubles it.
    package private(set) var coreSampleRate = 0.0
    /// 0 when the stream states its channels in a program config element; else the number of the standard's table.
    package private(set) var channelConfiguration = 0
    /// Channels that are coded; 0 when not stated. Parametric stereo makes two of one.
    package private(set) var codedChannelCount = 0
    /// Frames of the core in a packet: 1024 or 960.
    package private(set) var coreFramesPerPacket = 1024
    /// Whether the configuration tells of spectral band replication (HE-AAC).
    package private(set) var isSBR = false
    /// Whether it tells of parametric stereo (HE-AAC v2).
    package private(set) var isPS = false
    /// The rate with spectral band replication, in hertz.
    private var extensionSampleRate = 0.0

    /// Frames per second of what a decoder gives, in hertz.
    package var sampleRate: Double { isSBR ? extensionSampleRate : coreSampleRate }
    /// Channels of what a decoder gives; 0 when not stated.
    package var channelCount: Int { isPS ? max(codedChannelCount, 2) : codedChannelCount }
    /// Frames of what a decoder gives for a packet.
    package var framesPerPacket: Int { coreFramesPerPacket * (isSBR && sampleRate == 2 * coreSampleRate ? 2 : 1) }
    /// Which AAC it is.
    package var codec: AudioCodec { isPS ? .heAACv2 : isSBR ? .heAAC : .aac }

    /// Reads an AudioSpecificConfig, an ES descriptor or an `esds` box; `nil` when the bytes are none of these.
    package init?(cookie: [UInt8]) {
        audioSpecificConfig = ESDescriptor.decoderSpecificInfo(in: cookie) ?? cookie
        let isWhole = audioSpecificConfig.withUnsafeBytes { bytes in
            var bits = BitReader(bytes)
            parse(&bits)
            return !bits.isPastEnd
        }
        guard isWhole, objectType > 0, coreSampleRate > 0, sampleRate > 0 else { return nil }
    }

    /// The ES descriptor (ISO/IEC 14496-1, 7.2.6.5) around the configuration, with bit rates left open.
    package var elementaryStreamDescriptor: [UInt8] { ESDescriptor.build(decoderSpecificInfo: audioSpecificConfig) }
}

extension AACConfiguration {
    private mutating func parse(_ bits: inout BitReader) {
        objectType = Self.readObjectType(&bits)
        coreSampleRate = Self.readSampleRate(&bits)
        channelConfiguration = Int(bits.read(4))
        codedChannelCount =
            channelConfiguration < Self.channelCounts.count ? Self.channelCounts[channelConfiguration] : 0
        if objectType == 5 || objectType == 29 {
            (isSBR, isPS) = (true, objectType == 29)
            extensionSampleRate = Self.readSampleRate(&bits)
            objectType = Self.readObjectType(&bits)
        }
        guard Self.generalAudioTypes.contains(objectType) else { return }
        parseGeneralAudio(&bits)
        if !isSBR, bits.bitsLeft >= 16 { parseExtension(&bits) }
    }

    private mutating func parseGeneralAudio(_ bits: inout BitReader) {
        coreFramesPerPacket = bits.read(1) == 1 ? 960 : 1024
        if bits.read(1) == 1 { bits.skip(14) }
        let hasExtension = bits.read(1) == 1
        if channelConfiguration == 0 { codedChannelCount = Self.readProgramConfig(&bits) }
        if objectType == 6 || objectType == 20 { bits.skip(3) }
        guard hasExtension else { return }
        if objectType == 22 { bits.skip(16) }
        if [17, 19, 20, 23].contains(objectType) { bits.skip(3) }
        bits.skip(1)
    }

    /// The backward compatible way to tell of spectral band replication and parametric stereo, behind the rest.
    private mutating func parseExtension(_ bits: inout BitReader) {
        guard bits.read(11) == 0x2B7, Self.readObjectType(&bits) == 5, bits.read(1) == 1 else { return }
        isSBR = true
        extensionSampleRate = Self.readSampleRate(&bits)
        if bits.bitsLeft >= 12, bits.read(11) == 0x548 { isPS = bits.read(1) == 1 }
    }

    private static let generalAudioTypes: Set = [1, 2, 3, 4, 6, 7, 17, 19, 20, 21, 22, 23]
    private static let channelCounts = [0, 1, 2, 3, 4, 5, 6, 8, 0, 0, 0, 7, 8, 24, 8]
    /// The rates of the standard's table, in hertz.
    package static let sampleRates = [
        96_000.0, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
    ]

    private static func readObjectType(_ bits: inout BitReader) -> Int {
        let type = Int(bits.read(5))
        return type == 31 ? 32 + Int(bits.read(6)) : type
    }

    /// 0 when the number is reserved.
    private static func readSampleRate(_ bits: inout BitReader) -> Double {
        let index = Int(bits.read(4))
        if index == 15 { return Double(bits.read(24)) }
        return index < sampleRates.count ? sampleRates[index] : 0
    }

    /// The channels of a program config element (4.4.1.1); advances behind it.
    private static func readProgramConfig(_ bits: inout BitReader) -> Int {
        let start = bits.position
        bits.skip(4 + 2 + 4)
        let counts = [4, 4, 4, 2, 3, 4].map { Int(bits.read($0)) }
        for width in [4, 4, 3] where bits.read(1) == 1 { bits.skip(width) }
        var channels = counts[3]
        for _ in 0..<counts[0] + counts[1] + counts[2] {
            channels += bits.read(1) == 1 ? 2 : 1
            bits.skip(4)
        }
        bits.skip(4 * counts[3] + 4 * counts[4] + 5 * counts[5])
        bits.skip((8 - bits.position % 8) % 8)
        bits.skip(8 * Int(bits.read(8)))
        return bits.position > start ? channels : 0
    }
}

/// The descriptor of an elementary stream (ISO/IEC 14496-1, 7.2.6): nested pieces of tag, length and content.
enum ESDescriptor {
    private static let stream: UInt8 = 3, decoderConfig: UInt8 = 4, decoderSpecific: UInt8 = 5, syncLayer: UInt8 = 6

    /// What the decoder needs, out of an ES descriptor, a decoder config descriptor or an `esds` box; `nil` when there
    /// is none.
    static func decoderSpecificInfo(in bytes: [UInt8]) -> [UInt8]? {
        var rest = bytes[...]
        if rest.count > 12, Array(rest[4..<8]) == Array("esds".utf8) { rest = rest.dropFirst(12) }
        if rest.count > 4, rest.prefix(4).allSatisfy({ $0 == 0 }) { rest = rest.dropFirst(4) }
        return find(rest)
    }

    private static func find(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = bytes
        while let tag = rest.popFirst(), let length = readLength(&rest) {
            var content = rest.prefix(length)
            rest = rest.dropFirst(length)
            switch tag {
            case stream:
                guard content.count >= 3 else { return nil }
                let flags = content[content.startIndex + 2]
                content = content.dropFirst(3 + (flags & 0x80 != 0 ? 2 : 0))
                if flags & 0x40 != 0, let urlLength = content.popFirst() { content = content.dropFirst(Int(urlLength)) }
                return find(content.dropFirst(flags & 0x20 != 0 ? 2 : 0))
            case decoderConfig: return find(content.dropFirst(13))
            case decoderSpecific: return content.isEmpty ? nil : Array(content)
            default: continue
            }
        }
        return nil
    }

    /// Seven bits a byte, the highest of which tells that another follows; four bytes at most.
    private static func readLength(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        var length = 0
        for _ in 0..<4 {
            guard let byte = bytes.popFirst() else { return nil }
            length = length << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { return length }
        }
        return nil
    }

    /// An ES descriptor for MPEG-4 audio.
    static func build(decoderSpecificInfo: [UInt8]) -> [UInt8] {
        let mpeg4Audio: UInt8 = 0x40, audioStream: UInt8 = 5 << 2 | 1
        let config =
            [mpeg4Audio, audioStream] + [UInt8](repeating: 0, count: 11) + piece(decoderSpecific, decoderSpecificInfo)
        return piece(stream, [0, 0, 0] + piece(decoderConfig, config) + piece(syncLayer, [2]))
    }

    private static func piece(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count
        return [tag] + [21, 14, 7].map { 0x80 | UInt8(truncatingIfNeeded: length >> $0) } + [UInt8(length & 0x7F)]
            + content
    }
}
