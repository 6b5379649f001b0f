import Foundation
import PHASE
import Stage

/// In the spelling of the talk.
enum AsShown {
    static func walk(_ steps: [(terrain: String, wetness: Double)], on clips: Clips) throws -> Take {
        let engine = PHASEEngine(updateMode: .automatic)
        let recorder = try Recorder(of: engine)
        try clips.register(with: engine)

        let channelLayout = AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Mono)!
        let channelMixerDefinition = PHASEChannelMixerDefinition(channelLayout: channelLayout)

        // Two clips per surface; the greater the weight, the more often a clip is drawn.
        let footstep_wood_sampler_1 = PHASESamplerNodeDefinition(
            soundAssetIdentifier: "footstep_wood_clip_1", mixerDefinition: channelMixerDefinition)
        let footstep_wood_sampler_2 = PHASESamplerNodeDefinition(
            soundAssetIdentifier: "footstep_wood_clip_2", mixerDefinition: channelMixerDefinition)
        let footstep_wood_random = PHASERandomNodeDefinition()
        footstep_wood_random.addSubtree(footstep_wood_sampler_1, weight: 2)
        footstep_wood_random.addSubtree(footstep_wood_sampler_2, weight: 1)

        let footstep_gravel_sampler_1 = PHASESamplerNodeDefinition(
            soundAssetIdentifier: "footstep_gravel_clip_1", mixerDefinition: channelMixerDefinition)
        let footstep_gravel_sampler_2 = PHASESamplerNodeDefinition(
            soundAssetIdentifier: "footstep_gravel_clip_2", mixerDefinition: channelMixerDefinition)
        let footstep_gravel_random = PHASERandomNodeDefinition()
        footstep_gravel_random.addSubtree(footstep_gravel_sampler_1, weight: 2)
        footstep_gravel_random.addSubtree(footstep_gravel_sampler_2, weight: 1)

        // The surface is a word …
        let terrain = PHASEStringMetaParameterDefinition(value: "creaky_wood")
        let terrain_switch = PHASESwitchNodeDefinition(switchMetaParameterDefinition: terrain)
        terrain_switch.addSubtree(footstep_wood_random, switchValue: "creaky_wood")
        terrain_switch.addSubtree(footstep_gravel_random, switchValue: "soft_gravel")

        let splash_sampler_1 = PHASESamplerNodeDefinition(
            soundAssetIdentifier: "splash_clip_1", mixerDefinition: channelMixerDefinition)
        let splash_sampler_2 = PHASESamplerNodeDefinition(
            soundAssetIdentifier: "splash_clip_2", mixerDefinition: channelMixerDefinition)
        let splash_random = PHASERandomNodeDefinition()
        splash_random.addSubtree(splash_sampler_1, weight: 9)
        splash_random.addSubtree(splash_sampler_2, weight: 7)

        // … and its wetness a number: 0 is all steps, 1 all splashes.
        let wetness = PHASENumberMetaParameterDefinition(value: 0.5, minimum: 0, maximum: 1)
        let wetness_blend = PHASEBlendNodeDefinition(blendMetaParameterDefinition: wetness)
        wetness_blend.addRangeForInputValues(
            belowValue: 1, fullGainAtValue: 0, fadeCurveType: .linear, subtree: terrain_switch)
        wetness_blend.addRangeForInputValues(
            aboveValue: 0, fullGainAtValue: 1, fadeCurveType: .linear, subTree: splash_random)

        let noisy_clothing_sampler_1 = PHASESamplerNodeDefinition(
            soundAssetIdentifier: "gortex_clip_1", mixerDefinition: channelMixerDefinition)
        let noisy_clothing_sampler_2 = PHASESamplerNodeDefinition(
            soundAssetIdentifier: "gortex_clip_2", mixerDefinition: channelMixerDefinition)
        let noisy_clothing_random = PHASERandomNodeDefinition()
        noisy_clothing_random.addSubtree(noisy_clothing_sampler_1, weight: 3)
        noisy_clothing_random.addSubtree(noisy_clothing_sampler_2, weight: 5)

        // Steps and jacket sound together.
        let actor_container = PHASEContainerNodeDefinition()
        actor_container.addSubtree(wetness_blend)
        actor_container.addSubtree(noisy_clothing_random)
        try engine.assetRegistry.registerSoundEventAsset(rootNode: actor_container, identifier: "footsteps")

        try engine.start()
        for step in steps {
            let soundEvent = try PHASESoundEvent(engine: engine, assetIdentifier: "footsteps")
            soundEvent.metaParameters[terrain.identifier]?.value = step.terrain
            soundEvent.metaParameters[wetness.identifier]?.value = step.wetness
            try soundEvent.start()
            try recorder.record(seconds: 1)
        }
        engine.stop()
        return try recorder.record(seconds: 0)
    }
}
