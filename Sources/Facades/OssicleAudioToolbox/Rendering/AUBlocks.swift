// The blocks through which a unit and its host talk while rendering. Those a unit calls run on the render thread.

/// Fetches input: flags, time, frames, bus, place for the data.
public typealias AURenderPullInputBlock = (
    UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>, AUAudioFrameCount, Int,
    UnsafeMutablePointer<AudioBufferList>
) -> AUAudioUnitStatus
/// Renders: flags, time, frames, bus, place for the data, source of input. Where `mData` is `nil` the unit lends memory
/// of its own until the next call.
public typealias AURenderBlock = (
    UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>, AUAudioFrameCount, Int,
    UnsafeMutablePointer<AudioBufferList>,
    AURenderPullInputBlock?
) -> AUAudioUnitStatus
/// Renders, as a unit implements it: with the events of the cycle, in order of time.
public typealias AUInternalRenderBlock = (
    UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>, AUAudioFrameCount, Int,
    UnsafeMutablePointer<AudioBufferList>,
    UnsafePointer<AURenderEvent>?, AURenderPullInputBlock?
) -> AUAudioUnitStatus
/// Is told before and after each cycle, which the flags tell apart: flags, time, frames, bus.
public typealias AURenderObserver = (AudioUnitRenderActionFlags, UnsafePointer<AudioTimeStamp>, AUAudioFrameCount, Int)
    -> Void
/// Schedules a change of a parameter: time, frames of a ramp (0 for a step), address, value.
public typealias AUScheduleParameterBlock = (AUEventSampleTime, AUAudioFrameCount, AUParameterAddress, AUValue) -> Void
/// Schedules MIDI 1.0 bytes: time, cable, number of bytes, bytes. No running status; system exclusive data alone.
public typealias AUScheduleMIDIEventBlock = (AUEventSampleTime, UInt8, Int, UnsafePointer<UInt8>) -> Void
/// Receives a unit's MIDI 1.0 output: time, cable, number of bytes, bytes.
public typealias AUMIDIOutputEventBlock = (AUEventSampleTime, UInt8, Int, UnsafePointer<UInt8>) -> OSStatus
/// Takes Universal MIDI events: time, cable, events.
public typealias AUMIDIEventListBlock = (AUEventSampleTime, UInt8, UnsafePointer<MIDIEventList>) -> OSStatus
/// Tells the musical context, where asked: tempo in beats per minute, numerator and denominator of the time signature,
/// beat, frames to the next beat, beat of the bar's start. `false` where the host does not know.
public typealias AUHostMusicalContextBlock = (
    UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Int>?,
    UnsafeMutablePointer<Double>?,
    UnsafeMutablePointer<Int>?, UnsafeMutablePointer<Double>?
) -> Bool
/// Tells the transport's state, where asked: flags, position in frames, first and last beat of the cycle. `false` where
/// the host does not know.
public typealias AUHostTransportStateBlock = (
    UnsafeMutablePointer<AUHostTransportStateFlags>?, UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Double>?,
    UnsafeMutablePointer<Double>?
) -> Bool
/// Is told that input is there, to be fetched with the render block: flags, time, frames, bus.
public typealias AUInputHandler = (
    UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>, AUAudioFrameCount, Int
) -> Void

/// Direction of a bus.
public enum AUAudioUnitBusType: Int, Sendable {
    /// Into the unit.
    case input = 1
    /// Out of the unit.
    case output = 2
}

/// A stored setting of a unit: a name and a number, 0 and up for the maker's, below 0 for the user's.
open class AUAudioUnitPreset: NSObject, NSSecureCoding {
    /// Identifies the preset.
    open var number = 0
    /// Name to show.
    open var name = ""

    /// Preset 0 without a name.
    public override init() {}

    /// True: keyed archives of it may be read securely.
    public static var supportsSecureCoding: Bool { true }

    /// Writes number and name; needs a keyed archiver.
    open func encode(with coder: NSCoder) {
        coder.encode(Int64(number), forKey: "number")
        coder.encode(name as NSString, forKey: "name")
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        number = Int(coder.decodeInt64(forKey: "number"))
        name = (coder.decodeObject(of: NSString.self, forKey: "name") ?? "") as String
    }
}

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
