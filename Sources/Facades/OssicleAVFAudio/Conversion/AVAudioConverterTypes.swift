// The small types of the converter.

import OssicleCodecs
import OssicleConversion

/// How a change of rate treats the edges of a stream.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
    /// The input brings extra frames before and behind.
    case pre = 0
    /// The input brings extra frames behind; before the first there is silence. No latency. The default.
    case normal = 1
    /// No extra frames: the output comes later by the trailing frames.
    case none = 2
}

/// Frames of input around those that sound.
public struct AVAudioConverterPrimeInfo: Equatable, Sendable {
    /// Frames before the first.
    public var leadingFrames: AVAudioFrameCount
    /// Frames behind the last.
    public var trailingFrames: AVAudioFrameCount

    /// None.
    public init() { self.init(leadingFrames: 0, trailingFrames: 0) }

    /// The given numbers of frames.
    public init(leadingFrames: AVAudioFrameCount, trailingFrames: AVAudioFrameCount) {
        self.leadingFrames = leadingFrames
        self.trailingFrames = trailingFrames
    }
}

/// What an input block has to say about what it returns.
public enum AVAudioConverterInputStatus: Int, Sendable {
    /// The buffer is the next of the stream.
    case haveData = 0
    /// Nothing now; the stream continues later.
    case noDataNow = 1
    /// The stream is over.
    case endOfStream = 2
}

/// What came of a conversion.
public enum AVAudioConverterOutputStatus: Int, Sendable {
    /// As much as was asked for, or the last of the stream.
    case haveData = 0
    /// As much as the input was good for, perhaps nothing; call again when there is more.
    case inputRanDry = 1
    /// The stream is over and nothing came.
    case endOfStream = 2
    /// It went wrong; the error tells how.
    case error = 3
}

/// Gives a converter its next input: gets the number of packets (frames of linear PCM) that would be welcome, a hint,
/// and returns a buffer that must not change before the next call.
public typealias AVAudioConverterInputBlock =
    @Sendable (
        _ inNumberOfPackets: AVAudioPacketCount, _ outStatus: UnsafeMutablePointer<AVAudioConverterInputStatus>
    ) -> AVAudioBuffer?

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
        (.variableConstrained, AVAudioBitRateStrategy_VariableConstrained),
        (.variable, AVAudioBitRateStrategy_Variable),
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
