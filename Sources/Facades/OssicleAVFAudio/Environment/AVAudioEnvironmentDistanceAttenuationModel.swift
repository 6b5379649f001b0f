/// How level falls with distance d; r is the reference distance, k the rolloff factor, M the maximum distance.
public enum AVAudioEnvironmentDistanceAttenuationModel: Int, Sendable {
    /// (d / r)^(−k)
    case exponential = 1
    /// r / (r + k (d − r))
    case inverse = 2
    /// 1 − k (d − r) / (M − r), d up to M
    case linear = 3
}
