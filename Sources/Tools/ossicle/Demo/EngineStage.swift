import OssicleCore
import OssiclePHASE

/// The engine as the demo's stage: the scene built with the public interface, rendered offline.
///
/// All calls into the engine of the demo are in this file.
struct EngineStage: SceneStage {
    private let engine: PHASEEngine
    private let voice: PHASESource
    private let buffer: AVAudioPCMBuffer
    /// Playing as long as somebody holds them.
    private let events: [PHASESoundEvent]

    /// - Parameters: `voice` and `loop` are mono samples at `sampleRate`.
    init(_ scene: DemoScene, voice: [Float], loop: [Float], seed: UInt64, sampleRate: Int) throws {
        engine = PHASEEngine(updateMode: .manual)
        engine.randomSeed = seed
        engine.outputSpatializationMode = .alwaysUseBinaural
        engine.defaultReverbPreset = .mediumRoom
        buffer = try EngineStage.buffer(channels: 2, frames: Recording.blockFrames, sampleRate: sampleRate)
        try engine.enableManualRenderingMode(
            .offline, format: buffer.format, maximumFrameCount: AVAudioFrameCount(Recording.blockFrames))

        for box in scene.boxes { try EngineStage.add(box, to: engine) }
        let listener = PHASEListener(engine: engine)
        listener.transform = EngineStage.transform(at: scene.listener)
        try engine.rootObject.addChild(listener)
        self.voice = try EngineStage.addSource("voice", at: scene.walk.position(at: 0), to: engine)
        let music = try EngineStage.addSource("music", at: scene.loop, to: engine)
        events = [
            try EngineStage.event(
                "voice", playing: voice, looped: false, at: self.voice, for: listener, in: engine,
                sampleRate: sampleRate),
            try EngineStage.event(
                "music", playing: loop, looped: true, at: music, for: listener, in: engine, sampleRate: sampleRate),
        ]
        try engine.start()
        for event in events { event.start(completion: nil) }
    }

    mutating func render(_ frames: Int, voiceAt position: Vector) throws -> StageBlock {
        voice.transform = EngineStage.transform(at: position)
        engine.update()
        let status = try engine.renderOffline(AVAudioFrameCount(frames), to: buffer)
        guard status == .success, Int(buffer.frameLength) == frames, let channels = buffer.floatChannelData else {
            throw ToolError(
                "The engine rendered \(buffer.frameLength) of \(frames) frames (status \(status)): this is a fault of the engine, please report it."
            )
        }
        let meters = engine.takeMeters()
        return StageBlock(
            left: Array(UnsafeBufferPointer(start: channels[0], count: frames)),
            right: Array(UnsafeBufferPointer(start: channels[1], count: frames)),
            directEnergy: meters.directPower, reverbEnergy: meters.reverbPower,
            paths: engine.directPaths.map(PathState.init))
    }
}

// MARK: Building the scene

extension EngineStage {
    private static func add(_ box: Box, to engine: PHASEEngine) throws {
        let mesh = MDLMesh.newBox(
            withDimensions: SIMD3<Float>(box.size), segments: SIMD3<UInt32>(repeating: 1), geometryType: .triangles,
            inwardNormals: false, allocator: nil)
        let shape = PHASEShape(
            engine: engine, mesh: mesh, materials: [PHASEMaterial(engine: engine, preset: preset(of: box.material))])
        let occluder = PHASEOccluder(engine: engine, shapes: [shape])
        occluder.name = box.name
        occluder.transform = transform(at: box.centre)
        try engine.rootObject.addChild(occluder)
    }

    private static func addSource(_ name: String, at position: Vector, to engine: PHASEEngine) throws -> PHASESource {
        let source = PHASESource(engine: engine)
        source.name = name
        source.transform = transform(at: position)
        try engine.rootObject.addChild(source)
        return source
    }

    /// A sound event at `source`: samples, through a mixer with the direct way and reverberation.
    private static func event(
        _ name: String, playing samples: [Float], looped: Bool, at source: PHASESource, for listener: PHASEListener,
        in engine: PHASEEngine, sampleRate: Int
    ) throws -> PHASESoundEvent {
        let format = try buffer(channels: 1, frames: 1, sampleRate: sampleRate).format
        try engine.assetRegistry.registerSoundAsset(
            data: samples.withUnsafeBytes { Data($0) }, identifier: name, format: format,
            normalizationMode: .none)
        guard let pipeline = PHASESpatialPipeline(flags: [.directPathTransmission, .lateReverb]) else {
            throw ToolError(
                "The engine refused the demo's spatial pipeline: this is a fault of the engine, please report it.")
        }
        // A furnished flat: a third of what the bare room of the preset would answer.
        pipeline.entries[.lateReverb]?.sendLevel = 0.33
        let mixer = PHASESpatialMixerDefinition(spatialPipeline: pipeline, identifier: name + " mixer")
        mixer.distanceModelParameters = PHASEGeometricSpreadingDistanceModelParameters()
        let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: name, mixerDefinition: mixer)
        sampler.playbackMode = looped ? .looping : .oneShot
        sampler.cullOption = .doNotCull
        try engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: name + " event")
        let parameters = PHASEMixerParameters()
        parameters.addSpatialMixerParameters(identifier: mixer.identifier, source: source, listener: listener)
        return try PHASESoundEvent(engine: engine, assetIdentifier: name + " event", mixerParameters: parameters)
    }

    private static func preset(of material: Box.Material) -> PHASEMaterialPreset {
        switch material {
        case .brick: .brick
        case .drywall: .drywall
        case .wood: .wood
        case .cardboard: .cardboard
        }
    }

    private static func transform(at position: Vector) -> simd_float4x4 {
        var transform = matrix_identity_float4x4
        transform.columns.3 = SIMD4(SIMD3<Float>(position), 1)
        return transform
    }

    private static func buffer(channels: AVAudioChannelCount, frames: Int, sampleRate: Int) throws -> AVAudioPCMBuffer {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: Double(sampleRate), channels: channels),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames))
        else {
            throw ToolError(
                "No buffer of \(frames) frames with \(channels) channels at \(sampleRate) Hz can be made: free some memory and try again."
            )
        }
        return buffer
    }
}

extension PathState {
    fileprivate init(_ report: PHASEDirectPathReport) {
        self.init(
            source: report.source, visibleShare: report.visibleShare,
            obstacles: report.occluders.map { Obstacle(name: $0.name, loss: $0.loss[5]) })
    }
}
