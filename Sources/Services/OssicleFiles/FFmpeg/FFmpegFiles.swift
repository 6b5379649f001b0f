import OssicleCodecs

/// The containers that come with the package trait FFmpeg: M4A and its kin, AAC in ADTS, and to read, what else FFmpeg
/// knows. Without it every call says so.
enum FFmpegFiles {
    #if FFmpeg
    /// A decoder for the file at `path`, which exists, is regular and readable.
    static func makeDecoder(path: String) throws(AudioFileError) -> any FileDecoder {
        try FFmpegFileDecoder(path: path)
    }

    static func makeEncoder(_ request: FileEncoderRequest) throws(AudioFileError) -> any FileEncoder {
        request.container == .adts ? try PacketFileEncoder(request) : try MPEG4FileEncoder(request)
    }
    #else
    /// A decoder for the file at `path`, which exists, is regular and readable.
    static func makeDecoder(path: String) throws(AudioFileError) -> any FileDecoder {
        throw needsTrait(path, found: "an MPEG-4 or AAC file")
    }

    static func makeEncoder(_ request: FileEncoderRequest) throws(AudioFileError) -> any FileEncoder {
        throw needsTrait(request.path, found: "\(request.codec) in \(request.container)")
    }

    private static func needsTrait(_ path: String, found: String) -> AudioFileError {
        let words = CodecError.needsFFmpeg("", found: found)
        return AudioFileError(.traitOff, path: path, found: words.found, rule: words.rule, cure: words.cure)
    }
    #endif
}
