/// What every effect with as many frames out as in offers to the renderer that runs it.
///
/// A kernel owns its memory: it allocates in `init`, on the control side, and never again. `process` cut into any pieces gives the
/// same bytes as in one. Inputs and outputs never overlap, and there are as many of either as the kernel has channels.
package protocol EffectKernel: ~Copyable {
    /// Plain values in the client's units, clamped before they come here.
    associatedtype Parameters: BitwiseCopyable

    /// - Parameters:
    ///   - sampleRate: Hz.
    ///   - parameters: in force at once.
    init(sampleRate: Double, channelCount: Int, parameters: Parameters)

    /// Takes up new parameters, on the audio thread at a control point. Where a jump would click, the kernel glides to them over
    /// frames counted from here, unless `atOnce`.
    mutating func take(_ parameters: Parameters, atOnce: Bool)

    mutating func process(from inputs: UnsafePointer<UnsafeMutablePointer<Float>>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
                          frames: Int)

    /// Forgets everything it has heard; its parameters stay.
    mutating func reset()

    /// Frames by which the output lags behind the input.
    static func latency(_ parameters: Parameters, sampleRate: Double) -> Int

    /// Seconds until the output has fallen by 60 dB after the input fell silent.
    static func tailTime(_ parameters: Parameters, sampleRate: Double) -> Double
}

extension EffectKernel where Self: ~Copyable {
    package static func latency(_ parameters: Parameters, sampleRate: Double) -> Int { 0 }
}
