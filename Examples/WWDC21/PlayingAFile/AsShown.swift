import Foundation
import PHASE
import Stage

/// In the spelling of the talk, which came before the release.
enum AsShown {
    static func play(_ audioFileUrl: URL) throws -> Take {
        let engine = PHASEEngine(updateMode: .automatic)
        let recorder = try Recorder(of: engine)

        // The file becomes a sound asset: in memory, brought to a common loudness.
        try engine.assetRegistry.registerSoundAsset(
            url: audioFileUrl, identifier: "drums", assetType: .resident,
            channelLayout: nil, normalizationMode: .dynamic)

        // A sampler that loops it, straight into a mono channel mixer.
        let channelLayout = AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Mono)!
        let channelMixerDefinition = PHASEChannelMixerDefinition(channelLayout: channelLayout)
        let samplerNodeDefinition = PHASESamplerNodeDefinition(
            soundAssetIdentifier: "drums", mixerDefinition: channelMixerDefinition)
        samplerNodeDefinition.playbackMode = .looping
        samplerNodeDefinition.setCalibrationMode(.relativeSpl, level: 0)
        try engine.assetRegistry.registerSoundEventAsset(rootNode: samplerNodeDefinition, identifier: "drumEvent")

        let soundEvent = try PHASESoundEvent(engine: engine, assetIdentifier: "drumEvent")
        try engine.start()
        try soundEvent.start()
        let take = try recorder.record(seconds: 3)

        soundEvent.stopAndInvalidate()
        engine.stop()
        engine.assetRegistry.unregisterAsset(identifier: "drumEvent", completionHandler: nil)
        engine.assetRegistry.unregisterAsset(identifier: "drums", completionHandler: nil)
        return take
    }
}
