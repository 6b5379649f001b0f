// What a render call is about, and what the unit says about its result.

/// Flags that travel through a render call.
public struct AudioUnitRenderActionFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// The set with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The unit is about to render.
    public static let unitRenderAction_PreRender = AudioUnitRenderActionFlags(rawValue: 1 << 2)
    /// The unit has rendered.
    public static let unitRenderAction_PostRender = AudioUnitRenderActionFlags(rawValue: 1 << 3)
    /// The buffers hold nothing but zeros.
    public static let unitRenderAction_OutputIsSilence = AudioUnitRenderActionFlags(rawValue: 1 << 4)
    /// The first pass of an offline unit.
    public static let offlineUnitRenderAction_Preflight = AudioUnitRenderActionFlags(rawValue: 1 << 5)
    /// The rendering pass of an offline unit.
    public static let offlineUnitRenderAction_Render = AudioUnitRenderActionFlags(rawValue: 1 << 6)
    /// The offline unit is done.
    public static let offlineUnitRenderAction_Complete = AudioUnitRenderActionFlags(rawValue: 1 << 7)
    /// Rendering failed.
    public static let unitRenderAction_PostRenderError = AudioUnitRenderActionFlags(rawValue: 1 << 8)
    /// The arguments have been checked.
    public static let unitRenderAction_DoNotCheckRenderArgs = AudioUnitRenderActionFlags(rawValue: 1 << 9)
}

/// What the host's transport is doing.
public struct AUHostTransportStateFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// The set with these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// It has changed since the last call.
    public static let changed = AUHostTransportStateFlags(rawValue: 1)
    /// It plays.
    public static let moving = AUHostTransportStateFlags(rawValue: 2)
    /// It records.
    public static let recording = AUHostTransportStateFlags(rawValue: 4)
    /// It repeats a part.
    public static let cycling = AUHostTransportStateFlags(rawValue: 8)
}
