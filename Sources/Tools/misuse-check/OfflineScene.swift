import Foundation
import OssiclePHASE

/// A PHASEEngine in offline rendering with a source that loops a sound in front of a listener.
final class OfflineScene {
    let engine = PHASEEngine(updateMode: .automatic)
    let listener: PHASEListener
    let source: PHASESource
    let event: PHASESoundEvent
    let mixer: PHASESpatialMixerDefinition
    let group = PHASEGroup(identifier: "group")
    private let buffer: AVAudioPCMBuffer

    init() throws {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
            let mono = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4096),
            let pipeline = PHASESpatialPipeline(flags: [.directPathTransmission, .earlyReflections, .lateReverb])
        else { throw MisuseFailure("no format") }
        self.buffer = buffer
        engine.errorHandler = { _ in }
        engine.acousticsQuality = .low
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
        (listener, source) = (PHASEListener(engine: engine), PHASESource(engine: engine))
        source.transform.columns.3 = SIMD4(0, 0, -2, 1)
        try engine.rootObject.addChild(listener)
        try engine.rootObject.addChild(source)
        group.register(engine: engine)
        let samples = (0..<4800).map { Float($0 % 96) / 480 - 0.1 }
        try engine.assetRegistry.registerSoundAsset(
            data: samples.withUnsafeBytes { Data($0) }, identifier: "sound", format: mono, normalizationMode: .none)
        mixer = PHASESpatialMixerDefinition(spatialPipeline: pipeline, identifier: "mixer")
        let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: "sound", mixerDefinition: mixer)
        sampler.playbackMode = .looping
        sampler.group = group
        try engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: "event")
        event = try OfflineScene.event("event", engine, mixer: mixer, source: source, listener: listener)
        try engine.start()
        event.start(completion: nil)
    }

    static func event(
        _ name: String, _ engine: PHASEEngine, mixer: PHASESpatialMixerDefinition, source: PHASESource,
        listener: PHASEListener
    ) throws -> PHASESoundEvent {
        let parameters = PHASEMixerParameters()
        parameters.addSpatialMixerParameters(identifier: mixer.identifier, source: source, listener: listener)
        return try PHASESoundEvent(engine: engine, assetIdentifier: name, mixerParameters: parameters)
    }

    /// A new event of a tree, started.
    @discardableResult
    func play(_ root: PHASESoundEventNodeDefinition, _ name: String = UUID().uuidString) throws -> PHASESoundEvent {
        try engine.assetRegistry.registerSoundEventAsset(rootNode: root, identifier: name)
        let event = try OfflineScene.event(name, engine, mixer: mixer, source: source, listener: listener)
        event.start(completion: nil)
        return event
    }

    func sampler() -> PHASESamplerNodeDefinition {
        PHASESamplerNodeDefinition(soundAssetIdentifier: "sound", mixerDefinition: mixer)
    }

    /// The next frames, of which every sample is a finite number within full scale: the limiter sees to that.
    @discardableResult
    func render(_ frames: UInt32 = 512) throws -> [Float] {
        let status = try engine.renderOffline(frames, to: buffer)
        try expect(status == .success, "renderOffline answered \(status)")
        guard let channels = buffer.floatChannelData else { throw MisuseFailure("no samples") }
        let samples = (0..<2).flatMap {
            Array(UnsafeBufferPointer(start: channels[$0], count: Int(buffer.frameLength)))
        }
        try expect(
            samples.allSatisfy { $0.isFinite && $0.magnitude <= 1 }, "a sample is no number, or beyond full scale")
        return samples
    }

    /// The event of the scene is heard as long as nothing was done to it.
    func expectAudible(_ after: String) throws {
        try expect(
            try (0..<40).contains { _ in try render(512).contains { $0.magnitude > 1e-4 } },
            "the scene is silent after \(after)")
    }
}
