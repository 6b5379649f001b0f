import Kit
import PHASE

/// The tree of a step, and the feet that take it.
///
///     container ─┬─ blend by wetness ─┬─ dry: switch on terrain ─ random clip of boards, grass or gravel
///                │                    └─ wet: random splash
///                └─ random: now and then the jacket
struct Walker {
    /// Millimetres of water on the ground against the share of the splash.
    private static var wetness: PHASEEnvelope? {
        PHASEEnvelope(
            startPoint: simd_double2(0, 0),
            segments: [
                PHASEEnvelopeSegment(endPoint: simd_double2(4, 0.6), curveType: .linear),
                PHASEEnvelopeSegment(endPoint: simd_double2(10, 0.9), curveType: .linear),
            ])
    }

    let steps = PHASEGroup(identifier: "steps")
    private let studio: Studio
    private let feet: [PHASESource]
    private let soles: PHASESpatialMixerDefinition

    init(in studio: Studio) throws {
        self.studio = studio
        steps.register(engine: studio.engine)
        feet = try [-0.2, 0.2].map { try studio.source(at: simd_float3($0, -1.7, 0), in: studio.listener) }
        soles = try Studio.mixer()
        guard let mono = AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Mono), let wetness = Walker.wetness
        else { throw Failure("no tree") }
        let body = PHASEChannelMixerDefinition(channelLayout: mono)

        let terrain = PHASEStringMetaParameterDefinition(value: "grass", identifier: "terrain")
        let surface = PHASESwitchNodeDefinition(switchMetaParameterDefinition: terrain)
        for name in ["boards", "grass", "gravel"] { surface.addSubtree(any(name, soles, steps), switchValue: name) }

        let water = PHASENumberMetaParameterDefinition(value: 0, minimum: 0, maximum: 10, identifier: "water")
        let share = PHASEMappedMetaParameterDefinition(inputMetaParameterDefinition: water, envelope: wetness)
        let blend = PHASEBlendNodeDefinition(blendMetaParameterDefinition: share)
        blend.addRangeForInputValuesBelow(value: 1, fullGainAtValue: 0, fadeCurveType: .linear, subtree: surface)
        blend.addRangeForInputValuesAbove(
            value: 0, fullGainAtValue: 1, fadeCurveType: .linear, subtree: any("splash", soles, steps))

        let rustle = PHASERandomNodeDefinition()
        rustle.addSubtree(any("jacket", body), weight: 1)
        rustle.addSubtree(PHASEContainerNodeDefinition(), weight: 3)

        let step = PHASEContainerNodeDefinition()
        step.addSubtree(blend)
        step.addSubtree(rustle)
        try studio.engine.assetRegistry.registerSoundEventAsset(rootNode: step, identifier: "step")
    }

    /// Left, right, left …
    func step(_ number: Int, on terrain: String, water: Double) throws {
        let event = try studio.event("step", soles, at: feet[number % 2])
        event.metaParameters["terrain"]?.value = terrain
        event.metaParameters["water"]?.value = water
        event.start(completion: nil)
    }

    /// One of a family's clips, never the one before it.
    private func any(
        _ family: String, _ mixer: PHASEMixerDefinition, _ group: PHASEGroup? = nil
    ) -> PHASERandomNodeDefinition {
        let random = PHASERandomNodeDefinition()
        random.uniqueSelectionQueueLength = 1
        for index in Clips.tones(family).indices {
            let clip = PHASESamplerNodeDefinition(soundAssetIdentifier: "\(family) \(index)", mixerDefinition: mixer)
            clip.group = group
            random.addSubtree(clip, weight: 1)
        }
        return random
    }
}
