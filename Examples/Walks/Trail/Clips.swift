import Foundation
import Kit
import PHASE

/// The sounds of the trail. Each clip is a struck tone of its own, so that what was chosen can be read from the
/// spectrum.
struct Clips {
    static let families: KeyValuePairs<String, [Double]> = [
        "boards": [220, 270, 320], "grass": [560, 640, 720], "gravel": [1400, 1600, 1800],
        "splash": [2800, 3100, 3400],
        "jacket": [7000, 7600], "latch": [2300], "hinge": [1000], "thud": [150],
    ]

    private let registry: PHASEAssetRegistry

    /// Writes them all and registers them as “grass 0”, “grass 1” …
    init(in folder: SoundFolder, _ registry: PHASEAssetRegistry) throws {
        self.registry = registry
        for (family, tones) in Clips.families {
            for (index, tone) in tones.enumerated() {
                try register(.struck(tone), as: "\(family) \(index)", in: folder)
            }
        }
        let layout = try Clips.field()
        try register(Clips.wind, as: "wind", in: folder, layout: layout)
    }

    static func tones(_ family: String) -> [Double] { families.first { $0.key == family }?.value ?? [] }

    /// First order ambisonics, ACN and SN3D: W, Y, Z, X.
    static func field() throws -> AVAudioChannelLayout {
        guard let layout = AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_HOA_ACN_SN3D | 4) else {
            throw Failure("no layout of a field")
        }
        return layout
    }

    /// A wind from ahead on the left, 60° from the nose. Its partials are 10 Hz apart: any tenth of a second is as loud
    /// as the next.
    private static var wind: Sound {
        let gust = Sound(seconds: 0.1) { time in
            (3...12).reduce(0.0) { sum, partial in
                let number = Double(partial)
                return sum + 0.12 / number * sin(2 * .pi * 10 * number * time + number * number)
            }
        }.channels[0]
        let breeze = (0..<10).flatMap { _ in gust }
        let (left, ahead) = (Float(sin(Double.pi / 3)), Float(cos(Double.pi / 3)))
        return Sound([breeze, breeze.map { $0 * left }, breeze.map { _ in 0 }, breeze.map { $0 * ahead }])
    }

    private func register(
        _ sound: Sound, as name: String, in folder: SoundFolder, layout: AVAudioChannelLayout? = nil
    ) throws {
        try registry.registerSoundAsset(
            url: folder.write(sound, as: name, layout: layout), identifier: name, assetType: .resident,
            channelLayout: layout, normalizationMode: .none)
    }
}
