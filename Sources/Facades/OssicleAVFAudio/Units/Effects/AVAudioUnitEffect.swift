// Effects: as many frames out as in.

import OssicleAudioToolbox
import OssicleGraph
import OssicleNodes

/// A unit that changes sound as it passes, frame by frame. Rate and channels stay.
open class AVAudioUnitEffect: AVAudioUnit {
    private var isOff = false

    /// An effect of type `aufx`, `aumf`, `aupn`, `aurx` or `aurm`. With a description of another type or of no
    /// component the node passes sound through, and the engine records an error.
    public init(audioComponentDescription: AudioComponentDescription) {
        super.init(unit: audioComponentDescription, types: Self.types)
    }

    /// An effect of no component, which passes sound through; the engine records an error.
    public convenience init() { self.init(audioComponentDescription: AudioComponentDescription()) }

    /// - Parameters:
    ///   - bandCount: of an equaliser.
    ///   - own: the class's own form of the unit.
    init(effect description: AudioComponentDescription, bandCount: Int = 16, as own: UnitDescription? = nil) {
        super.init(unit: description, types: Self.types, bandCount: bandCount, as: own)
    }

    init(hosting unit: AUAudioUnit) {
        super.init(unit: unit.componentDescription, types: Self.types, hosting: unit)
    }

    static let types = [
        kAudioUnitType_Effect, kAudioUnitType_MusicEffect, kAudioUnitType_Panner, kAudioUnitType_RemoteEffect,
        kAudioUnitType_RemoteMusicEffect,
    ]

    /// Whether sound passes untouched, bit for bit, from the next render call on. Default `false`.
    open var bypass: Bool {
        get { lock.withLock { isOff } }
        set {
            lock.withLock { isOff = newValue }
            update()
            note(.bypass(newValue))
        }
    }

    override var isBypassed: Bool { bypass }
}

extension AudioComponentDescription {
    /// A built-in unit.
    init(builtIn type: OSType, _ subtype: OSType) {
        self.init(
            componentType: type, componentSubType: subtype, componentManufacturer: kAudioUnitManufacturer_Apple,
            componentFlags: 0,
            componentFlagsMask: 0)
    }
}

/// Echoes. The delay is the nearest whole number of frames.
open class AVAudioUnitDelay: AVAudioUnitEffect {
    /// One second, 50 % feedback, 15 kHz, all wet.
    public init() {
        super.init(effect: AudioComponentDescription(builtIn: kAudioUnitType_Effect, kAudioUnitSubType_Delay))
        wetDryMix = 100
    }

    /// Seconds, 0 … 2; default 1.
    open var delayTime: TimeInterval {
        get { TimeInterval(value(kDelayParam_DelayTime)) }
        set { setValue(Float(newValue), kDelayParam_DelayTime) }
    }

    /// Percent, −100 … 100; default 50.
    open var feedback: Float {
        get { value(kDelayParam_Feedback) }
        set { setValue(newValue, kDelayParam_Feedback) }
    }

    /// Hz, 10 … half the sample rate; default 15 000.
    open var lowPassCutoff: Float {
        get { value(kDelayParam_LopassCutoff) }
        set { setValue(newValue, kDelayParam_LopassCutoff) }
    }

    /// Percent of wet at equal power, 0 … 100; default 100, where the bare unit has 50.
    open var wetDryMix: Float {
        get { value(kDelayParam_WetDryMix) }
        set { setValue(newValue, kDelayParam_WetDryMix) }
    }
}

/// A unit without input. Types `augn` and `aurg`.
open class AVAudioUnitGenerator: AVAudioUnit, AVAudioMixing {
    private var isOff = false

    /// A generator. With a description of another type or of no component the node is silent, and the engine records an
    /// error.
    public init(audioComponentDescription: AudioComponentDescription) {
        super.init(unit: audioComponentDescription, types: Self.types)
    }

    /// A generator of no component, which passes sound through; the engine records an error.
    public convenience init() { self.init(audioComponentDescription: AudioComponentDescription()) }

    init(hosting unit: AUAudioUnit) {
        super.init(unit: unit.componentDescription, types: Self.types, hosting: unit)
    }

    static let types = [kAudioUnitType_Generator, kAudioUnitType_RemoteGenerator]

    /// Whether it is silent. Default `false`.
    open var bypass: Bool {
        get { lock.withLock { isOff } }
        set {
            lock.withLock { isOff = newValue }
            update()
        }
    }

    override var isBypassed: Bool { bypass }
    package override var keepsFormat: Bool { false }
    open override var numberOfInputs: Int { 0 }

    package override func lower(_ lowering: inout NodeLowering<AVAudioFormat>) -> NodePorts {
        NodePorts(outputs: super.lower(&lowering).outputs)
    }
}
