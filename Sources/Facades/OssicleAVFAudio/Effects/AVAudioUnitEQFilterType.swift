/// Kinds of equaliser band, and which of frequency, bandwidth and gain they use.
public enum AVAudioUnitEQFilterType: Int, CaseIterable, Sendable {
    /// A bell: frequency, bandwidth, gain.
    case parametric = 0
    /// Second-order Butterworth, −3 dB at its frequency.
    case lowPass = 1
    /// Second-order Butterworth, −3 dB at its frequency.
    case highPass = 2
    /// Frequency and bandwidth: the narrower, the higher the peak.
    case resonantLowPass = 3
    /// Frequency and bandwidth: the narrower, the higher the peak.
    case resonantHighPass = 4
    /// Frequency and bandwidth.
    case bandPass = 5
    /// Frequency and bandwidth.
    case bandStop = 6
    /// Frequency and gain.
    case lowShelf = 7
    /// Frequency and gain.
    case highShelf = 8
    /// Frequency, bandwidth and gain.
    case resonantLowShelf = 9
    /// Frequency, bandwidth and gain.
    case resonantHighShelf = 10
}
