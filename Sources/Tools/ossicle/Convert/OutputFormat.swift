import ArgumentParser
import Foundation
import OssicleCodecs
import OssicleFiles

/// A kind of sound file one can ask for, named as its files end.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
    case wav, aiff, caf, au, w64, rf64, flac, m4a, aac, mp3, ogg, opus

    /// The format that files with this ending have, in small or capital letters.
    init?(ending: String) {
        let ending = ending.lowercased()
        guard let format = Self.otherEndings[ending] ?? OutputFormat(rawValue: ending) else { return nil }
        self = format
    }

    private static let otherEndings: [String: OutputFormat] = [
        "wave": .wav, "aif": .aiff, "aifc": .aiff, "snd": .au, "mp4": .m4a, "m4b": .m4a, "oga": .ogg,
    ]

    /// How files end that are taken from a folder.
    static let endings = Set(allCases.map(\.rawValue)).union(otherEndings.keys).union(["adts", "mp1", "mp2"])

    var container: AudioContainer {
        switch self {
        case .wav: .wav
        case .aiff: .aiff
        case .caf: .caf
        case .au: .au
        case .w64: .wave64
        case .rf64: .rf64
        case .flac: .flac
        case .m4a: .mpeg4
        case .aac: .adts
        case .mp3: .mpeg
        case .ogg, .opus: .ogg
        }
    }

    /// What the samples are coded with unless another codec is asked for; `nil` keeps integers or floating point, as the source has them.
    var codec: CodecName? {
        switch self {
        case .wav, .aiff, .caf, .au, .w64, .rf64: nil
        case .flac: .flac
        case .m4a, .aac: .aac
        case .mp3: .mp3
        case .ogg: .vorbis
        case .opus: .opus
        }
    }
}
