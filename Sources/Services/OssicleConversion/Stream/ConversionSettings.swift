import OssicleCodecs

/// How a converter goes about its work. The channel map, `downmixes` and `dithers` may change in the middle of a
/// stream; the rest is applied when a stream begins: by the first call, and by the first after `reset`.
package struct ConversionSettings: Equatable, Sendable {
    /// The kind of low-pass behind a change of rate.
    package enum RateAlgorithm: Sendable {
        /// Linear phase.
        case normal
        /// Linear phase with the steepest flank.
        case mastering
        /// No ringing before the sound.
        case minimumPhase
    }

    /// What a change of rate asks of the input beyond the frames it gives.
    package enum PrimeMethod: Sendable {
        /// Frames before and behind: the first input frames, as many as `Converter.priming` tells, only lead to the
        /// frame where the output begins. Where no output frame falls on it, the nearest within a few thousandths of
        /// one does.
        case pre
        /// Frames behind; those before are taken as silence. The output has no latency.
        case normal
        /// None: the output comes later by the trailing frames that `normal` would ask for. It is no longer for that:
        /// as much of the sound stays inside at the end.
        case none
    }

    /// 0 ... 127, in Apple's five steps 0, 32, 64, 96, 127; see `RateRecipe`.
    package var rateQuality = 0x40
    package var rateAlgorithm = RateAlgorithm.normal
    package var primeMethod = PrimeMethod.normal
    /// For each output channel the input channel it takes, or a negative number for silence; `nil` follows the layouts.
    package var channelMap: [Int]?
    /// Whether channels the output lacks are mixed into those it has (`ChannelMixing`) or dropped (`ChannelMapping`).
    package var downmixes = false
    /// Whether noise hides what the loss of bits does, where bits are lost.
    package var dithers = false
    package var encoder = EncoderSettings()
    /// Frames dropped at the beginning and the end of what a decoder gives: the priming and the remainder its encoder
    /// left, as the file or the sender tells them, 0 ... `largestTrim`.
    package var leadingTrim = 0
    package var trailingTrim = 0

    /// About 20 seconds: the converter holds back the trailing frames in memory.
    package static let largestTrim = 1 << 20

    package init() {}
}
