// Settings of a conversion as Core Audio numbers them.

import OssicleCodecs
import OssicleConversion

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
        case kAudioConverterSampleRateConverterComplexity_Linear, kAudioConverterSampleRateConverterComplexity_Normal: self = .normal
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
    private static let inOrder: [EncoderSettings.Strategy] = [.constant, .longTermAverage, .variableConstrained, .variable]

    var number: UInt32 { UInt32(clamping: Self.inOrder.firstIndex(of: self) ?? 0) }

    init?(number: UInt32) {
        guard number < Self.inOrder.count else { return nil }
        self = Self.inOrder[Int(number)]
    }
}
