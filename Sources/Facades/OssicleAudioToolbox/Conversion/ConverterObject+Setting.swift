// The properties of converters: setting.

import OssicleCodecs
import OssicleConversion
import OssicleProperties

extension ConverterObject {
    /// Takes a new value. Values out of range are refused, not clamped.
    func setProperty(_ id: AudioConverterPropertyID, _ data: PropertyData) throws(StatusError) {
        switch id {
        case kAudioConverterSampleRateConverterComplexity: try setComplexity(try data.value())
        case kAudioConverterSampleRateConverterQuality: converter.settings.rateQuality = Int(try data.quality())
        case kAudioConverterSampleRateConverterInitialPhase: try require(try data.value(Float64.self) == 0)
        case kAudioConverterPrimeMethod: try setPrimeMethod(try data.value())
        case kAudioConverterChannelMap: try setChannelMap(try data.list())
        case kAudioConverterInputChannelLayout, kAudioConverterOutputChannelLayout:
            guard let labels = ChannelLayoutBytes.labels(data.bytes) else {
                throw StatusError(kAudioConverterErr_BadPropertySizeError)
            }
            try setLabels(labels, ofInput: id == kAudioConverterInputChannelLayout)
        case kAudioConverterPropertyDithering:
            let algorithm: UInt32 = try data.value()
            try require(algorithm <= kDitherAlgorithm_NoiseShaping)
            ditherAlgorithm = algorithm
            converter.settings.dithers = algorithm > 0
        case kAudioConverterPropertyBitDepthHint, kAudioConverterPropertyDitherBitDepth:
            try require(try data.value(UInt32.self) == target.bits)
        case kAudioConverterPrimeInfo where !source.isPCM: try setTrim(try data.value())
        case kAudioConverterDecompressionMagicCookie where !source.isPCM: converter.cookie = Array(data.bytes)
        case _ where source.isPCM && !target.isPCM: try setEncoder(id, data)
        default: throw refusal(id)
        }
    }

    private func setEncoder(_ id: AudioConverterPropertyID, _ data: PropertyData) throws(StatusError) {
        switch id {
        case kAudioConverterCodecQuality, kAudioCodecPropertySoundQualityForVBR:
            converter.settings.encoder.quality = Double(try data.quality()) / 127
        case kAudioCodecPropertyBitRateControlMode:
            guard let strategy = EncoderSettings.Strategy(number: try data.value()) else {
                throw StatusError(kAudioConverterErr_OperationNotSupported)
            }
            converter.settings.encoder.strategy = strategy
        case kAudioConverterEncodeAdjustableSampleRate:
            let rate: Float64 = try data.value()
            try require(rate == target.sampleRate || rate == 0)
        case kAudioConverterEncodeBitRate:
            let rate = Int(try data.value(UInt32.self))
            try require(encoderRange?.bitRates?.contains(rate) ?? true)
            converter.settings.encoder.bitRate = rate
        default: throw refusal(id)
        }
    }

    private func setComplexity(_ number: UInt32) throws(StatusError) {
        guard let algorithm = ConversionSettings.RateAlgorithm(complexity: number) else {
            throw StatusError(kAudioConverterErr_OperationNotSupported)
        }
        converter.settings.rateAlgorithm = algorithm
        if number == kAudioConverterSampleRateConverterComplexity_Linear { converter.settings.rateQuality = 0 }
    }

    private func setPrimeMethod(_ number: UInt32) throws(StatusError) {
        guard let method = ConversionSettings.PrimeMethod(number: number) else {
            throw StatusError(kAudioConverterErr_OperationNotSupported)
        }
        converter.settings.primeMethod = method
    }

    /// Apple Lossless tells the length of its last packet, so its decoder gives nothing behind, whatever the file's
    /// table says of whole packets.
    private func setTrim(_ trim: AudioConverterPrimeInfo) throws(StatusError) {
        try require(max(trim.leadingFrames, trim.trailingFrames) <= ConversionSettings.largestTrim)
        converter.settings.leadingTrim = Int(trim.leadingFrames)
        converter.settings.trailingTrim =
            source.packets?.codec.descriptor.formatID == kAudioFormatAppleLossless ? 0 : Int(trim.trailingFrames)
    }

    private func setChannelMap(_ map: [Int32]) throws(StatusError) {
        guard map.count == target.channelCount else { throw StatusError(kAudioConverterErr_BadPropertySizeError) }
        try require(map.allSatisfy { $0 < source.channelCount })
        converter.settings.channelMap = map.map { Int($0) }
    }

    private func require(_ condition: Bool) throws(StatusError) {
        guard condition else { throw StatusError(kAudioConverterErr_OperationNotSupported) }
    }

    /// A property that can only be read, or one this converter does not have.
    private func refusal(_ id: AudioConverterPropertyID) -> StatusError {
        do throws(StatusError) {
            _ = try property(id, .nothing)
            return StatusError(kAudioConverterErr_OperationNotSupported)
        } catch {
            return error
        }
    }
}

extension PropertyData {
    /// A quality, 0 to 127.
    fileprivate func quality() throws(StatusError) -> UInt32 {
        let quality: UInt32 = try value()
        guard quality <= kAudioConverterQuality_Max else { throw StatusError(kAudioConverterErr_OperationNotSupported) }
        return quality
    }
}

extension ConversionSettings.RateAlgorithm {
    var complexity: UInt32 {
        switch self {
        case .normal: kAudioConverterSampleRateConverterComplexity_Normal
        case .mastering: kAudioConverterSampleRateConverterComplexity_Mastering
        case .minimumPhase: kAudioConverterSampleRateConverterComplexity_MinimumPhase
        }
    }

    init?(complexity: UInt32) {
        switch complexity {
        case kAudioConverterSampleRateConverterComplexity_Linear, kAudioConverterSampleRateConverterComplexity_Normal:
            self = .normal
        case kAudioConverterSampleRateConverterComplexity_Mastering: self = .mastering
        case kAudioConverterSampleRateConverterComplexity_MinimumPhase: self = .minimumPhase
        default: return nil
        }
    }
}

extension ConversionSettings.PrimeMethod {
    private static let inOrder: [ConversionSettings.PrimeMethod] = [.pre, .normal, .none]

    var number: UInt32 { UInt32(clamping: Self.inOrder.firstIndex(of: self) ?? 0) }

    init?(number: UInt32) {
        guard number < Self.inOrder.count else { return nil }
        self = Self.inOrder[Int(number)]
    }
}

extension EncoderSettings.Strategy {
    private static let inOrder: [EncoderSettings.Strategy] = [
        .constant, .longTermAverage, .variableConstrained, .variable,
    ]

    var number: UInt32 { UInt32(clamping: Self.inOrder.firstIndex(of: self) ?? 0) }

    init?(number: UInt32) {
        guard number < Self.inOrder.count else { return nil }
        self = Self.inOrder[Int(number)]
    }
}
