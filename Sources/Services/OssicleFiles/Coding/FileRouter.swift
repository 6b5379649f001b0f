// Which library reads or writes a file.

import OssicleCodecs

/// Chooses between libsndfile, our own codecs and FFmpeg.
enum FileRouter {
    /// libsndfile, unless the first bytes are those of MPEG-4 or of AAC in ADTS; FFmpeg for those, and for what libsndfile refuses.
    static func makeDecoder(path: String) throws(AudioFileError) -> any FileDecoder {
        let bytes = try FileBytes(path: path), kind = try FileSignature(bytes)
        if kind == .mpeg4 || kind == .adts { return try FFmpegFiles.makeDecoder(path: path) }
        if kind == .caf, let decoder = makePacketDecoder(bytes, isFirst: true) { return decoder }
        do throws(AudioFileError) {
            return try SndfileDecoder(bytes)
        } catch {
            return try makeOtherDecoder(bytes, kind, refusal: error)
        }
    }

    /// libsndfile over bytes that are no file of their own.
    static func makeDecoder(_ source: any ByteSource) throws(AudioFileError) -> any FileDecoder {
        let kind = try FileSignature(source)
        guard kind != .mpeg4, kind != .adts else {
            throw AudioFileError(.unsupported, path: source.name, found: "MPEG-4 or AAC in memory", rule: "These are decoded from files only.",
                                 cure: "Write the bytes to a file and open that.")
        }
        if kind == .caf, let decoder = makePacketDecoder(source, isFirst: true) { return decoder }
        do throws(AudioFileError) {
            return try SndfileDecoder(source)
        } catch {
            guard kind == .caf, error.kind == .unrecognized, let decoder = makePacketDecoder(source, isFirst: false) else { throw error }
            return decoder
        }
    }

    /// Our own encoders for packets in CAF; FFmpeg's trait for MPEG-4 and ADTS; libsndfile for the rest.
    static func makeEncoder(_ request: FileEncoderRequest) throws(AudioFileError) -> any FileEncoder {
        if request.container == .mpeg4 || request.container == .adts { return try FFmpegFiles.makeEncoder(request) }
        if !request.isOfPackets { try SndfileEncoder.check(request) }
        return try makeEncoder(request) { () throws(AudioFileError) in try FileSink(path: request.path) }
    }

    /// The same, into what `open` makes once it is known that it can be encoded.
    static func makeEncoder(_ request: FileEncoderRequest, open: () throws(AudioFileError) -> any ByteSink) throws(AudioFileError) -> any FileEncoder {
        request.isOfPackets ? try PacketFileEncoder(request, open: open) : try SndfileEncoder(request, to: open())
    }

    /// Our own decoder of CAF; before libsndfile is asked, only of Apple Lossless: libsndfile 1.2 changes samples of more than 16 bits.
    private static func makePacketDecoder(_ source: any ByteSource, isFirst: Bool) -> PacketFileDecoder? {
        guard let decoder = try? PacketFileDecoder(source) else { return nil }
        return !isFirst || [.alac16, .alac20, .alac24, .alac32].contains(decoder.info.codec) ? decoder : nil
    }

    /// Our own decoders for CAF, where they know the codec, then FFmpeg's where it takes the file. Otherwise libsndfile's words stand, but for CAF
    /// files, which often hold AAC: there the missing trait is worth telling.
    private static func makeOtherDecoder(_ bytes: FileBytes, _ kind: FileSignature, refusal: AudioFileError) throws(AudioFileError) -> any FileDecoder {
        guard refusal.kind == .unrecognized else { throw refusal }
        if kind == .caf, let decoder = makePacketDecoder(bytes, isFirst: false), decoder.info.codec != .aac { return decoder }
        do throws(AudioFileError) {
            return try FFmpegFiles.makeDecoder(path: bytes.name)
        } catch {
            throw error.kind == .traitOff && kind == .caf ? error : refusal
        }
    }
}
