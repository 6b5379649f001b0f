// What a parameter can do and how a host should show it.

/// Properties of a parameter.
public struct AudioUnitParameterOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// The set with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The receiver of the name releases it.
    public static let flag_CFNameRelease = AudioUnitParameterOptions(rawValue: 1 << 4)
    /// Not a part of presets.
    public static let flag_OmitFromPresets = AudioUnitParameterOptions(rawValue: 1 << 13)
    /// Worth showing over time.
    public static let flag_PlotHistory = AudioUnitParameterOptions(rawValue: 1 << 14)
    /// A meter: the unit sets it, clients read it.
    public static let flag_MeterReadOnly = AudioUnitParameterOptions(rawValue: 1 << 15)
    /// Show on a square root scale.
    public static let flag_DisplaySquareRoot = AudioUnitParameterOptions(rawValue: 1 << 16)
    /// Show on a square scale.
    public static let flag_DisplaySquared = AudioUnitParameterOptions(rawValue: 2 << 16)
    /// Show on a cubic scale.
    public static let flag_DisplayCubed = AudioUnitParameterOptions(rawValue: 3 << 16)
    /// Show on a cube root scale.
    public static let flag_DisplayCubeRoot = AudioUnitParameterOptions(rawValue: 4 << 16)
    /// Show on an exponential scale.
    public static let flag_DisplayExponential = AudioUnitParameterOptions(rawValue: 5 << 16)
    /// Belongs to a clump of parameters.
    public static let flag_HasClump = AudioUnitParameterOptions(rawValue: 1 << 20)
    /// Its values have names.
    public static let flag_ValuesHaveStrings = AudioUnitParameterOptions(rawValue: 1 << 21)
    /// Show on a logarithmic scale.
    public static let flag_DisplayLogarithmic = AudioUnitParameterOptions(rawValue: 1 << 22)
    /// Worth a fine control.
    public static let flag_IsHighResolution = AudioUnitParameterOptions(rawValue: 1 << 23)
    /// Must not be changed while rendering in real time.
    public static let flag_NonRealTime = AudioUnitParameterOptions(rawValue: 1 << 24)
    /// Can be ramped.
    public static let flag_CanRamp = AudioUnitParameterOptions(rawValue: 1 << 25)
    /// For experts.
    public static let flag_ExpertMode = AudioUnitParameterOptions(rawValue: 1 << 26)
    /// The name is a string object.
    public static let flag_HasCFNameString = AudioUnitParameterOptions(rawValue: 1 << 27)
    /// Changing it changes parameters of the unit.
    public static let flag_IsGlobalMeta = AudioUnitParameterOptions(rawValue: 1 << 28)
    /// Changing it changes parameters of its element.
    public static let flag_IsElementMeta = AudioUnitParameterOptions(rawValue: 1 << 29)
    /// Clients may read it.
    public static let flag_IsReadable = AudioUnitParameterOptions(rawValue: 1 << 30)
    /// Clients may set it.
    public static let flag_IsWritable = AudioUnitParameterOptions(rawValue: 1 << 31)
}
