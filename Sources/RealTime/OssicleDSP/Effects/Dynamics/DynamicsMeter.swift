import OssicleCore

/// What a compressor is doing, as of the last frame it worked on. Levels are those of the held peak.
package struct DynamicsMeter: BitwiseCopyable, Hashable, Sendable {
    /// dB, 0 and above.
    package var compressionAmount: Float = 0
    /// dB re full scale, −120 and above.
    package var inputAmplitude: Float = lowest
    package var outputAmplitude: Float = lowest

    private static let lowest: Float = -120

    package init() {}

    init(_ computer: borrowing GainComputer, makeup: Float) {
        compressionAmount = computer.compressionAmount
        inputAmplitude = max(computer.level, Self.lowest)
        outputAmplitude = max(computer.level + computer.gain + Float(Decibels.of(amplitude: Double(max(makeup, 1e-6)))), Self.lowest)
    }
}
