// The "fmt " chunk of WAVE.

import OssicleChannels
import OssicleCodecs

/// Reads and writes what the chunk tells, in the plain and the extensible form.
enum WaveFormat {
    /// What the extensible form's subformat holds behind its first two bytes.
    private static let subformat: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    private static let extensible: UInt16 = 0xFFFE

    static func read(_ body: UnsafeRawBufferPointer, _ window: ParserWindow) throws(AudioFileError) -> StreamFormat {
        var cursor = ByteCursor(body)
        guard var tag = cursor.little(UInt16.self), let channels = cursor.little(UInt16.self),
            let rate = cursor.little(UInt32.self), cursor.skip(4),
            let blockSize = cursor.little(UInt16.self), let depth = cursor.little(UInt16.self), channels > 0, rate > 0,
            blockSize > 0
        else {
            throw window.damaged(
                "a format chunk of \(body.count) bytes without channels, rate or block size",
                rule: "WAVE tells all of them.")
        }
        let extra = cursor.little(UInt16.self) ?? 0
        var bits = Int(depth), labels: [UInt32]?
        var details = cursor
        if tag == extensible, extra >= 22, let valid = cursor.little(UInt16.self),
            let mask = cursor.little(UInt32.self), let kind = cursor.little(UInt16.self)
        {
            tag = kind
            if valid > 0, valid <= depth { bits = Int(valid) }
            labels = ChannelMask.labels(mask, channelCount: Int(channels))
        }
        let channelCount = Int(channels), block = Int(blockSize)
        switch tag {
        case 1, 3:
            let size = block / channelCount
            let isKnown = tag == 1 ? (1...4).contains(size) && bits <= size * 8 && bits > 0 : size == 4 || size == 8
            guard isKnown, size * channelCount == block else { break }
            return .pcm(
                PCMFormat(
                    sampleRate: Double(rate), channelCount: channelCount,
                    kind: tag == 3 ? .float : size == 1 ? .unsigned : .signed,
                    bits: tag == 3 ? size * 8 : bits, bytesPerSample: size, isAlignedHigh: tag == 1 && bits < size * 8,
                    isInterleaved: true,
                    channelLabels: labels))
        case 6, 7:
            guard block == channelCount else { break }
            return packets(tag == 6 ? .aLaw : .muLaw, frames: 1)
        case 0x11, 2:
            guard let frames = details.little(UInt16.self), frames > 0 else { break }
            return packets(tag == 2 ? .microsoftADPCM : .imaADPCM, frames: Int(frames))
        default: break
        }
        func packets(_ codec: AudioCodec, frames: Int) -> StreamFormat {
            .packets(
                PacketFormat(
                    codec: codec, sampleRate: Double(rate), channelCount: channelCount, framesPerPacket: frames,
                    bytesPerPacket: block, channelLabels: labels))
        }
        throw window.unsupported(
            "format tag \(tag) with \(depth) bits and blocks of \(blockSize) bytes for \(channels) channels",
            rule: "WAVE is read with PCM of up to 32 bits, float, A-law, µ-law and ADPCM.")
    }

    /// One or two channels in the usual order need no mask.
    static func needsMask(_ labels: [UInt32]?) -> Bool {
        guard let labels else { return false }
        return ![[42], [3], [1], [1, 2]].contains(labels)
    }

    /// The chunk's body; `nil` when WAVE has no such format.
    static func body(_ format: StreamFormat) -> [UInt8]? {
        guard let rate = UInt32(exactly: format.sampleRate), rate > 0,
            let channels = UInt16(exactly: format.channelCount), channels > 0
        else { return nil }
        let tag: UInt16, bits: Int, size = format.bytesPerPacket
        var isExtensible = false, extra: [UInt8]?
        switch format {
        case .pcm(let pcm):
            guard !pcm.isBigEndian || pcm.bytesPerSample == 1, (pcm.bytesPerSample == 1) == (pcm.kind == .unsigned)
            else { return nil }
            tag = pcm.kind == .float ? 3 : 1
            bits = pcm.bytesPerSample * 8
            guard pcm.kind == .float ? bits == 32 || bits == 64 : bits <= 32, pcm.bits == bits || pcm.isAlignedHigh
            else { return nil }
            isExtensible = pcm.bits != bits || needsMask(pcm.channelLabels)
        case .packets(let packets):
            switch packets.codec {
            case .muLaw, .aLaw:
                (tag, bits, extra) = (packets.codec == .aLaw ? 6 : 7, 8, [])
                isExtensible = needsMask(packets.channelLabels)
            case .imaADPCM:
                guard let frames = UInt16(exactly: packets.framesPerPacket) else { return nil }
                (tag, bits, extra) = (
                    0x11, 4, [UInt8(truncatingIfNeeded: frames), UInt8(truncatingIfNeeded: frames >> 8)]
                )
            default: return nil
            }
        }
        guard let block = UInt16(exactly: size), block > 0 else { return nil }
        var builder = ByteBuilder()
        builder.little(isExtensible ? extensible : tag)
        builder.little(channels)
        builder.little(rate)
        let frames = max(1, format.framesPerPacket)
        builder.little(UInt32(clamping: (Double(rate) * Double(size) / Double(frames)).rounded(.down).clampedToInt))
        builder.little(block)
        builder.little(UInt16(bits))
        if isExtensible {
            builder.little(UInt16(22))
            builder.little(UInt16(format.bits > 0 ? format.bits : bits))
            builder.little(format.channelLabels.flatMap { ChannelMask.mask($0) } ?? 0)
            builder.little(tag)
            builder.append(subformat)
        } else if let extra {
            builder.little(UInt16(extra.count))
            builder.append(extra)
        }
        return builder.bytes
    }
}

extension Double {
    /// The nearest integer towards zero, at the end of the range where it is beyond; 0 for NaN.
    var clampedToInt: Int { isNaN ? 0 : Int(exactly: rounded(.towardZero)) ?? (self < 0 ? .min : .max) }
}
