// The README's ten lines, run as they stand there: `Scripts/client` compares the two. Around them only a sound to play
// and the question whether anything was heard.
import Stage

let folder = try SoundFolder("TenLines")
try folder.makeCurrent(with: folder.drumLoop(), as: "drums.wav")

// README
import PHASE

let engine = PHASEEngine(updateMode: .automatic)
try engine.assetRegistry.registerSoundAsset(
    url: URL(fileURLWithPath: "drums.wav"), identifier: "drums", assetType: .resident,
    channelLayout: nil, normalizationMode: .dynamic)
let mixer = PHASEChannelMixerDefinition(channelLayout: AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Mono)!)
let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: "drums", mixerDefinition: mixer)
sampler.playbackMode = .looping
try engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: "drumEvent")
let event = try PHASESoundEvent(engine: engine, assetIdentifier: "drumEvent")
try engine.start()
event.start()
Thread.sleep(forTimeInterval: 2)
// README

let meters = engine.takeMeters()
perform {
    let verdict = Verdict(on: "Ten lines", in: folder)
    try verdict.require(
        meters.directPower > 1e-6, "nothing was heard: mean square \(meters.directPower) over \(meters.frames) frames")
    print("Ten lines, at the sound device: \(meters.frames) frames, mean square \(meters.directPower)")
}
