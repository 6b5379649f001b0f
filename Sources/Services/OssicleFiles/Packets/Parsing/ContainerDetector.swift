// Which container a stream is.

/// Tells containers by their first bytes.
enum ContainerDetector {
    /// A parser for the stream that begins with `window`; `nil` when more bytes are needed to tell. A hint counts for streams of frames that
    /// do not begin with a frame.
    static func parser(for window: ParserWindow, hint: AudioContainer?) throws(AudioFileError) -> (any ContainerParser)? {
        var cursor = window.cursor()
        guard let first = cursor.name(), let second = cursor.name(), let third = cursor.name() else {
            guard window.isLast else { return nil }
            throw unrecognized(window)
        }
        switch (first, second, third) {
        case ("RIFF", _, "WAVE"), ("RF64", _, "WAVE"), ("BW64", _, "WAVE"): return ChunkParser(WaveDialect(is64: first != "RIFF"))
        case ("riff", FourCC(0x2E91_CF11), FourCC(0xA5D6_28DB)): return ChunkParser(Wave64Dialect())
        case ("FORM", _, "AIFF"), ("FORM", _, "AIFC"): return ChunkParser(AiffDialect(isCompressed: third == "AIFC"))
        case ("caff", _, _): return ChunkParser(CafDialect())
        case (".snd", _, _): return AuParser()
        case ("fLaC", _, _): return FlacParser()
        case ("OggS", _, _): return OggParser()
        case (_, "ftyp", _), (_, "moov", _), (_, "mdat", _), (_, "free", _), (_, "skip", _), (_, "wide", _): return MP4Parser()
        default: return try framed(window, first, hint)
        }
    }

    private static func framed(_ window: ParserWindow, _ first: FourCC, _ hint: AudioContainer?) throws(AudioFileError) -> any ContainerParser {
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
        return AudioFileError(.unrecognized, path: window.name, found: "it begins with the bytes \(start.joined(separator: " "))",
                              rule: SoundFormats.sentence, cure: "Convert the file to one of these.")
    }
}
