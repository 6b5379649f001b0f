import OssicleSoundEvents

/// A leaf that plays a registered sound asset.
open class PHASESamplerNodeDefinition: PHASEGeneratorNodeDefinition {
    /// Identifier of the sound asset; looked up when a sound event is made.
    open private(set) var assetIdentifier: String
    /// Default `.terminate`.
    open var cullOption = PHASECullOption.terminate
    /// Default `.oneShot`.
    open var playbackMode = PHASEPlaybackMode.oneShot

    public init(soundAssetIdentifier: String, mixerDefinition: PHASEMixerDefinition) {
        assetIdentifier = soundAssetIdentifier
        super.init(mixerDefinition: mixerDefinition)
    }

    public convenience init(soundAssetIdentifier: String, mixerDefinition: PHASEMixerDefinition, identifier: String) {
        self.init(soundAssetIdentifier: soundAssetIdentifier, mixerDefinition: mixerDefinition)
        self.identifier = identifier
    }

    override func capturedKind(in capture: inout DefinitionCapture) throws -> EventTree.Kind {
        .sampler(SamplerLeaf(asset: assetIdentifier, generator: try capturedGenerator(in: &capture),
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
