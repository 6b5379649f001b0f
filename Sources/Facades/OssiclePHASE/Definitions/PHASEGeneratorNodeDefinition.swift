import OssicleSoundEvents

/// A leaf that makes sound and plays it into a mixer.
open class PHASEGeneratorNodeDefinition: PHASESoundEventNodeDefinition {
    private(set) var calibration = Calibration()
    /// Speed factor; the pitch moves along. Default 1; clamped to 0.25…4.
    @Clamped(Generator.rates) open var rate = 1
    /// The group whose gain and rate this generator follows. Default nil. Weak: keep the group elsewhere.
    open weak var group: PHASEGroup?
    /// What moves the gain while a sound event plays. Default nil.
    open var gainMetaParameterDefinition: PHASENumberMetaParameterDefinition?
    /// What moves the rate while a sound event plays. Default nil.
    open var rateMetaParameterDefinition: PHASENumberMetaParameterDefinition?
    /// The mixer it plays into.
    open private(set) var mixerDefinition: PHASEMixerDefinition
    /// See `priority`.
    var voicePriority = 0

    init(mixerDefinition: PHASEMixerDefinition) {
        self.mixerDefinition = mixerDefinition
        super.init()
    }

    /// Default `.none`.
    open var calibrationMode: PHASECalibrationMode {
        switch calibration.mode {
        case .none: .none
        case .relativeSPL: .relativeSpl
        case .absoluteSPL: .absoluteSpl
        }
    }

    /// What it means follows the mode. Default 1 (linear).
    open var level: Double { calibration.level }

    /// Sets both at once.
    ///
    /// - Parameters:
    ///   - calibrationMode: what the level means.
    ///   - level: clamped to 0…1 for `.none`, −200…12 dB for `.relativeSpl`, 0…120 dB for `.absoluteSpl`.
    open func setCalibrationMode(calibrationMode: PHASECalibrationMode, level: Double) {
        let mode: Calibration.Mode =
            switch calibrationMode {
            case .none: .none
            case .relativeSpl: .relativeSPL
            case .absoluteSpl: .absoluteSPL
            }
        calibration = Calibration(mode, level: level)
    }

    final func capturedGenerator(in capture: inout DefinitionCapture) throws -> Generator {
        Generator(
            mixer: try capture.mixer(mixerDefinition), calibration: calibration, rate: rate, group: group?.identifier,
            gainParameter: try capture.parameter(gainMetaParameterDefinition),
            rateParameter: try capture.parameter(rateMetaParameterDefinition), priority: voicePriority)
    }
}

extension PHASEGeneratorNodeDefinition: OssicleAdditions {}

extension OssicleAdditions where Self: PHASEGeneratorNodeDefinition {
    /// Who is heard where the engine's `maximumVoiceCount` does not let all be: the higher (an addition of Ossicle).
    /// Default 0; any number. Like all of a definition it is captured when the sound event is registered.
    public var priority: Int {
        get { voicePriority }
        set { voicePriority = newValue }
    }
}

/// A leaf that plays a registered sound asset.
open class PHASESamplerNodeDefinition: PHASEGeneratorNodeDefinition {
    /// Identifier of the sound asset; looked up when a sound event is made.
    open private(set) var assetIdentifier: String
    /// Default `.terminate`.
    open var cullOption = PHASECullOption.terminate
    /// Default `.oneShot`.
    open var playbackMode = PHASEPlaybackMode.oneShot

    /// Plays an asset, which need not be registered yet, into a mixer.
    public init(soundAssetIdentifier: String, mixerDefinition: PHASEMixerDefinition) {
        assetIdentifier = soundAssetIdentifier
        super.init(mixerDefinition: mixerDefinition)
    }

    /// With an identifier of your own, by which explanations name it.
    public convenience init(soundAssetIdentifier: String, mixerDefinition: PHASEMixerDefinition, identifier: String) {
        self.init(soundAssetIdentifier: soundAssetIdentifier, mixerDefinition: mixerDefinition)
        self.identifier = identifier
    }

    override func capturedKind(in capture: inout DefinitionCapture) throws -> EventTree.Kind {
        .sampler(
            SamplerLeaf(
                asset: assetIdentifier, generator: try capturedGenerator(in: &capture),
                playback: playbackMode.playback, cull: cullOption.cull))
    }
}

extension PHASEPlaybackMode {
    fileprivate var playback: SamplerLeaf.Playback {
        switch self {
        case .oneShot: .oneShot
        case .looping: .looping
        }
    }
}

extension PHASECullOption {
    fileprivate var cull: SamplerLeaf.Cull {
        switch self {
        case .terminate: .terminate
        case .sleepWakeAtZero: .sleepWakeAtZero
        case .sleepWakeAtRandomOffset: .sleepWakeAtRandomOffset
        case .sleepWakeAtRealtimeOffset: .sleepWakeAtRealtimeOffset
        case .doNotCull: .doNotCull
        }
    }
}
