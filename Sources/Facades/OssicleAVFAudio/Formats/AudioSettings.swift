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

    /// `nil` when format, rate or channels are missing, or when a value has the wrong type. The depth is 16 bits if not told,
    /// 32 for floating point.
    init?(_ settings: [String: Any]) {
        guard let id = Self.number(settings[AVFormatIDKey]).flatMap({ UInt32(exactly: $0) }),
              let rate = Self.number(settings[AVSampleRateKey]), rate.isFinite, rate > 0,
              let channels = Self.number(settings[AVNumberOfChannelsKey]).flatMap({ UInt32(exactly: $0) }), channels > 0,
              let isFloat = Self.flag(settings[AVLinearPCMIsFloatKey]), let isBigEndian = Self.flag(settings[AVLinearPCMIsBigEndianKey]),
              let isPlanar = Self.flag(settings[AVLinearPCMIsNonInterleaved]), let bitDepth = Self.bitDepth(settings, id, isFloat: isFloat),
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
            guard let layout = (data as? Data).flatMap({ AVAudioChannelLayout(data: $0) }), layout.channelCount == channels else { return nil }
            self.layout = layout
        } else {
            layout = nil
        }
    }

    /// The format of the samples these settings ask for.
    var streamDescription: AudioStreamBasicDescription {
        if formatID == kAudioFormatLinearPCM {
            return StreamFormat.pcm(PCMFormat(sampleRate: sampleRate, channelCount: Int(channelCount), kind: isFloat ? .float : .signed,
                                              bits: bitDepth, isBigEndian: isBigEndian, isInterleaved: isInterleaved)).description
        }
        var asbd = AudioStreamBasicDescription()
        asbd.mSampleRate = sampleRate
        asbd.mFormatID = formatID
        asbd.mFormatFlags = SourceDepth.flag(formatID, keeping: bitDepth)
        asbd.mChannelsPerFrame = channelCount
        return StreamFormat(asbd)?.description ?? asbd
    }

    /// 8, 16, 24 or 32 bits, 64 in floating point; `nil` for any other. For an encoder its hint goes first, any number of 8 ... 32.
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

extension AVAudioFormat {
    /// The format as a settings dictionary; `AVAudioFormat(settings:)` makes it again.
    public var settings: [String: Any] {
        let asbd = streamDescription.pointee
        var settings: [String: Any] = [
            AVFormatIDKey: NSNumber(value: asbd.mFormatID), AVSampleRateKey: NSNumber(value: asbd.mSampleRate),
            AVNumberOfChannelsKey: NSNumber(value: asbd.mChannelsPerFrame),
        ]
        if isPCM {
            settings[AVLinearPCMBitDepthKey] = NSNumber(value: asbd.mBitsPerChannel)
            settings[AVLinearPCMIsFloatKey] = NSNumber(value: asbd.mFormatFlags & kAudioFormatFlagIsFloat != 0)
            settings[AVLinearPCMIsBigEndianKey] = NSNumber(value: asbd.mFormatFlags & kAudioFormatFlagIsBigEndian != 0)
            settings[AVLinearPCMIsNonInterleaved] = NSNumber(value: !isInterleaved)
        } else if let depth = SourceDepth.bits(asbd) {
            settings[AVEncoderBitDepthHintKey] = NSNumber(value: depth)
        }
        if let channelLayout { settings[AVChannelLayoutKey] = channelLayout.data }
        return settings
    }
}
