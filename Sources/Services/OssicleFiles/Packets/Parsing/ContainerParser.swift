// What parsers of containers have in common.

import OssicleCodecs

/// What a parser wants next.
enum ParserStep {
    /// So many bytes, from the window's first on and maybe beyond its end, are of no more use.
    case pass(Int64)
    /// Nothing can be done before the window holds so many bytes.
    case wait(Int)
    /// The rest is of no use.
    case done
}

/// A part of a stream in memory.
struct ParserWindow {
    let bytes: UnsafeRawBufferPointer
    /// Where the window begins in the stream.
    let offset: Int64
    /// Whether nothing follows the window.
    var isLast: Bool
    /// Bytes of the whole stream where any of them can be had: then the parser only finds out where packets are. `nil`
    /// when bytes come in order.
    let fileSize: Int64?
    /// What errors call the stream.
    let name: String

    var isFile: Bool { fileSize != nil }
    var count: Int { bytes.count }

    func cursor(at position: Int = 0) -> ByteCursor { ByteCursor(bytes, from: position) }

    func damaged(_ found: String, rule: String) -> AudioFileError {
        AudioFileError(.damaged, path: name, found: found, rule: rule, cure: "Copy or convert the file again.")
    }

    func unsupported(_ found: String, rule: String) -> AudioFileError {
        AudioFileError(
            .unsupported, path: name, found: found, rule: rule, cure: "Convert the file to WAV, FLAC or CAF.")
    }
}

/// Finds format and packets of one container. Never asks for the same window twice without having passed bytes or
/// waited for more.
protocol ContainerParser {
    mutating func step(_ window: ParserWindow, _ found: ParserFindings) throws(AudioFileError) -> ParserStep
    /// Nothing follows: what has not been reported is reported now.
    mutating func end(_ window: ParserWindow, _ found: ParserFindings) throws(AudioFileError)
    /// What comes next does not join what came before; it begins with `packet`, if that is known.
    mutating func restart(at packet: Int64?)
    /// Where `packet` begins in the stream, and whether that is a guess.
    func byteOffset(ofPacket packet: Int64) -> (offset: Int64, isEstimate: Bool)?
}

extension ContainerParser {
    mutating func end(_ window: ParserWindow, _ found: ParserFindings) throws(AudioFileError) {}
    mutating func restart(at packet: Int64?) {}
}

/// What a parser found in its last steps.
final class ParserFindings {
    var events: [PacketStreamParser.Event] = []
    /// Packets, in the window or, when that is not empty, in `assembled`.
    var spans: [PacketSpan] = []
    var assembled: [UInt8] = []
    /// Of a file: where all packets are.
    var index = PacketIndex()

    /// Tells a packet that lies in the window.
    func packet(in window: ParserWindow, at position: Int, count: Int, frames: Int) {
        if window.isFile {
            index.place(at: window.offset + Int64(position))
            index.append(size: count, frames: frames)
        } else {
            spans.append(PacketSpan(offset: position, byteCount: count, frameCount: frames))
        }
    }

    /// Tells a packet that was put together from pieces.
    func packet(_ bytes: [UInt8], frames: Int, at extents: [(file: Int64, count: Int)], isFile: Bool) {
        if isFile {
            index.append(size: bytes.count, frames: frames, at: extents)
        } else {
            spans.append(PacketSpan(offset: assembled.count, byteCount: bytes.count, frameCount: frames))
            assembled += bytes
        }
    }
}

/// Tells containers by their first bytes.
enum ContainerDetector {
    /// A parser for the stream that begins with `window`; `nil` when more bytes are needed to tell. A hint counts for
    /// streams of frames that do not begin with a frame.
    static func parser(for window: ParserWindow, hint: AudioContainer?) throws(AudioFileError) -> (any ContainerParser)?
    {
        var cursor = window.cursor()
        guard let first = cursor.name(), let second = cursor.name(), let third = cursor.name() else {
            guard window.isLast else { return nil }
            throw unrecognized(window)
        }
        switch (first, second, third) {
        case ("RIFF", _, "WAVE"), ("RF64", _, "WAVE"), ("BW64", _, "WAVE"):
            return ChunkParser(WaveDialect(is64: first != "RIFF"))
        case ("riff", FourCC(0x2E91_CF11), FourCC(0xA5D6_28DB)): return ChunkParser(Wave64Dialect())
        case ("FORM", _, "AIFF"), ("FORM", _, "AIFC"): return ChunkParser(AiffDialect(isCompressed: third == "AIFC"))
        case ("caff", _, _): return ChunkParser(CafDialect())
        case (".snd", _, _): return AuParser()
        case ("fLaC", _, _): return FlacParser()
        case ("OggS", _, _): return OggParser()
        case (_, "ftyp", _), (_, "moov", _), (_, "mdat", _), (_, "free", _), (_, "skip", _), (_, "wide", _):
            return MP4Parser()
        default: return try framed(window, first, hint: hint)
        }
    }

    private static func framed(
        _ window: ParserWindow, _ first: FourCC, hint: AudioContainer?
    ) throws(AudioFileError) -> any ContainerParser {
        if first.value >> 8 == 0x494433 { return ID3Prefix(hint: hint) }
        let isSync = first.value >> 21 == 0x7FF, layer = first.value >> 17 & 3
        if isSync, layer == 0, first.value >> 20 & 1 == 1 { return ADTSParser() }
        if isSync, layer != 0 { return MPEGParser() }
        switch hint {
        case .mpeg: return MPEGParser()
        case .adts: return ADTSParser()
        default: throw unrecognized(window)
        }
    }

    private static func unrecognized(_ window: ParserWindow) -> AudioFileError {
        let start = window.bytes.prefix(8).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }
        return AudioFileError(
            .unrecognized, path: window.name, found: "it begins with the bytes \(start.joined(separator: " "))",
            rule: SoundFormats.sentence, cure: "Convert the file to one of these.")
    }
}
