// What a track of an MPEG-4 file is coded in.

import OssicleCodecs

/// Reads the first description of a track's samples.
enum MP4SampleEntry {
    /// The format; `nil` when it is none we know.
    static func format(_ descriptions: UnsafeRawBufferPointer) -> (format: PacketFormat, preSkip: Int)? {
        guard descriptions.count > 8,
            let entry = MP4Box.all(in: UnsafeRawBufferPointer(rebasing: descriptions[8...])).first
        else { return nil }
        var cursor = ByteCursor(entry.body, from: 8)
        guard let version = cursor.big(UInt16.self), cursor.skip(6), let channels = cursor.big(UInt16.self),
            cursor.skip(6),
            let rate = cursor.big(UInt32.self)
        else { return nil }
        cursor.skip(version == 1 ? 16 : version == 2 ? 36 : 0)
        var boxes = MP4Box.all(in: cursor.rest())
        if let wave = boxes.first(where: { $0.name == "wave" }) { boxes += MP4Box.all(in: wave.body) }
        func box(_ name: FourCC) -> UnsafeRawBufferPointer? { boxes.first { $0.name == name }?.body }
        switch entry.name {
        case "mp4a":
            return box("esds").flatMap {
                mpeg4(Array($0.dropFirst(4)), channelCount: Int(channels), sampleRate: Double(rate >> 16))
            }.map { ($0, 0) }
        case ".mp3": return (mp3(Int(channels), Double(rate >> 16)), 0)
        case "alac": return box("alac").flatMap { alac(Array($0.dropFirst(4))) }.map { ($0, 0) }
        case "fLaC":
            return box("dfLa").flatMap { FLACStreamInfo(cookie: Array($0.dropFirst(8))) }.map { ($0.format, 0) }
        case "Opus":
            guard let head = box("dOps").flatMap({ OpusBox.head($0) }), let opus = OpusHeader(identification: head)
            else { return nil }
            return (opus.format(cookie: head), opus.preSkip)
        default: return nil
        }
    }

    private static func mpeg4(_ descriptor: [UInt8], channelCount: Int, sampleRate: Double) -> PacketFormat? {
        switch objectType(descriptor) {
        case 0x69, 0x6B: return mp3(channelCount, sampleRate)
        default:
            guard let configuration = AACConfiguration(cookie: descriptor) else { return nil }
            var format = AACLayout.format(configuration)
            if format.channelCount == 0 { format.channelCount = channelCount }
            return format.channelCount > 0 ? format : nil
        }
    }

    private static func mp3(_ channelCount: Int, _ sampleRate: Double) -> PacketFormat {
        PacketFormat(
            codec: .mp3, sampleRate: max(1, sampleRate), channelCount: min(max(1, channelCount), 2),
            framesPerPacket: AudioCodec.mp3.descriptor.packet(sampleRate, channelCount).frames)
    }

    /// What kind of decoder a descriptor asks for (14496-1, table 5).
    private static func objectType(_ descriptor: [UInt8]) -> UInt8? {
        descriptor.withUnsafeBytes { bytes in
            var cursor = ByteCursor(bytes)
            guard cursor.big(UInt8.self) == 3, cursor.grouped() != nil, cursor.skip(2),
                let flags = cursor.big(UInt8.self)
            else { return nil }
            if flags & 0x80 != 0 { cursor.skip(2) }
            if flags & 0x40 != 0, let count = cursor.big(UInt8.self) { cursor.skip(Int(count)) }
            if flags & 0x20 != 0 { cursor.skip(2) }
            guard cursor.big(UInt8.self) == 4, cursor.grouped() != nil else { return nil }
            return cursor.big(UInt8.self)
        }
    }

    /// What Apple Lossless' 24 bytes tell.
    static func alac(_ cookie: [UInt8]) -> PacketFormat? {
        guard cookie.count >= 24 else { return nil }
        let numbers = cookie.withUnsafeBytes { bytes in
            var cursor = ByteCursor(bytes, from: 20)
            return (
                frames: Int(bytes[0]) << 24 | Int(bytes[1]) << 16 | Int(bytes[2]) << 8 | Int(bytes[3]),
                rate: cursor.big(UInt32.self) ?? 0
            )
        }
        let channels = Int(cookie[9])
        guard channels > 0, numbers.rate > 0, numbers.frames > 0, numbers.frames <= 1 << 20 else { return nil }
        return PacketFormat(
            codec: .alac(bits: Int(cookie[5])), sampleRate: Double(numbers.rate), channelCount: channels,
            framesPerPacket: numbers.frames,
            cookie: Array(cookie.prefix(24)),
            channelLabels: channels > 2 ? Codecs.channelLabels(of: .alac16, channelCount: channels) : nil)
    }
}

/// Opus' head as MPEG-4 keeps it: big-endian, without its name.
enum OpusBox {
    static func head(_ body: UnsafeRawBufferPointer) -> [UInt8]? {
        guard body.count >= 11, body[0] == 0 else { return nil }
        var builder = ByteBuilder()
        builder.append("OpusHead".utf8)
        builder.append([1, body[1], body[3], body[2], body[7], body[6], body[5], body[4], body[9], body[8]])
        builder.append(body[10...])
        return builder.bytes
    }
}
