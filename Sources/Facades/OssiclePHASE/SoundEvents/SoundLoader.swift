import Foundation
import OssicleAVFAudio
import OssicleChannels
import OssicleFiles
import OssicleMessages
import OssicleSoundEvents
import OssicleSpatial

/// Makes a `RegisteredSound` of a file or of memory, and says what is wrong with it in the registry's errors.
struct SoundLoader {
    let identifier: String
    /// Frames of a streamed file that are kept in memory: a third of a second at 48 kHz.
    private static let headFrames: Int64 = 1 << 14
    /// What the client says the channels are.
    let layout: AVAudioChannelLayout?
    let normalise: Bool

    // MARK: Files

    func load(_ url: URL, streamed: Bool) throws -> RegisteredSound {
        guard let path = url.localPath else {
            throw PHASEAssetError(
                .failedToLoad, "Sound “\(identifier)”: \(url) is not a local file; download it first.")
        }
        do {
            return streamed ? try stream(path) : try reside(path)
        } catch let error as AudioFileError {
            throw PHASEAssetError(.failedToLoad, "Sound “\(identifier)” was not registered: \(error)")
        }
    }

    private func reside(_ path: String) throws -> RegisteredSound {
        let audio = try ResidentAudio(path: path)
        for warning in audio.warnings {
            StandardError.write("Ossicle: sound “\(identifier)”, file \"\(path)\": \(warning.text).\n")
        }
        return try make(
            .resident(audio), audio.sampleRate, audio.channelCount, Int64(audio.frameCount), audio.channelLabels,
            loudness: normalise ? LoudnessMeasurement(audio) : nil)
    }

    private func stream(_ path: String) throws -> RegisteredSound {
        let info = try AudioFileProbe.probe(path: path)
        let head = try ResidentAudio(path: path, atMost: Self.headFrames)
        return try make(
            .streamed(path: path, head: head), info.sampleRate, info.channelCount, info.frameCount, info.channelLabels,
            loudness: normalise ? LoudnessMeasurement(path: path) : nil)
    }

    // MARK: Memory

    func load(_ data: Data, _ format: AVAudioFormat) throws -> RegisteredSound {
        let sampleFormats: [AVAudioCommonFormat: RawSampleFormat] = [
            .pcmFormatFloat32: .float32, .pcmFormatFloat64: .float64, .pcmFormatInt16: .int16, .pcmFormatInt32: .int32,
        ]
        guard let sampleFormat = sampleFormats[format.commonFormat] else {
            throw refusal("its format \(format) is not Float32, Float64, Int16 or Int32 PCM; convert the data first.")
        }
        let bytesPerFrame = sampleFormat.byteCount * Int(format.channelCount)
        guard !data.isEmpty, data.count % bytesPerFrame == 0 else {
            throw refusal(
                "\(data.count) bytes are not a whole number of frames of \(bytesPerFrame) bytes, one or more; pass complete frames."
            )
        }
        let (channels, rate, labels) = (
            Int(format.channelCount), format.sampleRate, Self.labels(format.channelLayout)
        )
        let audio = data.withUnsafeBytes { bytes in
            format.isInterleaved
                ? ResidentAudio(
                    interleaved: bytes, format: sampleFormat, channelCount: channels, sampleRate: rate,
                    channelLabels: labels)
                : ResidentAudio(
                    planar: bytes, format: sampleFormat, channelCount: channels, sampleRate: rate, channelLabels: labels
                )
        }
        guard let audio else { throw refusal("its format \(format) has no usable channel count or sample rate.") }
        return try make(
            .resident(audio), audio.sampleRate, audio.channelCount, Int64(audio.frameCount), nil,
            loudness: normalise ? LoudnessMeasurement(audio) : nil)
    }

    // MARK: Both

    /// The labels of a layout; nil for none, and for one that describes no channels.
    private static func labels(_ layout: AVAudioChannelLayout?) -> [UInt32]? {
        guard let labels = layout?.channelLabels, !labels.isEmpty else { return nil }
        return labels
    }

    private func make(
        _ samples: RegisteredSound.Samples, _ sampleRate: Double, _ channelCount: Int, _ frameCount: Int64,
        _ fileLabels: [UInt32]?,
        loudness: LoudnessMeasurement?
    ) throws -> RegisteredSound {
        if let layout, layout.channelCount != AVAudioChannelCount(channelCount) {
            throw refusal(
                "the layout given has \(layout.channelCount) channels, the sound has \(channelCount); pass a layout with as many, or nil."
            )
        }
        let labels =
            fileLabels ?? Self.labels(layout) ?? ChannelLabel.usual(channelCount)
        guard labels != nil else {
            throw refusal("it has \(channelCount) channels and no channel layout; pass one for more than two channels.")
        }
        return RegisteredSound(
            samples: samples, sampleRate: sampleRate, channelCount: channelCount, frameCount: frameCount,
            normalisation: loudness.map(Self.gain) ?? 1)
    }

    /// Rounded to a hundredth of a decibel: the meter's last bits depend on the processor's maths library, the sound
    /// must not.
    private static func gain(_ measured: LoudnessMeasurement) -> Double {
        func rounded(_ decibels: Double) -> Double { (decibels * 100).rounded() / 100 }
        return LoudnessNormalisation.gain(
            loudness: rounded(measured.integrated), truePeak: rounded(measured.truePeakDecibels))
    }

    private func refusal(_ text: String) -> any Error {
        PHASEAssetError(.badParameters, "Sound “\(identifier)” was not registered: \(text)")
    }
}
