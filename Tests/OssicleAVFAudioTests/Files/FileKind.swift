import Foundation
import Testing
@testable import OssicleAVFAudio

/// A kind of sound file, as a client asks for it.
struct FileKind: Sendable, CustomTestStringConvertible {
    enum Fidelity: Sendable {
        /// Every sample of this many bits.
        case exact(bits: Int)
        /// So much signal over noise in dB for two tones.
        case lossy(Double)
    }

    let name: String
    let id: AudioFormatID
    var depth = 16
    var isFloat = false
    var isBigEndian = false
    let fidelity: Fidelity
    /// Whether the file tells its length to the frame; bare streams do not.
    var tellsLength = true

    var testDescription: String { "\(name) \(id.fourCharacters) \(depth)" }

    func settings(channels: Int = 2, rate: Double = 48_000, _ more: [String: Any] = [:]) -> [String: Any] {
        var settings: [String: Any] = [AVFormatIDKey: id, AVSampleRateKey: rate, AVNumberOfChannelsKey: channels]
        if id == kAudioFormatLinearPCM {
            (settings[AVLinearPCMBitDepthKey], settings[AVLinearPCMIsFloatKey], settings[AVLinearPCMIsBigEndianKey]) = (
                depth, isFloat, isBigEndian
            )
        } else if case .exact = fidelity {
            settings[AVEncoderBitDepthHintKey] = depth
        } else if id == kAudioFormatMPEG4AAC || id == kAudioFormatOpus {
            settings[AVEncoderBitRateKey] = 128_000 * channels
        }
        return settings.merging(more) { $1 }
    }

    private static func linear(
        _ name: String, _ depth: Int, isFloat: Bool = false, isBigEndian: Bool = false
    ) -> FileKind {
        FileKind(
            name: name, id: kAudioFormatLinearPCM, depth: depth, isFloat: isFloat, isBigEndian: isBigEndian,
            fidelity: .exact(bits: min(depth, 24)))
    }

    private static func lossless(_ name: String, _ id: AudioFormatID, _ depth: Int) -> FileKind {
        FileKind(name: name, id: id, depth: depth, fidelity: .exact(bits: depth))
    }

    static let linear: [FileKind] = [
        linear("a.wav", 8), linear("a.wav", 16), linear("a.wav", 24), linear("a.wav", 32),
        linear("a.wav", 32, isFloat: true), linear("a.wav", 64, isFloat: true),
        linear("a.aiff", 8), linear("a.aiff", 16), linear("a.aif", 24), linear("a.aifc", 32),
        linear("a.aifc", 32, isFloat: true),
        linear("a.caf", 16), linear("a.caf", 16, isBigEndian: true), linear("a.caf", 24),
        linear("a.caf", 32, isFloat: true), linear("a.caf", 64, isFloat: true, isBigEndian: true),
        linear("a.au", 16), linear("a.snd", 24), linear("a.w64", 16), linear("a.w64", 32, isFloat: true),
        linear("a.rf64", 24),
    ]

    static let compressed: [FileKind] =
        [
            lossless("a.flac", kAudioFormatFLAC, 16), lossless("a.flac", kAudioFormatFLAC, 24),
            lossless("a.caf", kAudioFormatAppleLossless, 16), lossless("a.caf", kAudioFormatAppleLossless, 24),
            FileKind(name: "a.wav", id: kAudioFormatULaw, fidelity: .lossy(33)),
            FileKind(name: "a.au", id: kAudioFormatALaw, fidelity: .lossy(33)),
            FileKind(name: "a.mp3", id: kAudioFormatMPEGLayer3, fidelity: .lossy(25)),
            FileKind(name: "a.ogg", id: kAudioFormatOpus, fidelity: .lossy(25)),
            FileKind(name: "a.opus", id: kAudioFormatOpus, fidelity: .lossy(25)),
            FileKind(name: "a.ogg", id: 0x766F_7262, fidelity: .lossy(20)),
        ] + ffmpeg

    #if FFmpeg
    static let ffmpeg: [FileKind] = [
        lossless("a.m4a", kAudioFormatAppleLossless, 16), lossless("a.m4a", kAudioFormatAppleLossless, 24),
        FileKind(name: "a.m4a", id: kAudioFormatMPEG4AAC, fidelity: .lossy(30)),
        FileKind(name: "a.mp4", id: kAudioFormatMPEG4AAC, fidelity: .lossy(30)),
        FileKind(name: "a.aac", id: kAudioFormatMPEG4AAC, fidelity: .lossy(30), tellsLength: false),
    ]
    #else
    static let ffmpeg: [FileKind] = []
    #endif
}
