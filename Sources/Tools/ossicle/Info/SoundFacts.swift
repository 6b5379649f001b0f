import OssicleCodecs
import OssicleCore
import OssicleFiles

/// What `ossicle info` says about one file.
struct SoundFacts {
    let path: String
    let info: AudioFileInfo
    let metadata: AudioMetadata
    /// Size of the file.
    let bytes: Int64
    /// Frames that can be decoded: fewer than the header tells in a damaged file.
    let frames: Int64
    /// What is wrong with the file.
    let warnings: [AudioFileWarning]
    /// Nil where the measure does not know the channels or the rate.
    let loudness: LoudnessMeasurement?
    /// Its shape; the picture's waveform.
    let waveform: Waveform
    /// Only when asked for.
    let picture: SoundPicture?

    /// Reads the whole file once, in bounded memory.
    ///
    /// - Parameters:
    ///   - name: what the user calls the file, where that is not its path.
    ///   - draws: whether the picture is made.
    ///   - progress: hears the share that is done, 0 ... 1.
    init(
        of path: String, named name: String? = nil, draws: Bool = false, _ progress: (Double) -> Void = { _ in }
    ) throws {
        let reader = try AudioFileReader(path: path)
        let info = reader.info
        let ear = Ear(for: info, draws: draws)
        let block = SampleBlock(channels: info.channelCount, capacity: 8192)
        while true {
            let count = try reader.read(into: block.planes, frames: block.capacity)
            guard count > 0 else { break }
            ear.hear(block.constPlanes, frames: count)
            progress(Double(reader.position) / Double(max(info.frameCount, 1)))
        }
        progress(1)
        self.path = name ?? path
        self.info = info
        metadata = reader.metadata
        bytes = FileSystem.size(path)
        frames = reader.position
        warnings = reader.warnings
        loudness = ear.loudness
        waveform = ear.finishedWaveform()
        picture =
            draws
            ? ear.finishedPicture(seconds: info.sampleRate > 0 ? Double(reader.position) / info.sampleRate : 0) : nil
    }

    /// Length of what can be decoded.
    var seconds: Double { info.sampleRate > 0 ? Double(frames) / info.sampleRate : 0 }

    private var form: String { FormatWords.of(info.container, info.codec) }

    var text: String { ([path] + lines.map { "  " + Text.left($0.0, width: 10) + $0.1 }).joined(separator: "\n") }

    private var lines: [(String, String)] {
        let missing = frames < info.frameCount ? ", the header tells of \(info.frameCount)" : ""
        let clock = seconds >= 60 ? "\(Text.clock(seconds)), " : ""
        return tags + [
            ("format", form),
            ("channels", ChannelWords.describe(info.channelCount, info.channelLabels)),
            ("rate", "\(Text.number(info.sampleRate, decimals: 0)) Hz"),
            ("length", "\(clock)\(Text.number(seconds, decimals: 3)) s, \(frames) frames\(missing)"),
            (
                "bit rate",
                "\(Text.number(seconds > 0 ? Double(bytes) * 8 / seconds / 1000 : .nan, decimals: 0)) kb/s on average"
            ),
        ] + levels + clipping + warnings.map { ("warning", $0.text) }
    }

    private var tags: [(String, String)] {
        let all = [
            ("title", metadata.title), ("artist", metadata.artist), ("album", metadata.album),
            ("track", metadata.trackNumber), ("date", metadata.date),
            ("genre", metadata.genre), ("comment", metadata.comment), ("copyright", metadata.copyright),
            ("made with", metadata.encodingApplication),
        ]
        return all.compactMap { name, value in value.map { (name, Text.oneLine($0)) } }
    }

    private var levels: [(String, String)] {
        guard let loudness else {
            return [
                (
                    "loudness",
                    "– (no measure for \(info.channelCount) channels at \(Text.number(info.sampleRate, decimals: 0)) Hz)"
                )
            ]
        }
        func number(_ value: Double) -> String { Text.number(value, decimals: 1) }
        func decibels(_ amplitude: Double) -> String { number(Decibels.of(amplitude: amplitude)) }
        let integrated =
            seconds < 0.4
            ? "– (shorter than 0.4 s)"
            : "\(number(loudness.integrated)) LUFS, range \(number(loudness.range)) LU, "
                + "at most \(number(loudness.maximumMomentary)) momentary, \(number(loudness.maximumShortTerm)) short-term"
        return [
            ("loudness", integrated),
            ("peak", "\(decibels(loudness.samplePeak)) dBFS, true peak \(decibels(loudness.truePeak)) dBTP"),
        ]
    }

    private var clipping: [(String, String)] {
        guard let first = waveform.firstClipping, info.sampleRate > 0 else { return [] }
        let places = waveform.clippings == 1 ? "1 place, at" : "\(waveform.clippings) places, the first at"
        return [("clipping", "\(places) \(Text.number(Double(first) / info.sampleRate, decimals: 3)) s")]
    }

    /// The picture with its captions, when it was asked for.
    var svg: String? {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let tags = [metadata.title, metadata.artist, metadata.album].compactMap { $0 }.map(Text.oneLine).joined(
            separator: " · ")
        let facts = [
            form,
            ChannelWords.describe(info.channelCount, info.channelLabels)
                + (info.channelCount == 1 ? " channel" : " channels"),
            "\(Text.number(info.sampleRate, decimals: 0)) Hz",
            seconds >= 60 ? Text.clock(seconds) : "\(Text.number(seconds, decimals: 3)) s",
        ]
        return picture?.svg(
            title: Text.oneLine(name),
            details: [
                tags, facts.joined(separator: " · "),
                (levels + clipping).map { "\($0.0) \($0.1)" }.joined(separator: " · "),
            ].filter { !$0.isEmpty })
    }
}

/// Container and codec as people call them, once where one name says both: "FLAC, 16 bits", "WAV, 24-bit PCM".
enum FormatWords {
    static func of(_ container: AudioContainer, _ codec: AudioCodec) -> String {
        [.flac, .mpeg].contains(container) ? codec.words : "\(container.words), \(codec.words)"
    }
}

extension AudioContainer {
    /// The name people know it by.
    var words: String {
        switch self {
        case .wav: "WAV"
        case .rf64: "RF64"
        case .wave64: "Wave64"
        case .aiff: "AIFF"
        case .caf: "CAF"
        case .flac: "FLAC"
        case .ogg: "Ogg"
        case .mpeg: "MPEG audio"
        case .au: "AU"
        case .mpeg4: "MPEG-4"
        case .adts: "ADTS"
        case .other: "another format"
        }
    }
}

extension AudioCodec {
    /// The name people know it by, with the bits of a sample where it has them.
    var words: String {
        switch self {
        case .pcm8, .pcm16, .pcm24, .pcm32: "\(bitDepth)-bit PCM"
        case .pcm8Unsigned: "8-bit PCM without sign"
        case .float32, .float64: "\(bitDepth)-bit floating point"
        case .alac16, .alac20, .alac24, .alac32: "Apple Lossless, \(bitDepth) bits"
        case .flac8, .flac16, .flac24: "FLAC, \(bitDepth) bits"
        case .muLaw: "µ-law"
        case .aLaw: "A-law"
        case .imaADPCM, .ima4: "IMA ADPCM"
        case .microsoftADPCM: "Microsoft ADPCM"
        case .aac: "AAC"
        case .heAAC: "HE-AAC"
        case .heAACv2: "HE-AAC v2"
        case .vorbis: "Vorbis"
        case .opus: "Opus"
        case .mp1: "MP1"
        case .mp2: "MP2"
        case .mp3: "MP3"
        case .other: "another codec"
        }
    }
}
