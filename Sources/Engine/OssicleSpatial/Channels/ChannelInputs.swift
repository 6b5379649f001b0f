import OssicleCore
import OssicleSoundEvents

/// Where a scene has the two ends of a spatial channel. Look-ups by number, once per arrangement.
struct ScenePlaces {
    var arrangement: UInt64?
    /// nil for an object that is gone.
    var source: Int?
    var listener: Int?
    /// Among the paths; nil where one of the two is out of the scene.
    var path: Int?
}

/// What the meta-parameters of an event make of a channel.
struct ChannelMix: Equatable {
    /// Of the meta-parameters.
    private(set) var version: UInt64?
    private(set) var gain = 1.0
    /// Sends of a spatial channel's pipeline; nil for a part it does not have.
    private(set) var direct: Double?
    private(set) var early: Double?
    private(set) var late: Double?

    init() {}

    init(_ blueprint: MixerBlueprint, _ values: ParameterValues, version: UInt64) {
        self.version = version
        gain = blueprint.gain(values)
        guard case .spatial(let spatial) = blueprint.kind else { return }
        direct = spatial.direct?.value(values)
        early = spatial.earlyReflections?.value(values)
        late = spatial.lateReverb?.value(values)
    }
}

/// All that the levels of a spatial channel depend on besides its path.
struct ChannelInputs: Equatable {
    let mix: ChannelMix
    /// Gains of the objects.
    let source, listener: Double
    /// Of the source in the late field; nil where the reverb preset is the room of all.
    let share: OctaveBands?
    let hasPath: Bool
    /// Of the conditions that all channels have in common.
    let conditions: UInt64
}
