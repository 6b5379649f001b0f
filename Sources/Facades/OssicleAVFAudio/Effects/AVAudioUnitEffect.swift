// Effects: as many frames out as in.

import OssicleAudioToolbox

/// A unit that changes sound as it passes, frame by frame. Rate and channels stay.
open class AVAudioUnitEffect: AVAudioUnit {
    private var isOff = false

    /// An effect of type `aufx`, `aumf`, `aupn`, `aurx` or `aurm`. With a description of another type or of no component the node passes
    /// sound through, and the engine records an error.
    public init(audioComponentDescription: AudioComponentDescription) {
        super.init(unit: audioComponentDescription, types: Self.types)
    }

    /// An effect of no component, which passes sound through; the engine records an error.
    public convenience init() { self.init(audioComponentDescription: AudioComponentDescription()) }

    /// - Parameters:
    ///   - bandCount: of an equaliser.
    ///   - extra: parameters that only the class has.
    init(effect description: AudioComponentDescription, bandCount: Int = 16, extra: [ParameterSpecification] = []) {
        super.init(unit: description, types: Self.types, bandCount: bandCount, extra: extra)
    }

    static let types = [kAudioUnitType_Effect, kAudioUnitType_MusicEffect, kAudioUnitType_Panner, kAudioUnitType_RemoteEffect,
                        kAudioUnitType_RemoteMusicEffect]

    /// Whether sound passes untouched, bit for bit, from the next render call on. Default `false`.
    open var bypass: Bool {
        get { lock.withLock { isOff } }
        set {
            lock.withLock { isOff = newValue }
            update()
        }
    }

    override var isBypassed: Bool { bypass }
}

extension AudioComponentDescription {
    /// A built-in unit.
    init(builtIn type: OSType, _ subtype: OSType) {
        self.init(componentType: type, componentSubType: subtype, componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
                  componentFlagsMask: 0)
    }
}
