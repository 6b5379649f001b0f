import Foundation
import PHASE
import Stage

/// In the spelling of the released framework.
enum AsShipped {
    static func play(_ audioFileUrl: URL) throws -> Take {
        let engine = PHASEEngine(updateMode: .automatic)
        let recorder = try Recorder(of: engine)

        try engine.assetRegistry.registerSoundAsset(
            url: audioFileUrl, identifier: "drums", assetType: .resident,
            channelLayout: nil, normalizationMode: .dynamic)

        guard let mono = AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Mono) else {
            throw Failure("no mono layout")
        }
        let mixer = PHASEChannelMixerDefinition(channelLayout: mono)
        let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: "drums", mixerDefinition: mixer)
        sampler.playbackMode = .looping
        sampler.setCalibrationMode(calibrationMode: .relativeSpl, level: 0)
        try engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: "drumEvent")

        let event = try PHASESoundEvent(engine: engine, assetIdentifier: "drumEvent")
        try engine.start()
        event.start()
        let take = try recorder.record(seconds: 3)

        event.stopAndInvalidate()
        engine.stop()
        engine.assetRegistry.unregisterAsset(identifier: "drumEvent")
        engine.assetRegistry.unregisterAsset(identifier: "drums")
        return take
    }
}
