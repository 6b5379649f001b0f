import Foundation
import PHASE
import Stage

/// In the spelling of the released framework.
enum AsShipped {
    static func walk(_ steps: [(terrain: String, wetness: Double)], on clips: Clips) throws -> Take {
        let engine = PHASEEngine(updateMode: .automatic)
        let recorder = try Recorder(of: engine)
        try clips.register(with: engine)

        guard let mono = AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Mono) else {
            throw Failure("no mono layout")
        }
        let mixer = PHASEChannelMixerDefinition(channelLayout: mono)
        func either(_ clips: (name: String, weight: NSNumber)...) -> PHASERandomNodeDefinition {
            let random = PHASERandomNodeDefinition()
            for clip in clips {
                random.addSubtree(
                    PHASESamplerNodeDefinition(soundAssetIdentifier: clip.name, mixerDefinition: mixer),
                    weight: clip.weight)
            }
            return random
        }

        let terrain = PHASEStringMetaParameterDefinition(value: "creaky_wood", identifier: "terrain")
        let surface = PHASESwitchNodeDefinition(switchMetaParameterDefinition: terrain)
        surface.addSubtree(either(("footstep_wood_clip_1", 2), ("footstep_wood_clip_2", 1)), switchValue: "creaky_wood")
        surface.addSubtree(
            either(("footstep_gravel_clip_1", 2), ("footstep_gravel_clip_2", 1)), switchValue: "soft_gravel")

        let wetness = PHASENumberMetaParameterDefinition(value: 0.5, minimum: 0, maximum: 1, identifier: "wetness")
        let blend = PHASEBlendNodeDefinition(blendMetaParameterDefinition: wetness)
        blend.addRangeForInputValuesBelow(value: 1, fullGainAtValue: 0, fadeCurveType: .linear, subtree: surface)
        blend.addRangeForInputValuesAbove(
            value: 0, fullGainAtValue: 1, fadeCurveType: .linear,
            subtree: either(("splash_clip_1", 9), ("splash_clip_2", 7)))

        let actor = PHASEContainerNodeDefinition()
        actor.addSubtree(blend)
        actor.addSubtree(either(("gortex_clip_1", 3), ("gortex_clip_2", 5)))
        try engine.assetRegistry.registerSoundEventAsset(rootNode: actor, identifier: "footsteps")

        try engine.start()
        for step in steps {
            let event = try PHASESoundEvent(engine: engine, assetIdentifier: "footsteps")
            event.metaParameters["terrain"]?.value = step.terrain
            event.metaParameters["wetness"]?.value = step.wetness
            event.start()
            try recorder.record(seconds: 1)
        }
        engine.stop()
        return try recorder.record(seconds: 0)
    }
}
