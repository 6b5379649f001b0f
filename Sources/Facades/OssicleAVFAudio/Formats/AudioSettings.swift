// A settings dictionary, understood.

import OssicleAudioToolbox
import OssicleCodecs
import OssicleCoreAudioTypes

/// The values of a settings dictionary that describe a format.
struct AudioSettings {
    let formatID: AudioFormatID
    let sampleRate: Double
    let channelCount: UInt32
    /// Of linear PCM, and of what a lossless encoder is to keep.
    let bitDepth: Int
    let isFloat: Bool
    let isBigEndian: Bool
    let isInterleaved: Bool
    let layout: AVAudioChannelLayout?
    let encoder: EncoderSettings

    /// `nil` when format, rate or channels are missing, or when a value has the wrong type. The depth is 16 bits
    /// where none is given, 32 for floating point.
    init?(_ settings: [String: Any]) {
        guard let id = Self.number(settings[AVFormatIDKey]).flatMap({ UInt32(exactly: $0) }),
            let rate = Self.number(settings[AVSampleRateKey]), rate.isFinite, rate > 0,
            let channels = Self.number(settings[AVNumberOfChannelsKey]).flatMap({ UInt32(exactly: $0) }), channels > 0,
            let isFloat = Self.flag(settings[AVLinearPCMIsFloatKey]),
            let isBigEndian = Self.flag(settings[AVLinearPCMIsBigEndianKey]),
            let isPlanar = Self.flag(settings[AVLinearPCMIsNonInterleaved]),
            let bitDepth = Self.bitDepth(settings, id, isFloat: isFloat),
            let encoder = EncoderSettings(settings, channels: Int(channels))
        else { return nil }
        formatID = id
        sampleRate = rate
        channelCount = channels
        self.isFloat = isFloat
        self.isBigEndian = isBigEndian
        isInterleaved = !isPlanar
        self.bitDepth = bitDepth
        self.encoder = encoder
        if let data = settings[AVChannelLayoutKey] {
            guard let layout = (data as? Data).flatMap({ AVAudioChannelLayout(data: $0) }),
                layout.channelCount == channels
            else { return nil }
            self.layout = layout
        } else {
            layout = nil
        }
    }

    /// The format of the samples these settings ask for.
    var streamDescription: AudioStreamBasicDescription {
        if formatID == kAudioFormatLinearPCM {
            return StreamFormat.pcm(
                PCMFormat(
                    sampleRate: sampleRate, channelCount: Int(channelCount), kind: isFloat ? .float : .signed,
                    bits: bitDepth, isBigEndian: isBigEndian, isInterleaved: isInterleaved)
            ).described()
        }
        var asbd = AudioStreamBasicDescription()
        asbd.mSampleRate = sampleRate
        asbd.mFormatID = formatID
        asbd.mFormatFlags = SourceDepth.flag(keeping: bitDepth, of: formatID)
        asbd.mChannelsPerFrame = channelCount
        return StreamFormat(asbd)?.described() ?? asbd
    }

    /// 8, 16, 24 or 32 bits, 64 in floating point; `nil` for any other. For an encoder its hint goes first, any number
    /// of 8 ... 32.
    private static func bitDepth(_ settings: [String: Any], _ id: AudioFormatID, isFloat: Bool) -> Int? {
        if id != kAudioFormatLinearPCM, let hint = settings[AVEncoderBitDepthHintKey] {
            return number(hint).flatMap { Int(exactly: $0) }.flatMap { (8...32).contains($0) ? $0 : nil }
        }
        guard let value = settings[AVLinearPCMBitDepthKey] else { return isFloat ? 32 : 16 }
        guard let depth = number(value).flatMap({ Int(exactly: $0) }) else { return nil }
        return (isFloat ? [32, 64] : [8, 16, 24, 32]).contains(depth) ? depth : nil
    }

    /// False when the value is missing, `nil` when it is no truth value.
    private static func flag(_ value: Any?) -> Bool? {
        guard let value else { return false }
        return number(value).map { $0 != 0 }
    }

    /// The number in a value of any numeric type.
    static func number(_ value: Any?) -> Double? {
        switch value {
        case let value as NSNumber: value.doubleValue
        case let value as any BinaryInteger: Double(value)
        case let value as any BinaryFloatingPoint: Double(value)
        default: nil
        }
    }
}

extension EncoderSettings {
    /// What a settings dictionary asks of an encoder; `nil` when a value has the wrong type. A rate of the whole stream
    /// goes before one per channel, and the quality for variable rates before the general one where the strategy is
    /// variable.
    init?(_ settings: [String: Any], channels: Int) {
        self.init()
        guard let rate = Self.whole(settings[AVEncoderBitRateKey]),
            let channelRate = Self.whole(settings[AVEncoderBitRatePerChannelKey]),
            let general = Self.whole(settings[AVEncoderAudioQualityKey]),
            let variable = Self.whole(settings[AVEncoderAudioQualityForVBRKey])
        else { return nil }
        if let name = settings[AVEncoderBitRateStrategyKey] {
            guard let strategy = (name as? String).flatMap({ Strategy(name: $0) }) else { return nil }
            self.strategy = strategy
        }
        let most = Int(Int32.max)
        bitRate = rate.map { min($0, most) } ?? channelRate.map { min($0, most / channels) * channels }
        quality = (strategy == .variable ? variable ?? general : general ?? variable)
            .map { min(Double($0) / Double(AVAudioQuality.max.rawValue), 1) }
    }

    /// The whole number in a value: `.some(nil)` without a value, `nil` when it is none or negative.
    private static func whole(_ value: Any?) -> Int?? {
        guard let value else { return .some(nil) }
        guard let number = AudioSettings.number(value).flatMap({ Int(exactly: $0) }), number >= 0 else { return nil }
        return .some(number)
    }
}
