import OssicleAcoustics
import OssicleCore
import PHASE

/// A stage with solids on it, heard by their geometry.
struct BoxStage {
    let stage: Stage
    var engine: PHASEEngine { stage.engine }

    init(
        channels: AVAudioChannelCount = 2, layout: AudioChannelLayoutTag? = nil,
        mode: PHASESpatializationMode = .automatic, quality: PHASEAcousticsQuality = .medium, seed: UInt64 = 0
    ) throws {
        stage = try Stage(channels: channels, layout: layout, mode: mode, seed: seed)
        engine.acousticsMode = .geometry
        engine.acousticsQuality = quality
    }

    func material(absorption: Double, scattering: Double = 0, loss: Double = 60) -> PHASEMaterial {
        func bands(_ value: Double) -> [Double] { Array(repeating: value, count: 10) }
        return PHASEMaterial(
            engine: engine, absorption: bands(absorption), transmissionLoss: bands(loss), scattering: bands(scattering))
    }

    /// A box in the scene; one that looks inwards is a room.
    @discardableResult
    func add(
        _ size: SIMD3<Float>, at centre: SIMD3<Float>, _ material: PHASEMaterial, isRoom: Bool = false,
        named name: String = "box"
    ) throws -> PHASEOccluder {
        let mesh = MDLMesh.newBox(
            withDimensions: size, segments: vector_uint3(1, 1, 1), geometryType: .triangles, inwardNormals: isRoom,
            allocator: nil)
        let occluder = PHASEOccluder(
            engine: engine, shapes: [PHASEShape(engine: engine, mesh: mesh, materials: [material])])
        occluder.name = name
        occluder.transform = .translation(centre)
        try engine.rootObject.addChild(occluder)
        return occluder
    }

    /// Plays `sound` from `place`, looped or once.
    @discardableResult
    func play(
        _ sound: [Float], at place: SIMD3<Float>, flags: PHASESpatialPipeline.Flags, loops: Bool = true
    ) throws -> (source: PHASESource, event: PHASESoundEvent) {
        try stage.register("sound", [sound])
        let mixer = try stage.spatialMixer(flags, rolloff: 1)
        try stage.registerEvent("sound", into: mixer, loops: loops)
        let source = try stage.source(at: place)
        _ = stage.listener
        try stage.start()
        let event = try stage.event("sound event", mixer, source)
        event.start(completion: nil)
        return (source, event)
    }
}
