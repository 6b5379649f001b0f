// What of a sample a codec can keep.

import OssicleCodecs

/// Brings samples into the range and onto the steps of a codec, before any encoder sees them.
struct StorableSamples {
    private let quantizer: SampleQuantizer?
    private let isClipped: Bool
    private let isDouble: Bool

    init(_ codec: AudioCodec) {
        quantizer = codec.isInteger ? SampleQuantizer(bits: codec.bitDepth) : nil
        // These code 16-bit integers, and would take what is beyond full scale for something else.
        isClipped = [.muLaw, .aLaw, .imaADPCM, .ima4, .microsoftADPCM].contains(codec)
        isDouble = codec == .float64
    }

    /// The sample as it is kept: integers by Apple's rule, companded and ADPCM clipped; `nil` for what is not finite in the codec's precision.
    func stored(_ sample: Double) -> Double? {
        guard isDouble ? sample.isFinite : Float(sample).isFinite else { return nil }
        if let quantizer { return quantizer.sample(quantizer.quantize(sample)) }
        return isClipped ? min(max(sample, -1), 1) : sample
    }
}
