// Between Apple's names of settings and the machine's.

import OssicleCodecs
import OssicleConversion

extension ConversionSettings.RateAlgorithm {
    private static let names: [(algorithm: Self, name: String)] = [
        (.normal, AVSampleRateConverterAlgorithm_Normal), (.mastering, AVSampleRateConverterAlgorithm_Mastering),
        (.minimumPhase, AVSampleRateConverterAlgorithm_MinimumPhase),
    ]

    init?(name: String) {
        guard let algorithm = Self.names.first(where: { $0.name == name })?.algorithm else { return nil }
        self = algorithm
    }

    var name: String? { Self.names.first { $0.algorithm == self }?.name }
}

extension EncoderSettings.Strategy {
    private static let names: [(strategy: Self, name: String)] = [
        (.constant, AVAudioBitRateStrategy_Constant), (.longTermAverage, AVAudioBitRateStrategy_LongTermAverage),
        (.variableConstrained, AVAudioBitRateStrategy_VariableConstrained), (.variable, AVAudioBitRateStrategy_Variable),
    ]

    init?(name: String) {
        guard let strategy = Self.names.first(where: { $0.name == name })?.strategy else { return nil }
        self = strategy
    }

    var name: String? { Self.names.first { $0.strategy == self }?.name }
}

extension ConversionSettings.PrimeMethod {
    var method: AVAudioConverterPrimeMethod {
        switch self {
        case .pre: .pre
        case .normal: .normal
        case .none: .none
        }
    }
}

extension AVAudioConverterPrimeMethod {
    var setting: ConversionSettings.PrimeMethod {
        switch self {
        case .pre: .pre
        case .normal: .normal
        case .none: .none
        }
    }
}
