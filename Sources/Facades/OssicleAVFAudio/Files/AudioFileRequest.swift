// What a client asks of a file to be written, checked.

import OssicleAudioToolbox
import OssicleCodecs
import OssicleCoreAudioTypes
import OssicleFiles

/// Container and codec that a path and a settings dictionary ask for.
struct AudioFileRequest {
    let path: String
    let settings: AudioSettings
    let container: AudioContainer
    let codec: AudioCodec

    init(path: String, settings dictionary: [String: Any]) throws {
        guard let settings = AudioSettings(dictionary) else {
            throw Self.refusal(
                kAudio_ParamError, path, value: "settings \(dictionary)",
                rule: Self.complete, cure: "Add the missing keys or correct their values.")
        }
        guard settings.channelCount <= 2 || settings.layout != nil else {
            throw Self.refusal(
                kAudioFileUnsupportedDataFormatError, path, value: "\(settings.channelCount) channels without a layout",
                rule: "More than two channels need a layout.", cure: "Add AVChannelLayoutKey.")
        }
        self.path = path
        self.settings = settings
        let type = try Self.type(path, dictionary[AVAudioFileTypeKey])
        (container, codec) = (type.container, try Self.codec(path, settings, type: type.id, container: type.container))
    }

    /// CAF takes samples in either order; the others keep to their own.
    private var isBigEndian: Bool? { codec.isLinear && container == .caf ? settings.isBigEndian : nil }

    func makeWriter(_ metadata: AudioMetadata = AudioMetadata()) throws -> AudioFileWriter {
        try Self.translating { () throws(AudioFileError) in
            try AudioFileWriter(
                FileEncoderRequest(
                    path: path, container: container, codec: codec, sampleRate: settings.sampleRate,
                    channelCount: Int(settings.channelCount), channelLabels: settings.layout?.channelLabels,
                    settings: settings.encoder, metadata: metadata, isBigEndian: isBigEndian))
        }
    }

    func info(_ writer: AudioFileWriter) -> AudioFileInfo {
        AudioFileInfo(
            sampleRate: settings.sampleRate, channelCount: Int(settings.channelCount), frameCount: 0,
            container: container, codec: codec,
            isBigEndian: writer.isBigEndian, channelLabels: settings.layout?.channelLabels)
    }

    private static func type(_ path: String, _ type: Any?) throws -> (id: AudioFileTypeID, container: AudioContainer) {
        if let type {
            let id = AudioSettings.number(type).flatMap { UInt32(exactly: $0) }
            guard let id, let container = AudioContainer(type: id) else {
                let value = "file type \(id.map { "'\($0.fourCharacters)'" } ?? "\(type)")"
                throw refusal(kAudioFileUnsupportedFileTypeError, path, value: value, rule: writable, cure: cure)
            }
            return (id, container)
        }
        let ending = (path as NSString).pathExtension
        guard let container = AudioContainer(pathExtension: ending),
            let id = AudioContainer.fileType(pathExtension: ending)
        else {
            throw refusal(
                kAudioFileUnsupportedFileTypeError, path, value: "extension \"\(ending)\"", rule: writable, cure: cure)
        }
        return (id, container)
    }

    private static func codec(
        _ path: String, _ settings: AudioSettings, type: AudioFileTypeID, container: AudioContainer
    ) throws -> AudioCodec {
        // Ogg has no type of Apple's.
        let found =
            type == 0
            ? AudioCodec(settings.streamDescription, in: container)
            : AudioCodec(settings.streamDescription, inFileOf: type)
        guard let codec = found else {
            let value =
                "'\(settings.formatID.fourCharacters)' in \(type == 0 ? "\(container)" : "a file of type '\(type.fourCharacters)'")"
            throw refusal(kAudioFileUnsupportedDataFormatError, path, value: value, rule: writable, cure: cure)
        }
        return codec
    }

    private static let writable = """
        Writable are linear PCM, µ-law and A-law in WAV, AIFF-C, CAF, RF64, W64 and AU, integers in AIFF, Apple Lossless in CAF and M4A, AAC in M4A, CAF and ADTS, \
        FLAC, MP3, and Vorbis and Opus in Ogg.
        """
    private static let complete = """
        Settings need AVFormatIDKey, AVSampleRateKey and AVNumberOfChannelsKey, a bit depth of 8, 16, 24 or 32 (floating point: 32 or 64), \
        a layout of as many channels, and numbers for an encoder.
        """
    private static let cure =
        "Choose FLAC, or Apple Lossless in a .caf file, for small files, and .wav or .caf otherwise."
}

extension AudioFileRequest {
    /// The path of a URL on disk; other URLs are refused.
    static func path(_ url: URL) throws -> String {
        guard let path = url.localPath else {
            throw refusal(
                kAudio_BadFilePathError, url.absoluteString, value: "it is no file URL",
                rule: "Sound files are read from and written to disk.",
                cure: "Make the URL with URL(fileURLWithPath:), or download first.")
        }
        return path
    }

    static func checkCommon(_ format: AVAudioCommonFormat, _ path: String) throws {
        guard format != .otherFormat else {
            throw refusal(
                kAudioFileUnsupportedDataFormatError, path, value: "the common format .otherFormat",
                rule: "A processing format is one of the four common forms of linear PCM.",
                cure: "Use .pcmFormatFloat32.")
        }
    }

    static func refusal(_ status: OSStatus, _ path: String, value: String, rule: String, cure: String) -> OssicleError {
        .avfaudio(status, "AVAudioFile \"\(path)\"", value: value, rule: rule, cure: cure)
    }

    /// Runs `body` and throws its failure as an error of AVFAudio.
    static func translating<Result>(_ body: () throws(AudioFileError) -> Result) throws -> Result {
        do { return try body() } catch { throw OssicleError(error) }
    }
}
