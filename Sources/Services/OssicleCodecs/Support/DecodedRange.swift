/// What a decoder may give, whatever its packets hold.
package enum DecodedRange {
    /// The largest magnitude of a sample out of a lossy codec: +24 dBFS. Honest overshoot of full scale stays within some decibels, and a float
    /// encoder that was given headroom keeps it; a damaged packet decodes to 10⁶ and more, which no loudspeaker should get.
    package static let lossyPeak = 16.0
    /// The same of a lossless codec of integers, whose samples have no room above full scale.
    package static let integerPeak = 1.0

    /// `sample` within ±`peak`; 0 where it is not a number.
    package static func clamp(_ sample: Double, to peak: Double = lossyPeak) -> Double {
        sample.isNaN ? 0 : min(max(sample, -peak), peak)
    }
}

extension AudioCodec {
    /// The largest magnitude a decoder may give; infinite where samples lie in the file as floating point.
    package var decodedPeak: Double {
        switch self {
        case .vorbis, .opus, .mp1, .mp2, .mp3, .aac, .heAAC, .heAACv2, .other: DecodedRange.lossyPeak
        case .float32, .float64: .infinity
        default: DecodedRange.integerPeak
        }
    }
}
