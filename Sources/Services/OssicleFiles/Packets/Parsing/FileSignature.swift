// What a file's first bytes tell.

/// The kinds of file that have to be distinguished before a library is chosen.
enum FileSignature: Equatable {
    case mpeg4, adts, mpeg, caf, other

    init(_ source: any ByteSource) throws(AudioFileError) {
        guard source.byteCount > 0 else {
            throw AudioFileError(
                .empty, path: source.name, found: "it has no bytes", rule: "A sound file begins with a header.",
                cure: "Write or copy the file again.")
        }
        let head = try Self.bytes(source, at: 0)
        if head[4..<8].elementsEqual("ftyp".utf8) {
            self = .mpeg4
        } else if head[0..<4].elementsEqual("caff".utf8) {
            self = .caf
        } else {
            let tag = ID3Tag.byteCount(head), frame = try Self.bytes(source, at: tag)
            self = Self.isADTS(frame) ? .adts : Self.isMPEG(frame, behindTag: tag > 0) ? .mpeg : .other
        }
    }

    /// Twelve ones and layer 0 (ISO/IEC 13818-7, 6.2); MPEG audio has the same ones with another layer. The sampling
    /// frequency is one of thirteen.
    private static func isADTS(_ head: [UInt8]) -> Bool {
        head[0] == 0xFF && head[1] & 0xF6 == 0xF0 && head[2] >> 2 & 15 < 13
    }

    /// Eleven ones (ISO/IEC 11172-3, 2.4.1.3), or a tag with nothing else behind it that is known: players look for
    /// frames there.
    private static func isMPEG(_ head: [UInt8], behindTag: Bool) -> Bool {
        let isOther = ["fLaC", "OggS", "RIFF", "RIFX", "RF64", "FORM", "caff", ".snd", "riff"].contains {
            head.starts(with: $0.utf8)
        }
        return head[0] == 0xFF && head[1] & 0xE0 == 0xE0 || behindTag && !isOther
    }

    /// Ten bytes, with zeros behind the end.
    private static func bytes(_ source: any ByteSource, at offset: Int64) throws(AudioFileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 10)
        var failure: AudioFileError?
        bytes.withUnsafeMutableBytes { memory in
            do throws(AudioFileError) { _ = try source.read(into: memory, at: offset) } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }
}
