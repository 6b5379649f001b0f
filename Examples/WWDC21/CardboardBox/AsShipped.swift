import Foundation
import PHASE
import Stage

/// In the spelling of the released framework.
enum AsShipped {
    static func play(_ audioFileUrl: URL, behindBox: Bool) throws -> Take {
        let engine = PHASEEngine(updateMode: .automatic)
        let recorder = try Recorder(of: engine)
        try engine.assetRegistry.registerSoundAsset(
            url: audioFileUrl, identifier: "drums", assetType: .resident,
            channelLayout: nil, normalizationMode: .dynamic)

        let mixer = try spatialMixer()
        engine.defaultReverbPreset = .mediumRoom
        let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: "drums", mixerDefinition: mixer)
        sampler.playbackMode = .looping
        sampler.setCalibrationMode(calibrationMode: .relativeSpl, level: 12)
        sampler.cullOption = .sleepWakeAtRealtimeOffset
        try engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: "drumEvent")

        let listener = PHASEListener(engine: engine)
        try engine.rootObject.addChild(listener)

        let mesh = MDLMesh.newIcosahedron(withRadius: 0.0142, inwardNormals: false, allocator: nil)
        let source = PHASESource(engine: engine, shapes: [PHASEShape(engine: engine, mesh: mesh)])
        source.transform = facingBack(at: 2)
        try engine.rootObject.addChild(source)

        if behindBox {
            let mesh = MDLMesh.newBox(
                withDimensions: simd_make_float3(0.6096, 0.3048, 0.1016), segments: simd_uint3(repeating: 6),
                geometryType: .triangles, inwardNormals: false, allocator: nil)
            let cardboard = PHASEMaterial(engine: engine, preset: .cardboard)
            let box = PHASEOccluder(
                engine: engine, shapes: [PHASEShape(engine: engine, mesh: mesh, materials: [cardboard])])
            box.transform = facingBack(at: 1)
            try engine.rootObject.addChild(box)
        }

        let parameters = PHASEMixerParameters()
        parameters.addSpatialMixerParameters(identifier: mixer.identifier, source: source, listener: listener)
        let event = try PHASESoundEvent(engine: engine, assetIdentifier: "drumEvent", mixerParameters: parameters)
        try engine.start()
        event.start(completion: nil)
        let take = try recorder.record(seconds: 3)
        engine.stop()
        return take
    }

    private static func spatialMixer() throws -> PHASESpatialMixerDefinition {
        guard let pipeline = PHASESpatialPipeline(flags: [.directPathTransmission, .lateReverb]) else {
            throw Failure("no pipeline")
        }
        pipeline.entries[.lateReverb]?.sendLevel = 0.1
        let distance = PHASEGeometricSpreadingDistanceModelParameters()
        distance.fadeOutParameters = PHASEDistanceModelFadeOutParameters(cullDistance: 10)
        distance.rolloffFactor = 0.25
        let mixer = PHASESpatialMixerDefinition(spatialPipeline: pipeline)
        mixer.distanceModelParameters = distance
        return mixer
    }

    /// Turned by half a circle about the vertical, `distance` metres along z.
    private static func facingBack(at distance: Float) -> simd_float4x4 {
        simd_float4x4(
            columns: (
                simd_make_float4(-1, 0, 0, 0), simd_make_float4(0, 1, 0, 0),
                simd_make_float4(0, 0, -1, 0), simd_make_float4(0, 0, distance, 1)
            ))
    }
}
