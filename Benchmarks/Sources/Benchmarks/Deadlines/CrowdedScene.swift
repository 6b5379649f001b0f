import Foundation
import PHASE

/// Voices around a listener that one thread moves, adds and removes. Not for two threads at a time.
final class CrowdedScene: @unchecked Sendable {
    let engine = PHASEEngine(updateMode: .automatic)
    private let listener: PHASEListener
    private var sources: [PHASESource] = []
    private var events: [PHASESoundEvent] = []
    private var visitors: [(source: PHASESource, event: PHASESoundEvent)] = []
    private var random = SplitMix(seed: 1)

    init(voices: Int) throws {
        engine.outputSpatializationMode = .alwaysUseBinaural
        engine.defaultReverbPreset = .mediumRoom
        listener = PHASEListener(engine: engine)
        try engine.rootObject.addChild(listener)
        try register("loop", Circles.noise, .looping)
        try register("visit", Array(Circles.noise.prefix(9600)), .oneShot)
        for number in 0..<voices {
            sources.append(try source(at: Circles.place(of: number, at: 0)))
            events.append(try event("loop", sources[number]))
        }
    }

    func startVoices() { for event in events { event.start(completion: nil) } }

    /// The edits of one sixtieth of a second.
    func edit(_ turn: Int) {
        let time = Double(turn) / 60
        for (number, source) in sources.enumerated() {
            source.transform = MovingVoices.Stage.transform(Circles.place(of: number, at: time))
        }
        let angle = Float(time)
        listener.transform.columns.0 = SIMD4(cos(angle), 0, -sin(angle), 0)
        listener.transform.columns.2 = SIMD4(sin(angle), 0, cos(angle), 0)
        if turn % 6 == 0 { try? invite() }
        if turn % 6 == 3 { dismiss() }
    }

    /// A new source with a short sound.
    private func invite() throws {
        let source = try source(at: Circles.place(of: Int(random.next() % 1000), at: 0))
        let event = try event("visit", source)
        event.start(completion: nil)
        visitors.append((source, event))
    }

    private func dismiss() {
        guard visitors.count > 3 else { return }
        let visitor = visitors.remove(at: Int(random.next() % UInt64(visitors.count)))
        visitor.event.stopAndInvalidate()
        engine.rootObject.removeChild(visitor.source)
    }

    private func register(_ name: String, _ samples: [Float], _ mode: PHASEPlaybackMode) throws {
        guard let mono = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1),
            let pipeline = PHASESpatialPipeline(flags: [.directPathTransmission, .lateReverb])
        else { throw CocoaError(.featureUnsupported) }
        try engine.assetRegistry.registerSoundAsset(
            data: samples.withUnsafeBytes { Data($0) }, identifier: name + " sound", format: mono,
            normalizationMode: .none)
        let mixer = PHASESpatialMixerDefinition(spatialPipeline: pipeline, identifier: "mixer")
        let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: name + " sound", mixerDefinition: mixer)
        sampler.playbackMode = mode
        try engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: name)
    }

    private func source(at place: SIMD3<Float>) throws -> PHASESource {
        let source = PHASESource(engine: engine)
        source.transform = MovingVoices.Stage.transform(place)
        try engine.rootObject.addChild(source)
        return source
    }

    private func event(_ name: String, _ source: PHASESource) throws -> PHASESoundEvent {
        let parameters = PHASEMixerParameters()
        parameters.addSpatialMixerParameters(identifier: "mixer", source: source, listener: listener)
        return try PHASESoundEvent(engine: engine, assetIdentifier: name, mixerParameters: parameters)
    }
}

/// Random numbers that are the same in every run (G. Steele et al., "Fast splittable pseudorandom number generators",
/// 2014).
struct SplitMix {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Below `bound`, which is at least 1.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
