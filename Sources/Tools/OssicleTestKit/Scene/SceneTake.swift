import Foundation
import OssicleAVFAudio
import OssiclePHASE
import OssicleRendering
import OssicleScenes

/// A rendering of a scene with what each of its sound events did, so that a comparison can say which one changed.
public struct SceneTake: Sendable, Equatable {
    /// The mix.
    public let sound: Sound
    /// By name.
    public let events: [String: EventTrace]

    /// Renders a scene file, as `ossicle render` does, and again for each of its sound events alone: what is silenced
    /// still plays, so that random choices, times, paths and rooms are those of the mix.
    /// - Parameters:
    ///   - scene: a glTF file with `OSSICLE_audio`.
    ///   - timeline: what happens in it; nil for nothing.
    ///   - seconds: up to 3600; nil for as long as the timeline.
    ///   - layout: `binaural`, `stereo`, `quadraphonic`, `5.1`, `7.1`, `7.1.4`, `ambisonic:1` to `ambisonic:7` (or
    ///     `ambisonic:7:n3d`); nil for the scene's own.
    ///   - listener: its name, where the scene has several.
    ///   - seed: of random choices; nil for the scene's own.
    ///   - stems: whether each sound event is rendered alone; each takes as long as the mix.
    /// - Throws: errors of the scene file, the timeline and the engine, which name what is wrong.
    public init(
        scene: URL, timeline: URL? = nil, seconds: Double? = nil, layout: String? = nil, listener: String? = nil,
        seed: UInt64? = nil, stems: Bool = true
    ) throws {
        let request = RenderRequest(
            scene: scene.path, timeline: timeline?.path, listener: listener, layout: try layout.map(RenderLayout.named),
            seconds: seconds, seed: seed)
        var rendering = try SceneRendering(request), traces: [String: EventTrace] = [:]
        try rendering.run(explainingEvery: GoldenNumbers.step) { explanations in
            for item in explanations { traces[item.instance, default: EventTrace()].add(item.explanation) }
        }
        sound = try Self.sound(rendering)
        if stems {
            for stem in SceneStem.stems(of: try SceneDocument.read(scene.path, nil), by: .instances) {
                var part = try SceneRendering(request, stem)
                try part.run { _ in }
                traces[stem.name, default: EventTrace()].stem = try Self.sound(part)
            }
        }
        events = traces
    }

    /// Renders a program's own scene, and has the engine explain its sound events.
    ///
    /// The engine is treated as `Sound.rendered(by:seconds:format:each:)` does.
    /// - Parameters:
    ///   - engine: with its scene.
    ///   - seconds: up to 3600.
    ///   - format: where the engine is not in manual rendering mode; nil for stereo at 48 kHz.
    ///   - each: called with the time in seconds every 512 frames, before these are rendered: what the program does
    ///     meanwhile.
    ///   - events: called every quarter second: the sound events there are at that time, by the names they are to have.
    /// - Throws: the engine's errors, those of `each`, and `SoundError`.
    public init(
        of engine: PHASEEngine, seconds: Double, format: AVAudioFormat? = nil,
        each: (_ time: Double) throws -> Void = { _ in }, events: () -> [String: PHASESoundEvent]
    ) throws {
        var traces: [String: EventTrace] = [:], steps = 0
        sound = try Sound.rendered(by: engine, seconds: seconds, format: format) { time in
            // In the middle of a quarter second, so that what begins with it has begun.
            if time >= (Double(steps) + 0.5) * GoldenNumbers.step {
                let current = events()
                for name in current.keys where traces[name] == nil { traces[name] = EventTrace(after: steps) }
                for name in traces.keys { traces[name]?.add(current[name].map(engine.explain)) }
                steps += 1
            }
            try each(time)
        }
        self.events = traces
    }

    private static func sound(_ rendering: SceneRendering) throws -> Sound {
        try Sound(
            channels: rendering.channels, sampleRate: rendering.sampleRate, channelLabels: rendering.channelLabels)
    }
}
