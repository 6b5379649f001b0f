/// Whether an asset is brought to a common loudness when it is registered.
public enum PHASENormalizationMode: Int, Sendable {
    /// Its samples are taken as they are.
    case none = 0
    /// To −23 LUFS, at most 24 dB up or down, and with true peaks up to −1 dBTP.
    case dynamic = 1
}
