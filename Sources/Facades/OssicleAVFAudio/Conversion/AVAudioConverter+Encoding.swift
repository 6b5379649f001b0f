// Bit rates and what else an encoder offers.

import OssicleAudioToolbox
import OssicleCodecs
import OssicleConversion
import OssicleCoreAudioTypes

extension AVAudioConverter {
    /// Bits per second of the encoder; 0, the default, leaves its own choice. What lies beyond its range is clamped.
    public var bitRate: Int {
        get { locked { machine.settings.encoder.bitRate ?? 0 } }
        set {
            guard let target = encoded("bitRate") else { return }
            let range = target.range(channels: target.channelCount)?.bitRates ?? 1...Int(Int32.max)
            locked {
                machine.settings.encoder.bitRate =
                    newValue > 0 ? min(max(newValue, range.lowerBound), range.upperBound) : nil
            }
        }
    }

    /// One of the `AVAudioBitRateStrategy_` strings; `nil`, the default, leaves the encoder's own choice.
    public var bitRateStrategy: String? {
        get { locked { machine.settings.encoder.strategy?.name } }
        set {
            guard encoded("bitRateStrategy") != nil else { return }
            let strategy = newValue.flatMap { EncoderSettings.Strategy(name: $0) }
            guard newValue == nil || strategy != nil else {
                errors.record(
                    fault.badSetting(
                        "bitRateStrategy \"\(newValue ?? "")\"", rule: "There are four strategies.",
                        cure: "Use one of the AVAudioBitRateStrategy constants."))
                return
            }
            locked { machine.settings.encoder.strategy = strategy }
        }
    }

    /// Usual bit rates the encoder can do with any number of channels; `nil` when the output is not encoded or bits
    /// follow the sound.
    public var availableEncodeBitRates: [NSNumber]? {
        target.flatMap { target in
            let ranges = target.channelCounts.compactMap { target.range(channels: $0)?.bitRates }
            guard let lowest = ranges.map(\.lowerBound).min(), let highest = ranges.map(\.upperBound).max() else {
                return nil
            }
            return BitRates.usual(in: lowest...highest)
        }
    }

    /// Usual bit rates the encoder can do with the output's channels and rate; `nil` when there are none to choose.
    public var applicableEncodeBitRates: [NSNumber]? {
        target.flatMap { $0.range(channels: $0.channelCount)?.bitRates }.map { BitRates.usual(in: $0) }
    }

    /// Sample rates the encoder can do, in hertz; empty when any; `nil` when the output is not encoded.
    public var availableEncodeSampleRates: [NSNumber]? {
        target.flatMap { $0.range(channels: $0.channelCount) }.map { $0.sampleRates.map { NSNumber(value: $0) } }
    }

    /// Sample rates the encoder can do with the output's channels: those of `availableEncodeSampleRates`.
    public var applicableEncodeSampleRates: [NSNumber]? { availableEncodeSampleRates }

    /// One layout tag for each number of channels the encoder can do: the order in which it takes them; `nil` when the
    /// output is not encoded.
    public var availableEncodeChannelLayoutTags: [NSNumber]? {
        target.map { target in
            Codecs.encodedLayoutTags(
                target.codec, sampleRate: target.sampleRate, channelCount: target.channelCount
            ).map { NSNumber(value: $0) }
        }
    }

    private var target: EncoderTarget? {
        guard inputFormat.isPCM, case .packets(let packets)? = outputFormat.stream else { return nil }
        return EncoderTarget(codec: packets.codec, sampleRate: packets.sampleRate, channelCount: packets.channelCount)
    }

    /// The encoder, or a recorded refusal of `property`.
    private func encoded(_ property: String) -> EncoderTarget? {
        if let target { return target }
        errors.record(
            fault.badSetting(
                "\(property) set", rule: "Only an encoder has a bit rate.",
                cure: "Set it on a converter to a compressed format."))
        return nil
    }
}

/// What is encoded.
private struct EncoderTarget {
    let codec: AudioCodec
    let sampleRate: Double
    let channelCount: Int

    func range(channels: Int) -> EncoderRange? {
        Codecs.encoderRange(codec, sampleRate: sampleRate, channelCount: channels)
    }

    var channelCounts: [Int] { range(channels: channelCount)?.channelCounts ?? [channelCount] }
}

/// Bit rates people choose from.
private enum BitRates {
    private static let ladder = [
        6, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 72, 80, 96, 112, 128, 144, 160, 192, 224, 256, 288, 320, 384, 448,
        510, 512, 576, 640, 768,
    ]

    static func usual(in range: ClosedRange<Int>) -> [NSNumber] {
        ladder.map { $0 * 1000 }.filter(range.contains).map { NSNumber(value: $0) }
    }
}
