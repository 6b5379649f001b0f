/// A source's mixing properties, which act at the mixers it feeds.
package struct SourceMixing: Codable, Equatable, Sendable {
    /// How a point is placed between outputs. Numbers are AVAudio3DMixingRenderingAlgorithm's.
    package enum Algorithm: Int, Codable, Sendable {
        case equalPowerPanning = 0
        case sphericalHead = 1
        case hrtf = 2
        case soundField = 3
        case stereoPassThrough = 5
        case hrtfHighQuality = 6
        case automatic = 7
    }

    /// What the channels of a source are. Numbers are AVAudio3DMixingSourceMode's.
    package enum Mode: Int, Codable, Sendable {
        case spatializeIfMono = 0
        case bypass = 1
        case pointSource = 2
        case ambienceBed = 3
    }

    /// Gain, 0 … 1.
    package var volume: Float = 1
    /// −1 (left) … 1 (right).
    package var pan: Float = 0
    package var algorithm = Algorithm.equalPowerPanning
    package var mode = Mode.spatializeIfMono
    /// Whether a point source inside the head goes channel by channel to the outputs, instead of alike to both ears.
    package var bypassesInsideHead = false
    /// Speed of playback, 0.5 … 2, pitch with it.
    package var rate: Float = 1
    /// Share sent to the reverb, 0 … 1.
    package var reverbBlend: Float = 0
    /// Loss of the direct path in dB at 5 kHz, −100 … 0.
    package var obstruction: Float = 0
    /// Loss of the direct path and the reverb in dB at 5 kHz, −100 … 0.
    package var occlusion: Float = 0
    /// Metres.
    package var position = SIMD3<Float>.zero

    package init() {}
}
