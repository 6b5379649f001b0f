// Which library reads or writes a file.

import OssicleCodecs
import OssicleLibraries

/// Chooses between our own readers and writers, libsndfile and FFmpeg.
enum FileRouter {
    /// FFmpeg where the first bytes are those of MPEG-4 or of AAC in ADTS, and for what the others refuse.
    static func makeDecoder(path: String) throws(AudioFileError) -> Choice {
        let bytes = try FileBytes(path: path), examined = ExaminedBytes(bytes),
            kind = try FileSignature(examined.source)
        if kind == .mpeg4 || kind == .adts { return Choice(try FFmpegFiles.makeDecoder(path: path), examined) }
        do throws(AudioFileError) {
            return Choice(try makeDecoder(examined.source, kind), examined)
        } catch {
            return Choice(try makeOtherDecoder(bytes, kind, refusal: error), examined)
        }
    }

    /// Over bytes that are no file of their own.
    static func makeDecoder(_ bytes: any ByteSource) throws(AudioFileError) -> Choice {
        let examined = ExaminedBytes(bytes), source = examined.source, kind = try FileSignature(source)
        guard kind != .mpeg4, kind != .adts else {
            throw AudioFileError(
                .unsupported, path: source.name, found: "MPEG-4 or AAC in memory",
                rule: "These are decoded from files only.",
                cure: "Write the bytes to a file and open that.")
        }
        do throws(AudioFileError) {
            return Choice(try makeDecoder(source, kind), examined)
        } catch {
            guard kind == .caf, error.kind == .unrecognized, let decoder = try? PacketFileDecoder(source) else {
                throw error
            }
            return Choice(decoder, examined)
        }
    }

    /// A decoder, and in sentences what is wrong with its file.
    struct Choice {
        let decoder: any FileDecoder
        let warnings: [String]

        init(_ decoder: any FileDecoder, _ examined: ExaminedBytes) {
            self.decoder = decoder
            let omitted = (decoder as? ChainedDecoder)?.omitted ?? 0
            warnings =
                examined.warnings
                + (omitted > 0
                    ? ["\(omitted) of its recordings have other rates or channels, or cannot be read, and are left out"]
                    : [])
        }
    }

    /// libsndfile reads the first recording of a chained Ogg file; here all of them are read.
    private static func makeSndfileDecoder(_ source: any ByteSource) throws(AudioFileError) -> any FileDecoder {
        guard OptionalLibrary.sndfile.isThere else { return try makeDecoderWithoutSndfile(source) }
        guard source.bytes(at: 0, 4) == Array("OggS".utf8), case let links = OggLinks.find(source), links.count > 1
        else { return try SndfileDecoder(source) }
        return try ChainedDecoder(source, links)
    }

    /// Our own decoders, as far as they go.
    private static func makeDecoderWithoutSndfile(_ source: any ByteSource) throws(AudioFileError) -> any FileDecoder {
        do throws(AudioFileError) {
            return try PacketFileDecoder(source)
        } catch {
            if error.kind != .damaged { try AudioFileError.load(.sndfile, for: source.name) }
            throw error
        }
    }

    /// Our own encoders for linear PCM, and for packets in CAF; FFmpeg's trait for MPEG-4 and ADTS; libsndfile for the
    /// rest.
    static func makeEncoder(_ request: FileEncoderRequest) throws(AudioFileError) -> any FileEncoder {
        if request.container == .mpeg4 || request.container == .adts { return try FFmpegFiles.makeEncoder(request) }
        if !request.isOfPackets, LinearFileEncoder.format(request) == nil { try SndfileEncoder.check(request) }
        return try makeEncoder(request) { () throws(AudioFileError) in try FileSink(path: request.path) }
    }

    /// The same, into what `open` makes once it is known that it can be encoded.
    static func makeEncoder(
        _ request: FileEncoderRequest, open: () throws(AudioFileError) -> any ByteSink
    ) throws(AudioFileError) -> any FileEncoder {
        if request.isOfPackets { return try PacketFileEncoder(request, open: open) }
        if let format = LinearFileEncoder.format(request) { return try LinearFileEncoder(request, format, to: open()) }
        try SndfileEncoder.check(request)
        return try SndfileEncoder(request, to: open())
    }

    /// Our own decoder of linear PCM, for which no library is needed, of MPEG audio, because under libsndfile libmpg123
    /// writes on the program's standard error, and of Apple Lossless in CAF, of which libsndfile 1.2 changes samples of
    /// more than 16 bits; libsndfile for the rest.
    private static func makeDecoder(
        _ source: any ByteSource, _ kind: FileSignature
    ) throws(AudioFileError) -> any FileDecoder {
        if kind == .mpeg { return try PacketFileDecoder(source) }
        do throws(AudioFileError) {
            if let decoder = try LinearFileDecoder(source) { return decoder }
        } catch {
            // libsndfile knows some more forms, as RIFX, and reads more of what is damaged.
            guard OptionalLibrary.sndfile.isThere || error.kind == .unsupported else { throw error }
        }
        if kind == .caf, let decoder = try? PacketFileDecoder(source),
            [.alac16, .alac20, .alac24, .alac32].contains(decoder.info.codec)
        {
            return decoder
        }
        return try makeSndfileDecoder(source)
    }

    /// Our own decoders for CAF, where they know the codec, then FFmpeg's where it takes the file. Otherwise
    /// libsndfile's words stand, but for CAF files, which often hold AAC: there the missing trait is worth telling.
    private static func makeOtherDecoder(
        _ bytes: FileBytes, _ kind: FileSignature, refusal: AudioFileError
    ) throws(AudioFileError) -> any FileDecoder {
        guard refusal.kind == .unrecognized || kind == .mpeg else { throw refusal }
        if kind == .caf, let decoder = try? PacketFileDecoder(bytes), decoder.info.codec != .aac { return decoder }
        do throws(AudioFileError) {
            return try FFmpegFiles.makeDecoder(path: bytes.name)
        } catch {
            throw error.kind == .traitOff && kind == .caf ? error : refusal
        }
    }
}
