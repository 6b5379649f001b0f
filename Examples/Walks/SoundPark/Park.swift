import Foundation
import Kit
import PHASE

/// Twenty loops, each in a mixer and at a place of its own.
struct Park {
    struct Loop {
        let event: PHASESoundEvent
        let mixer: String
        let place: simd_float3
        let earshot: Double

        /// Asks the engine whether it is asleep because it is too far away.
        func sleeps(in engine: PHASEEngine) -> Bool {
            engine.explain(event).voices.contains {
                $0.silentBecause.contains { if case .culled = $0 { true } else { false } }
            }
        }
    }

    let studio: Studio
    let birds: [Loop]
    let fountain: Loop
    var loops: [Loop] { birds + [fountain] }

    init(in folder: SoundFolder) throws {
        let studio = try Studio(blockFrames: 960)
        func loop(_ name: String, _ sound: Sound, at place: simd_float3, earshot: Double) throws -> Loop {
            try studio.engine.assetRegistry.registerSoundAsset(
                url: folder.write(sound, as: name), identifier: name, assetType: .streamed,
                channelLayout: nil, normalizationMode: .none)
            let mixer = try Studio.mixer(cullDistance: earshot)
            let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: name, mixerDefinition: mixer)
            sampler.playbackMode = .looping
            sampler.cullOption = .sleepWakeAtRealtimeOffset
            try studio.engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: name + " event")
            let event = try studio.event(name + " event", mixer, at: studio.source(at: place))
            event.start(completion: nil)
            return Loop(event: event, mixer: mixer.identifier, place: place, earshot: earshot)
        }
        birds = try (0..<19).map { bird in
            let side: Float = bird % 2 == 0 ? -1 : 1
            let place = simd_float3(side * Float(3 + bird % 3), 1, Float(-3 * (bird + 1)))
            return try loop("bird \(bird)", Song(bird: bird).sound, at: place, earshot: 12)
        }
        fountain = try loop("fountain", Park.water, at: simd_float3(0, 0, -64), earshot: 50)
        self.studio = studio
    }

    /// Partials 4 Hz apart: any quarter of a second is as loud as the next, so that its level tells the distance and
    /// nothing else.
    private static var water: Sound {
        let partials = stride(from: 200.0, to: 1200, by: 4).map {
            (frequency: $0, phase: ($0 * $0).truncatingRemainder(dividingBy: 6.1))
        }
        let quarter = Sound(seconds: 0.25) { time in
            partials.reduce(0) { $0 + 0.02 * sin(2 * .pi * $1.frequency * time + $1.phase) }
        }
        return Sound(quarter.channels.map { channel in (0..<16).flatMap { _ in channel } })
    }
}
