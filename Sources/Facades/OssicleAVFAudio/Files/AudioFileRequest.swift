// What a client asks of a file to be written, checked.

import OssicleCoreAudioTypes
import OssicleFiles

/// Container and codec that a path and a settings dictionary ask for.
struct AudioFileRequest {
    let path: String
    let settings: AudioSettings
    let container: AudioContainer
    let codec: AudioCodec
    private let quality: Double?

    init(path: String, settings dictionary: [String: Any]) throws {
        guard let settings = AudioSettings(dictionary) else {
            throw Self.refusal(kAudio_ParamError, path, value: "settings \(dictionary)",
                               rule: "Settings need AVFormatIDKey, AVSampleRateKey and AVNumberOfChannelsKey, a bit depth of 8, 16, 24 or 32 (floating point: 32 or 64), and a layout of as many channels.",
                               cure: "Add the missing keys or correct their values.")
        }
        guard settings.channelCount <= 2 || settings.layout != nil else {
            throw Self.refusal(kAudioFileUnsupportedDataFormatError, path, value: "\(settings.channelCount) channels without a layout",
                               rule: "More than two channels need a layout.", cure: "Add AVChannelLayoutKey.")
        }
        self.path = path
        self.settings = settings
        container = try Self.container(path, dictionary[AVAudioFileTypeKey])
        codec = try Self.codec(path, settings, container, depthHint: AudioSettings.number(dictionary[AVEncoderBitDepthHintKey]))
        quality = AudioSettings.number(dictionary[AVEncoderAudioQualityKey]).map { $0 / Double(AVAudioQuality.max.rawValue) }
    }

    func makeWriter() throws -> AudioFileWriter {
        try Self.translating { () throws(AudioFileError) in
            try AudioFileWriter(path: path, container: container, codec: codec, sampleRate: settings.sampleRate,
                                channelCount: Int(settings.channelCount), channelLabels: settings.layout?.labels, quality: quality)
        }
    }

    func info(_ writer: AudioFileWriter) -> AudioFileInfo {
        AudioFileInfo(sampleRate: settings.sampleRate, channelCount: Int(settings.channelCount), frameCount: 0, container: container, codec: codec,
                      isBigEndian: writer.isBigEndian, channelLabels: settings.layout?.labels)
    }

    private static func container(_ path: String, _ type: Any?) throws -> AudioContainer {
        if let type {
            let id = AudioSettings.number(type).flatMap { UInt32(exactly: $0) }
            guard let container = id.flatMap({ containerByType[$0] }) else {
                throw refusal(kAudioFileUnsupportedFileTypeError, path, value: "file type \(id.map { "'\($0.fourCharacters)'" } ?? "\(type)")", rule: writable, cure: cure)
            }
            return container
        }
        let ending = (path as NSString).pathExtension.lowercased()
        guard let container = containerByExtension[ending] else {
            throw refusal(kAudioFileUnsupportedFileTypeError, path, value: "extension \"\(ending)\"", rule: writable, cure: cure)
        }
        return container
    }

    private static func codec(_ path: String, _ settings: AudioSettings, _ container: AudioContainer, depthHint: Double?) throws -> AudioCodec {
        let depth = depthHint.flatMap { Int(exactly: $0) } ?? settings.bitDepth
        let codec: AudioCodec? = switch (settings.formatID, container) {
        case (kAudioFormatLinearPCM, .flac), (kAudioFormatLinearPCM, .ogg), (kAudioFormatLinearPCM, .mpeg): nil
        case (kAudioFormatLinearPCM, _): linear(settings, container)
        case (kAudioFormatFLAC, .flac): depth > 16 ? .pcm24 : .pcm16
        case (kAudioFormatAppleLossless, .caf): depth > 24 ? .alac32 : depth > 20 ? .alac24 : depth > 16 ? .alac20 : .alac16
        case (kAudioFormatULaw, _): .muLaw
        case (kAudioFormatALaw, _): .aLaw
        case (kAudioFormatMPEGLayer3, .mpeg): .mp3
        case (kAudioFormatOpus, .ogg): .opus
        default: nil
        }
        guard let codec else {
            throw refusal(kAudioFileUnsupportedDataFormatError, path, value: "'\(settings.formatID.fourCharacters)' in \(container)", rule: writable, cure: cure)
        }
        return codec
    }

    private static func linear(_ settings: AudioSettings, _ container: AudioContainer) -> AudioCodec {
        switch (settings.isFloat, settings.bitDepth) {
        case (true, 64): .float64
        case (true, _): .float32
        case (_, 8): [.wav, .rf64, .wave64].contains(container) ? .pcm8Unsigned : .pcm8
        case (_, 24): .pcm24
        case (_, 32): .pcm32
        default: .pcm16
        }
    }

    private static let writable =
        "Writable are linear PCM in WAV, AIFF, CAF, RF64, W64 and AU, Apple Lossless in CAF, FLAC, MP3 and Ogg Opus; there is no AAC encoder here."
    private static let cure = "Choose FLAC, or Apple Lossless in a .caf file, for small files, and .wav or .caf otherwise."

    private static let containerByType: [AudioFileTypeID: AudioContainer] = [
        kAudioFileWAVEType: .wav, kAudioFileRF64Type: .rf64, kAudioFileBW64Type: .rf64, kAudioFileWave64Type: .wave64, kAudioFileAIFFType: .aiff,
        kAudioFileAIFCType: .aiff, kAudioFileCAFType: .caf, kAudioFileFLACType: .flac, kAudioFileMP3Type: .mpeg, kAudioFileNextType: .au,
    ]

    private static let containerByExtension: [String: AudioContainer] = [
        "wav": .wav, "wave": .wav, "rf64": .rf64, "bw64": .rf64, "w64": .wave64, "aif": .aiff, "aiff": .aiff, "aifc": .aiff, "caf": .caf,
        "flac": .flac, "mp3": .mpeg, "ogg": .ogg, "oga": .ogg, "opus": .ogg, "au": .au, "snd": .au,
    ]
}

extension AudioFileRequest {
    /// The path of a file URL; other URLs are refused.
    static func path(_ url: URL) throws -> String {
        guard url.isFileURL else {
            throw refusal(kAudio_BadFilePathError, url.absoluteString, value: "it is no file URL", rule: "Sound files are read from and written to disk.",
                          cure: "Make the URL with URL(fileURLWithPath:), or download first.")
        }
        return url.path
    }

    static func checkCommon(_ format: AVAudioCommonFormat, _ path: String) throws {
        guard format != .otherFormat else {
            throw refusal(kAudioFileUnsupportedDataFormatError, path, value: "the common format .otherFormat",
                          rule: "A processing format is one of the four common forms of linear PCM.", cure: "Use .pcmFormatFloat32.")
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
