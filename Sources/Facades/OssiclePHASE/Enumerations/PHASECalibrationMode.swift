/// What the level of a generator means.
public enum PHASECalibrationMode: Int, Sendable {
    /// A linear gain, 0…1. The default, at level 1.
    case none = 0
    /// dB relative to the asset's normalised level, −200…12.
    case relativeSpl = 1
    /// A sound pressure level in dB, 0…120, reached as far as the device can.
    case absoluteSpl = 2
}
