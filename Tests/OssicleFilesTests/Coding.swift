import OssicleCodecs
import Testing
@testable import OssicleFiles

/// A container and codec, with what is known of it.
struct Coding: Sendable, CustomTestStringConvertible {
    let name: String
    let container: AudioContainer
    let codec: AudioCodec
    var isBigEndian: Bool?
    /// Frames are padded to packets of so many, because the container has no place for the true number.
    var padding = 1
    var testDescription: String { name }

    /// Largest error of a sample of single precision when read back; `nil` for lossy codecs. Beyond 24 bits single
    /// precision is the limit.
    var step: Float? {
        guard codec.isLossless else { return nil }
        return codec.isFloat ? 0 : 2 / Float(1 << min(codec.bitDepth, 24))
    }

    func length(_ frames: Int) -> Int { (frames + padding - 1) / padding * padding }

    static let wave: [Coding] = [
        Coding(name: "8.wav", container: .wav, codec: .pcm8Unsigned),
        Coding(name: "16.wav", container: .wav, codec: .pcm16),
        Coding(name: "24.wav", container: .wav, codec: .pcm24), Coding(name: "32.wav", container: .wav, codec: .pcm32),
        Coding(name: "f32.wav", container: .wav, codec: .float32),
        Coding(name: "f64.wav", container: .wav, codec: .float64),
        Coding(name: "ulaw.wav", container: .wav, codec: .muLaw),
        Coding(name: "alaw.wav", container: .wav, codec: .aLaw),
        Coding(name: "ima.wav", container: .wav, codec: .imaADPCM),
        Coding(name: "ms.wav", container: .wav, codec: .microsoftADPCM),
        Coding(name: "16be.wav", container: .wav, codec: .pcm16, isBigEndian: true),
        Coding(name: "f32be.wav", container: .wav, codec: .float32, isBigEndian: true),
        Coding(name: "8.rf64", container: .rf64, codec: .pcm8Unsigned),
        Coding(name: "16.rf64", container: .rf64, codec: .pcm16),
        Coding(name: "24.rf64", container: .rf64, codec: .pcm24),
        Coding(name: "32.rf64", container: .rf64, codec: .pcm32),
        Coding(name: "f32.rf64", container: .rf64, codec: .float32),
        Coding(name: "f64.rf64", container: .rf64, codec: .float64),
        Coding(name: "ulaw.rf64", container: .rf64, codec: .muLaw),
        Coding(name: "alaw.rf64", container: .rf64, codec: .aLaw),
        Coding(name: "8.w64", container: .wave64, codec: .pcm8Unsigned),
        Coding(name: "16.w64", container: .wave64, codec: .pcm16),
        Coding(name: "24.w64", container: .wave64, codec: .pcm24),
        Coding(name: "32.w64", container: .wave64, codec: .pcm32),
        Coding(name: "f32.w64", container: .wave64, codec: .float32),
        Coding(name: "f64.w64", container: .wave64, codec: .float64),
        Coding(name: "ulaw.w64", container: .wave64, codec: .muLaw),
        Coding(name: "alaw.w64", container: .wave64, codec: .aLaw),
        Coding(name: "ima.w64", container: .wave64, codec: .imaADPCM),
        Coding(name: "ms.w64", container: .wave64, codec: .microsoftADPCM),
    ]

    static let apple: [Coding] = [
        Coding(name: "8.aiff", container: .aiff, codec: .pcm8),
        Coding(name: "16.aiff", container: .aiff, codec: .pcm16),
        Coding(name: "24.aiff", container: .aiff, codec: .pcm24),
        Coding(name: "32.aiff", container: .aiff, codec: .pcm32),
        Coding(name: "f32.aifc", container: .aiff, codec: .float32),
        Coding(name: "f64.aifc", container: .aiff, codec: .float64),
        Coding(name: "ulaw.aifc", container: .aiff, codec: .muLaw),
        Coding(name: "alaw.aifc", container: .aiff, codec: .aLaw),
        Coding(name: "ima4.aifc", container: .aiff, codec: .ima4, padding: 64),
        Coding(name: "16le.aifc", container: .aiff, codec: .pcm16, isBigEndian: false),
        Coding(name: "8.caf", container: .caf, codec: .pcm8), Coding(name: "ulaw.caf", container: .caf, codec: .muLaw),
        Coding(name: "alaw.caf", container: .caf, codec: .aLaw),
        Coding(name: "16.caf", container: .caf, codec: .pcm16, isBigEndian: true),
        Coding(name: "24.caf", container: .caf, codec: .pcm24, isBigEndian: true),
        Coding(name: "32.caf", container: .caf, codec: .pcm32, isBigEndian: true),
        Coding(name: "f32.caf", container: .caf, codec: .float32, isBigEndian: true),
        Coding(name: "f64.caf", container: .caf, codec: .float64, isBigEndian: true),
        Coding(name: "16le.caf", container: .caf, codec: .pcm16, isBigEndian: false),
        Coding(name: "24le.caf", container: .caf, codec: .pcm24, isBigEndian: false),
        Coding(name: "32le.caf", container: .caf, codec: .pcm32, isBigEndian: false),
        Coding(name: "f32le.caf", container: .caf, codec: .float32, isBigEndian: false),
        Coding(name: "f64le.caf", container: .caf, codec: .float64, isBigEndian: false),
        Coding(name: "alac16.caf", container: .caf, codec: .alac16),
        Coding(name: "alac20.caf", container: .caf, codec: .alac20),
        Coding(name: "alac24.caf", container: .caf, codec: .alac24),
        Coding(name: "alac32.caf", container: .caf, codec: .alac32),
        Coding(name: "16flac.caf", container: .caf, codec: .flac16),
        Coding(name: "24flac.caf", container: .caf, codec: .flac24),
        Coding(name: "opus.caf", container: .caf, codec: .opus),
        Coding(name: "ima4.caf", container: .caf, codec: .ima4),
    ]

    static let others: [Coding] = [
        Coding(name: "8.au", container: .au, codec: .pcm8), Coding(name: "16.au", container: .au, codec: .pcm16),
        Coding(name: "24.au", container: .au, codec: .pcm24),
        Coding(name: "32.au", container: .au, codec: .pcm32), Coding(name: "f32.au", container: .au, codec: .float32),
        Coding(name: "f64.au", container: .au, codec: .float64),
        Coding(name: "ulaw.au", container: .au, codec: .muLaw), Coding(name: "alaw.au", container: .au, codec: .aLaw),
        Coding(name: "8.flac", container: .flac, codec: .flac8),
        Coding(name: "16.flac", container: .flac, codec: .flac16),
        Coding(name: "24.flac", container: .flac, codec: .flac24),
        Coding(name: "a.mp3", container: .mpeg, codec: .mp3), Coding(name: "a.ogg", container: .ogg, codec: .vorbis),
        Coding(name: "a.opus", container: .ogg, codec: .opus),
    ]

    /// Every combination that is written without FFmpeg.
    static let all = wave + apple + others
    static let linear = all.filter { $0.codec.isLinear }
    static let lossless = all.filter { $0.codec.isLossless }
    static let lossy = all.filter { !$0.codec.isLossless }

    func request(
        _ path: String, rate: Double = 48_000, channels: Int, labels: [UInt32]? = nil,
        settings: EncoderSettings = EncoderSettings(),
        metadata: AudioMetadata = AudioMetadata()
    ) -> FileEncoderRequest {
        FileEncoderRequest(
            path: path, container: container, codec: codec, sampleRate: rate, channelCount: channels,
            channelLabels: labels, settings: settings,
            metadata: metadata, isBigEndian: isBigEndian)
    }
}
