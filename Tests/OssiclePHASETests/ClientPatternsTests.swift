import PHASE
import Testing

/// Code as clients write it, with `import PHASE` and nothing else (Testing aside). That it compiles is half of the
/// test.
@Suite struct ClientPatternsTests {
    private func makeEngine() throws -> (engine: PHASEEngine, buffer: AVAudioPCMBuffer) {
        let engine = PHASEEngine(updateMode: .manual)
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)!
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 1024)
        return (engine, AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1024)!)
    }

    @Test func `scene building in the spellings of real programs`() throws {
        let (engine, _) = try makeEngine()
        let pipeline = PHASESpatialPipeline(flags: [.directPathTransmission, .lateReverb])!
        pipeline.entries[.lateReverb]!.sendLevel = 0.1
        #expect(pipeline.entries[PHASESpatialCategory.lateReverb]?.sendLevel == 0.1)
        #expect(PHASESpatialPipeline(flags: []) == nil)
        engine.defaultReverbPreset = PHASEReverbPreset(rawValue: PHASEReverbPreset.cathedral.rawValue)!
        let mixer = PHASESpatialMixerDefinition(spatialPipeline: pipeline, identifier: "spatial")
        mixer.distanceModelParameters = PHASEGeometricSpreadingDistanceModelParameters()
        let envelope = PHASEEnvelope(
            startPoint: simd_make_double2(0, 1),
            segments: [
                PHASEEnvelopeSegment(endPoint: simd_make_double2(10, 0), curveType: .linear)
            ])!
        mixer.distanceModelParameters = PHASEEnvelopeDistanceModelParameters(envelope: envelope)
        let random = PHASERandomNodeDefinition()
        random.addSubtree(PHASESamplerNodeDefinition(soundAssetIdentifier: "a", mixerDefinition: mixer), weight: 2)
        let source = PHASESource(
            engine: engine,
            shapes: [
                PHASEShape(
                    engine: engine,
                    mesh: MDLMesh(
                        planeWithExtent: vector3(1, 0, 1), segments: vector2(1, 1), geometryType: .triangles,
                        allocator: nil))
            ])
        source.transform = simd_float4x4(rows: [
            SIMD4(1, 0, 0, 2), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, -1), SIMD4(0, 0, 0, 1),
        ])
        #expect(source.transform.columns.3 == simd_float4(2, 0, -1, 1))
        let turned = matrix_multiply(source.transform, simd_float4x4(simd_quaternion(Float.pi, simd_float3(0, 1, 0))))
        source.worldTransform = turned
        try engine.rootObject.addChild(source)
        let identity = simd_quaternion(0, 0, 0, 1)
        let bed = PHASEAmbientMixerDefinition(
            channelLayout: AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo)!, orientation: identity)
        #expect(bed.inputChannelLayout.channelCount == 2)
        #expect(PHASEObject.forward == simd_float3(0, 0, -1))
        #expect(abs(simd_distance(source.transform.columns.2.xyz, simd_float3(0, 0, -1))) < 1e-5)
    }

    @Test func `errors are caught by code and by type`() throws {
        let (engine, _) = try makeEngine()
        var seen: [String] = []
        do {
            _ = try PHASESoundEvent(engine: engine, assetIdentifier: "nothing")
        } catch PHASESoundEventError.notFound {
            seen.append("notFound")
        }
        do {
            try engine.assetRegistry.registerSoundAsset(
                url: URL(fileURLWithPath: "/no/such.wav"), identifier: "x", assetType: .streamed,
                channelLayout: nil, normalizationMode: .dynamic)
        } catch let error as PHASEAssetError where error.code == .failedToLoad {
            seen.append("failedToLoad")
        } catch PHASEAssetError.alreadyExists {
            seen.append("wrong")
        }
        let child = PHASEObject(engine: engine)
        try engine.rootObject.addChild(child)
        do {
            try engine.rootObject.addChild(child)
        } catch {
            // On Linux a pattern does not bridge; the cast does.
            let error = error as NSError
            seen.append("\(error.domain == PHASEErrorDomain && error.code == PHASEError.Code.invalidObject.rawValue)")
        }
        #expect(seen == ["notFound", "failedToLoad", "true"])
    }

    @Test func `handlers, async forms and meta-parameters`() async throws {
        let (engine, buffer) = try makeEngine()
        let samples = [Float](repeating: 0.1, count: 480)
        let data = samples.withUnsafeBytes { Data($0) }
        try engine.assetRegistry.registerSoundAsset(
            data: data, identifier: "short", format: AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)!,
            normalizationMode: .none)
        let level = PHASENumberMetaParameterDefinition(value: 1, minimum: 0, maximum: 1, identifier: "level")
        let sampler = PHASESamplerNodeDefinition(
            soundAssetIdentifier: "short",
            mixerDefinition: PHASEChannelMixerDefinition(
                channelLayout: AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Mono)!))
        sampler.gainMetaParameterDefinition = level
        try engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: "event")
        let event = try PHASESoundEvent(engine: engine, assetIdentifier: "event")
        event.metaParameters["level"]?.value = 0.5
        let box = Box()
        event.prepare(completion: { box.prepared = $0 })
        try engine.start()
        event.start { reason in box.reason = reason }
        engine.update()
        try engine.renderOffline(1024, to: buffer)
        engine.update()
        #expect(box.prepared == .prepared && box.reason == .finishedPlaying)
        #expect(buffer.floatChannelData?[0][100] == 0.05)
        let second = try PHASESoundEvent(engine: engine, assetIdentifier: "event")
        async let ended = second.start()
        while second.renderingState != .started { await Task.yield() }
        engine.update()
        try engine.renderOffline(1024, to: buffer)
        engine.update()
        #expect(await ended == .finishedPlaying)
        engine.stop()
        engine.assetRegistry.unregisterAsset(identifier: "event") { box.existed.append($0) }
        engine.assetRegistry.unregisterAsset(identifier: "event") { box.existed.append($0) }
        engine.update()
        #expect(box.existed == [true, false])
    }

    private final class Box: @unchecked Sendable {
        var reason: PHASESoundEvent.StartHandlerReason?
        var prepared: PHASESoundEvent.PrepareHandlerReason?
        var existed: [Bool] = []
    }
}

extension simd_float4 {
    fileprivate var xyz: simd_float3 { simd_make_float3(self) }
}
