import Foundation
import PHASE
import Stage

/// In the spelling of the talk. Its transforms are given a value before their columns are set: Swift does not allow the
/// listing's stores into a variable that has none.
enum AsShown {
    static func play(_ audioFileUrl: URL, behindBox: Bool) throws -> Take {
        let engine = PHASEEngine(updateMode: .automatic)
        let recorder = try Recorder(of: engine)
        try engine.assetRegistry.registerSoundAsset(
            url: audioFileUrl, identifier: "drums", assetType: .resident,
            channelLayout: nil, normalizationMode: .dynamic)

        // What the listener hears of the source: the direct way and a little of a medium room.
        let spatialPipelineOptions: PHASESpatialPipeline.Options = [.directPathTransmission, .lateReverb]
        let spatialPipeline = PHASESpatialPipeline(options: spatialPipelineOptions)!
        spatialPipeline.entries[PHASESpatialCategory.lateReverb]!.sendLevel = 0.1
        engine.defaultReverbPreset = .mediumRoom

        let spatialMixerDefinition = PHASESpatialMixerDefinition(spatialPipeline: spatialPipeline)
        let distanceModelParameters = PHASEGeometricSpreadingDistanceModelParameters()
        distanceModelParameters.fadeOutParameters = PHASEDistanceModelFadeOutParameters(cullDistance: 10)
        distanceModelParameters.rolloffFactor = 0.25
        spatialMixerDefinition.distanceModelParameters = distanceModelParameters

        let samplerNodeDefinition = PHASESamplerNodeDefinition(
            soundAssetIdentifier: "drums", mixerDefinition: spatialMixerDefinition)
        samplerNodeDefinition.playbackMode = .looping
        samplerNodeDefinition.setCalibrationMode(.relativeSpl, level: 12)
        samplerNodeDefinition.cullOption = .sleepWakeAtRealtimeOffset
        try engine.assetRegistry.registerSoundEventAsset(rootNode: samplerNodeDefinition, identifier: "drumEvent")

        let listener = PHASEListener(engine: engine)
        listener.transform = matrix_identity_float4x4
        try engine.rootObject.addChild(listener)

        // A source as large as a speaker's diaphragm, two metres away along z.
        let mesh = MDLMesh.newIcosahedron(withRadius: 0.0142, inwardNormals: false, allocator: nil)
        let source = PHASESource(engine: engine, shapes: [PHASEShape(engine: engine, mesh: mesh)])
        var sourceTransform = simd_float4x4()
        sourceTransform.columns.0 = simd_make_float4(-1, 0, 0, 0)
        sourceTransform.columns.1 = simd_make_float4(0, 1, 0, 0)
        sourceTransform.columns.2 = simd_make_float4(0, 0, -1, 0)
        sourceTransform.columns.3 = simd_make_float4(0, 0, 2, 1)
        source.transform = sourceTransform
        try engine.rootObject.addChild(source)

        if behindBox { try addBox(to: engine) }

        let mixerParameters = PHASEMixerParameters()
        mixerParameters.addSpatialMixerParameters(
            identifier: spatialMixerDefinition.identifier, source: source, listener: listener)
        let soundEvent = try PHASESoundEvent(
            engine: engine, assetIdentifier: "drumEvent", mixerParameters: mixerParameters)
        try engine.start()
        try soundEvent.start()
        let take = try recorder.record(seconds: 3)
        engine.stop()
        return take
    }

    /// Half way between source and listener.
    private static func addBox(to engine: PHASEEngine) throws {
        let boxMesh = MDLMesh.newBox(
            withDimensions: simd_make_float3(0.6096, 0.3048, 0.1016), segments: simd_uint3(repeating: 6),
            geometryType: .triangles, inwardNormals: false, allocator: nil)
        let boxShape = PHASEShape(engine: engine, mesh: boxMesh)
        boxShape.elements[0].material = PHASEMaterial(engine: engine, preset: .cardboard)
        let occluder = PHASEOccluder(engine: engine, shapes: [boxShape])
        var occluderTransform = simd_float4x4()
        occluderTransform.columns.0 = simd_make_float4(-1, 0, 0, 0)
        occluderTransform.columns.1 = simd_make_float4(0, 1, 0, 0)
        occluderTransform.columns.2 = simd_make_float4(0, 0, -1, 0)
        occluderTransform.columns.3 = simd_make_float4(0, 0, 1, 1)
        occluder.transform = occluderTransform
        try engine.rootObject.addChild(occluder)
    }
}
