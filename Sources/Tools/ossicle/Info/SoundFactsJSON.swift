import Foundation
import OssicleCore
import OssicleFiles

/// What `ossicle info --json` says about one file; `Documentation/CommandLine.md` explains each key. What is not known
/// is left out.
struct SoundFactsJSON: Encodable, Equatable {
    struct Tags: Encodable, Equatable {
        let title, artist, album, track, date, genre, comment, copyright, madeWith: String?
    }

    struct Loudness: Encodable, Equatable {
        /// LUFS, LU for the range.
        let integrated, range, maximumMomentary, maximumShortTerm: Double?
    }

    struct Clipping: Encodable, Equatable {
        let places: Int
        /// Seconds.
        let first: Double?
    }

    let file, container, codec, format: String
    let bitDepth: Int?
    /// Hertz.
    let sampleRate: Double?
    let channels: Int
    /// As Core Audio numbers them.
    let channelLabels: [UInt32]?
    let frames, framesInHeader, bytes: Int64
    let seconds: Double
    /// Bits per second, on average.
    let bitRate: Double?
    let tags: Tags
    let loudness: Loudness?
    /// dBFS and dBTP.
    let samplePeak, truePeak: Double?
    let clipping: Clipping

    init(_ facts: SoundFacts) { self.init(facts, metadata: facts.metadata) }

    init(_ facts: SoundFacts, metadata: AudioMetadata) {
        let (info, measured) = (facts.info, facts.loudness)
        file = facts.path
        container = info.container.rawValue
        codec = info.codec.rawValue
        format = FormatWords.of(info.container, info.codec)
        bitDepth = info.bitDepth > 0 ? info.bitDepth : nil
        sampleRate = info.sampleRate.known
        channels = info.channelCount
        channelLabels = info.channelLabels
        frames = facts.frames
        framesInHeader = info.frameCount
        bytes = facts.bytes
        seconds = facts.seconds.known ?? 0
        bitRate = facts.seconds > 0 ? (Double(facts.bytes) * 8 / facts.seconds).known : nil
        tags = Tags(
            title: metadata.title, artist: metadata.artist, album: metadata.album, track: metadata.trackNumber,
            date: metadata.date,
            genre: metadata.genre, comment: metadata.comment, copyright: metadata.copyright,
            madeWith: metadata.encodingApplication)
        loudness = measured.map {
            Loudness(
                integrated: $0.integrated.known, range: facts.seconds < 0.4 ? nil : $0.range.known,
                maximumMomentary: $0.maximumMomentary.known,
                maximumShortTerm: $0.maximumShortTerm.known)
        }
        samplePeak = measured.flatMap { Decibels.of(amplitude: $0.samplePeak).known }
        truePeak = measured.flatMap { Decibels.of(amplitude: $0.truePeak).known }
        clipping = Clipping(
            places: facts.waveform.clippings,
            first: info.sampleRate > 0
                ? facts.waveform.firstClipping.flatMap { (Double($0) / info.sampleRate).known } : nil)
    }

    /// One array of all files, sorted keys, ending in a line break.
    static func document(_ facts: [SoundFactsJSON]) throws -> String {
        try JSONText.document(facts)
    }
}
