import Foundation
import OssicleCore
import PHASE
import Testing

/// The engine's promises about bytes, with everything in play that could break them.
@Suite struct LawTests {
    /// A walk past an occluder with reverb, a bed, a loop at another rate, a random one-shot and a fading parameter.
    private func render(_ call: Int, frames: Int = 24_576, seed: UInt64 = 5) throws -> [[Float]] {
        let stage = try Stage(seed: seed)
        let random = CounterRandom(seed: 9, object: 1)
        let noise: [Float] = (0..<24_000).map { Float(random.unit(UInt64($0)) - 0.5) * 0.3 }
        try stage.register("noise", [noise])
        try stage.register("odd", [sine(440, 22_050, rate: 44_100)], rate: 44_100)
        try stage.register("bed", [sine(300, 9000), sine(400, 9000)])
        stage.engine.defaultReverbPreset = .mediumRoom
        let mixer = try stage.spatialMixer([.directPathTransmission, .lateReverb], rolloff: 1)
        let walk = try stage.registerEvent("noise", into: mixer, loops: true)
        let parameter = PHASENumberMetaParameterDefinition(value: 0.2, minimum: 0, maximum: 1, identifier: "level")
        let loop = try stage.registerEvent("odd", into: stage.channelMixer(), loops: true) {
            $0.gainMetaParameterDefinition = parameter
        }
        let choice = PHASERandomNodeDefinition()
        for rate in [0.7, 1.0, 1.4] {
            let sampler = PHASESamplerNodeDefinition(
                soundAssetIdentifier: "odd", mixerDefinition: try stage.channelMixer())
            sampler.rate = rate
            choice.addSubtree(sampler, weight: 1)
        }
        try stage.engine.assetRegistry.registerSoundEventAsset(rootNode: choice, identifier: "choice")
        let bedMixer = PHASEAmbientMixerDefinition(
            channelLayout: try TestFailure.unwrap(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo)),
            orientation: simd_quatf(angle: 0.4, axis: simd_float3(0, 1, 0)))
        try stage.registerEvent("bed", into: bedMixer, loops: true)
        let box = MDLMesh.newBox(
            withDimensions: vector3(1, 1, 0.2), segments: vector_uint3(2, 2, 1), geometryType: .triangles,
            inwardNormals: false, allocator: nil)
        let occluder = PHASEOccluder(engine: stage.engine, shapes: [PHASEShape(engine: stage.engine, mesh: box)])
        occluder.transform = .translation(SIMD3(0, 0, -1))
        try stage.engine.rootObject.addChild(occluder)
        let source = try stage.source(at: SIMD3(-3, 0, -2))
        try stage.start()
        try stage.event(walk, mixer, source).start()
        let fading = try stage.event(loop)
        fading.start(completion: nil)
        let bedParameters = PHASEMixerParameters()
        bedParameters.addAmbientMixerParameters(identifier: bedMixer.identifier, listener: stage.listener)
        try PHASESoundEvent(engine: stage.engine, assetIdentifier: "bed event", mixerParameters: bedParameters).start(
            completion: nil)
        var out: [[Float]] = [[], []]
        // The client acts every 4,096 frames, whatever the length of the render calls between.
        for step in 0..<(frames / 4096) {
            source.transform = .translation(SIMD3(-3 + Float(step), 0, -2))
            stage.listener.transform = simd_float4x4(simd_quatf(angle: Float(step) * 0.2, axis: simd_float3(0, 1, 0)))
            (fading.metaParameters["level"] as? PHASENumberMetaParameter)?.fade(
                value: step % 2 == 0 ? 1 : 0.1, duration: 0.05)
            if step == 2 { try stage.event("choice").start() }
            let part = try stage.render(4096, call: call)
            for channel in out.indices { out[channel] += part[channel] }
        }
        return out
    }

    @Test(arguments: [64, 127, 4096])
    func `the same bytes however render calls are cut`(call: Int) throws {
        let (cut, whole) = (try render(call), try render(512))
        #expect(cut == whole)
    }

    @Test func `the same bytes twice in a row`() throws {
        let (first, second) = (try render(512), try render(512))
        #expect(first == second)
    }

    @Test func `another seed makes other choices`() throws {
        let takes = try (0..<6).map { try render(512, seed: UInt64($0)) }
        #expect(Set(takes.map { $0[0].map(\.bitPattern) }).count > 1)
    }

    @Test func `everything rendered is finite and moving sources do not click`() throws {
        let out = try render(512)
        let isFinite = out.joined().allSatisfy { $0.isFinite }
        #expect(isFinite)
    }
}
