import OssicleAudioToolbox
import OssicleNodes

/// What a unit is asked to render.
struct UnitShape {
    let inputs: [AVAudioFormat]
    let outputs: [AVAudioFormat]
    let maximumFrames: Int
    /// The input channel of each output channel; `nil` for what the layouts say.
    var channelMap: [Int]?
    /// The same for what comes from a device.
    var inputChannelMap: [Int]?
    var surroundings = UnitSurroundings()

    /// Of a cycle, on all busses together: 512 MB of floating point. More would end the program where the memory is not
    /// there.
    static let mostSamples = 1 << 27
    var sampleCount: Int { (inputs + outputs).reduce(0) { $0 + Int($1.channelCount) } * maximumFrames }
}

/// What makes a built-in unit work behind the class all units share. Calls other than the render block's come one at a
/// time.
protocol UnitBody: AnyObject {
    var tree: AUParameterTree? { get }
    /// The formats busses have before anybody sets them.
    var inputs: [AVAudioFormat] { get }
    var outputs: [AVAudioFormat] { get }
    /// The busses of a side, in these formats.
    func makeBusses(_ type: AUAudioUnitBusType) -> [AUAudioUnitBus]
    /// Whether there may be more or fewer inputs.
    var takesAnyNumberOfInputs: Bool { get }
    /// The maker's presets, in order of their numbers.
    var presets: [String] { get }

    /// Makes ready to render; throws for a shape it cannot do.
    func allocate(_ shape: UnitShape) throws
    func deallocate()
    /// Forgets what was heard. Not during a render call.
    func reset()
    /// Of what was allocated.
    func makeRenderBlock() -> AUInternalRenderBlock
    func setBypass(_ isBypassed: Bool)
    /// Whether nothing has to be ready in time.
    func setOffline(_ isOffline: Bool)
    /// Where to say what goes wrong while it renders. Any thread.
    func onFault(_ handler: @escaping @Sendable (any Error) -> Void)
    func load(preset: Int)
    /// Seconds.
    func latency(sampleRate: Double) -> TimeInterval
    func tailTime(sampleRate: Double) -> TimeInterval
    /// What belongs to the state beside the parameters.
    var state: [String: Any] { get }
    /// Takes on that part of a state; throws where it is none of this unit's, and for what cannot be had any more.
    func restore(_ state: [String: Any]) throws
    /// Whether it lives in this process.
    var isInProcess: Bool { get }
    /// Pairs of channels that go together; `nil` where the catalogue says.
    var channelCapabilities: [NSNumber]? { get }
    var midiOutputNames: [String] { get }
}

extension UnitBody {
    var tree: AUParameterTree? { nil }
    func makeBusses(_ type: AUAudioUnitBusType) -> [AUAudioUnitBus] {
        (type == .input ? inputs : outputs).compactMap { try? AUAudioUnitBus(format: $0) }
    }
    var takesAnyNumberOfInputs: Bool { false }
    var presets: [String] { [] }
    func reset() {}
    func setBypass(_ isBypassed: Bool) {}
    func setOffline(_ isOffline: Bool) {}
    func onFault(_ handler: @escaping @Sendable (any Error) -> Void) {}
    var state: [String: Any] { [:] }
    func restore(_ state: [String: Any]) throws {}
    var isInProcess: Bool { true }
    var channelCapabilities: [NSNumber]? { nil }
    var midiOutputNames: [String] { [] }
    func load(preset: Int) {}
    func latency(sampleRate: Double) -> TimeInterval { 0 }
    func tailTime(sampleRate: Double) -> TimeInterval { 0 }
}

/// Which body a built-in unit has.
enum UnitBodies {
    /// Limits that follow the sample rate are this one's until a unit is allocated at another.
    private static let highestRate = 768_000.0

    static func make(for unit: UnitDescription) throws -> any UnitBody {
        if unit.type == kAudioUnitType_Output {
            return unit.subtype == kAudioUnitSubType_GenericOutput
                ? GenericOutputBody()
                : try DeviceBody(
                    hasInput: unit.subtype != kAudioUnitSubType_DefaultOutput,
                    processesVoice: unit.subtype == kAudioUnitSubType_VoiceProcessingIO)
        }
        let tree = unit.makeParameterTree(sampleRate: highestRate, inputCount: UnitInputs.capacity)
        if unit.type == kAudioUnitType_MusicDevice { return InstrumentBody(unit, tree) }
        if let desk = MixerDesks.make(for: unit.component, tree) { return MixerBody(unit, tree, desk) }
        if let driver = unit.driver(of: tree) { return EffectBody(unit, tree, driver) }
        if let driver = unit.exitDriver(of: tree) { return TimeBody(unit, tree, driver) }
        return PlayerBody(playsFiles: unit.subtype == kAudioUnitSubType_AudioFilePlayer)
    }
}
