// The description chunk of CAF.

import OssicleCodecs

/// Formats as the chunk "desc" keeps them.
enum CafFormat {
    private static let isFloat: UInt32 = 1, isLittleEndian: UInt32 = 2
    /// IMA4 of 1024 channels has packets of 35 kB, a frame of Opus with 255 channels 325 kB. Readers have memory for a
    /// packet.
    private static let largestPacket: UInt32 = 1 << 20

    static func read(_ body: UnsafeRawBufferPointer, _ window: ParserWindow) throws(AudioFileError) -> StreamFormat {
        var cursor = ByteCursor(body)
        guard let rateBits = cursor.big(UInt64.self), let kind = cursor.name(), let flags = cursor.big(UInt32.self),
            let bytes = cursor.big(UInt32.self),
            let frames = cursor.big(UInt32.self), let channels = cursor.big(UInt32.self),
            let depth = cursor.big(UInt32.self),
            case let rate = Double(bitPattern: rateBits), rate > 0, rate.isFinite, (1...1024).contains(channels),
            bytes <= Int32.max, frames <= Int32.max
        else {
            throw window.damaged(
                "a description of \(body.count) bytes without a rate, or not with 1 to 1024 channels",
                rule: "CAF tells both.")
        }
        let channelCount = Int(channels)
        if kind == "lpcm" {
            let size = Int(bytes) / channelCount, bits = Int(depth)
            guard size * channelCount == Int(bytes), (1...8).contains(size), bits > 0, bits <= size * 8, frames == 1,
                flags & isFloat == 0 ? size <= 4 : bits == size * 8 && (size == 4 || size == 8)
            else {
                throw window.unsupported(
                    "linear PCM of \(bits) bits in \(bytes) bytes for \(channels) channels",
                    rule: "CAF is read with integers of up to 32 bits and floats of 32 and 64.")
            }
            return .pcm(
                PCMFormat(
                    sampleRate: rate, channelCount: channelCount, kind: flags & isFloat != 0 ? .float : .signed,
                    bits: bits, bytesPerSample: size,
                    isBigEndian: flags & isLittleEndian == 0 && size > 1, isAlignedHigh: bits < size * 8,
                    isInterleaved: true))
        }
        guard let codec = codec(kind, flags) else {
            throw window.unsupported(
                "the format \"\(kind)\"",
                rule: "CAF is read with linear PCM, Apple Lossless, AAC, FLAC, Opus, MPEG audio, A-law, µ-law and IMA4."
            )
        }
        guard bytes <= largestPacket else {
            throw window.damaged(
                "packets of \(bytes) bytes each", rule: "Packets of one size have at most \(largestPacket) bytes.")
        }
        return .packets(
            PacketFormat(
                codec: codec, sampleRate: rate, channelCount: channelCount, framesPerPacket: Int(frames),
                bytesPerPacket: Int(bytes)))
    }

    /// The chunk's body; `nil` when CAF has no such format.
    static func body(_ format: StreamFormat) -> [UInt8]? {
        guard format.sampleRate > 0, format.sampleRate.isFinite, (1...1024).contains(format.channelCount) else {
            return nil
        }
        var kind: FourCC = "lpcm", flags: UInt32 = 0, bits = 0
        switch format {
        case .pcm(let pcm):
            guard pcm.kind != .unsigned, pcm.bits == pcm.bytesPerSample * 8 || pcm.isAlignedHigh else { return nil }
            flags =
                (pcm.kind == .float ? isFloat : 0) | (pcm.isBigEndian || pcm.bytesPerSample == 1 ? 0 : isLittleEndian)
            bits = pcm.bits
        case .packets(let packets):
            guard AudioContainer.caf.holds(packets.codec), !packets.codec.isLinear else { return nil }
            kind = FourCC(packets.codec.descriptor.formatID)
            flags = packets.codec.descriptor.formatFlags
            bits = packets.codec == .muLaw || packets.codec == .aLaw ? 8 : 0
        }
        var builder = ByteBuilder()
        builder.big(format.sampleRate.bitPattern)
        builder.name(kind)
        for number in [
            flags, UInt32(clamping: format.bytesPerPacket), UInt32(clamping: format.framesPerPacket),
            UInt32(clamping: format.channelCount), UInt32(bits),
        ] {
            builder.big(number)
        }
        return builder.bytes
    }

    /// The 24 bytes of Apple Lossless out of the boxes that older files keep around them; other cookies as they are.
    static func bareCookie(_ cookie: [UInt8]) -> [UInt8] {
        cookie.count >= 48 && Array(cookie[4..<12]) == Array("frmaalac".utf8) ? Array(cookie[24..<48]) : cookie
    }

    /// CAF calls codecs by Core Audio's numbers. Flags that are not known stand for samples of 16 bits.
    private static func codec(_ kind: FourCC, _ flags: UInt32) -> AudioCodec? {
        let named = AudioCodec.allCases.first {
            $0.descriptor.formatID == kind.value && $0.descriptor.formatFlags == flags && !$0.isLinear
        }
        guard let codec = named ?? AudioCodec(formatID: kind.value, flags: 1), AudioContainer.caf.holds(codec) else {
            return nil
        }
        return codec
    }
}
