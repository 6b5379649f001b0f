import Foundation
import PHASE
import Stage

/// The clips of the walk: two of each family, each a decaying tone.
struct Clips {
    private static let tones: KeyValuePairs = [
        "footstep_wood_clip_1": 400.0, "footstep_wood_clip_2": 480, "footstep_gravel_clip_1": 900,
        "footstep_gravel_clip_2": 1060,
        "splash_clip_1": 2000, "splash_clip_2": 2360, "gortex_clip_1": 4400, "gortex_clip_2": 5200,
    ]
    private let files: [(name: String, url: URL)]

    init(in folder: SoundFolder) throws {
        files = try Clips.tones.map { ($0.key, try folder.clip($0.key, frequency: $0.value)) }
    }

    func frequencies(of family: String) -> [Double] { Clips.tones.filter { $0.key.contains(family) }.map(\.value) }

    func register(with engine: PHASEEngine) throws {
        for (name, url) in files {
            try engine.assetRegistry.registerSoundAsset(
                url: url, identifier: name, assetType: .resident, channelLayout: nil, normalizationMode: .none)
        }
    }
}
