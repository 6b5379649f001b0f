import Foundation
import PHASE

/// Binaural sources in a room with two screens whose walls make all reflections, edges and reverb, rendered offline.
/// Every source moves, so that every update finds all ways anew; the late field follows ten times a second.
enum GeometryVoices {
    private static let count = 20

    /// - Parameter only: the name of a quality; nil for all.
    static func print(only: String?) throws {
        let qualities = [("low", PHASEAcousticsQuality.low), ("medium", .medium), ("high", .high)]
        for (name, quality) in qualities where only == nil || only == name {
            let speed = try measure(quality)
            Report.line(
                "\(count) sources, \(name)",
                "\(Report.number(speed)) × real time with direct sound, reflections and reverb, one core")
        }
    }

    /// Seconds of sound per second of processor time.
    private static func measure(_ quality: PHASEAcousticsQuality) throws -> Double {
        let stage = try MovingVoices.Stage()
        let engine = stage.engine
        engine.acousticsMode = .geometry
        engine.acousticsQuality = quality
        try add(SIMD3(14, 4, 13), at: SIMD3(0, 0.5, 0.5), .drywall, inwards: true, to: engine)
        try add(SIMD3(3, 2.5, 0.2), at: SIMD3(1, -0.25, -2), .wood, inwards: false, to: engine)
        try add(SIMD3(0.2, 2.5, 3), at: SIMD3(-2, -0.25, 1), .wood, inwards: false, to: engine)
        try stage.register(
            "noise", samples: Circles.noise, loops: true,
            flags: [.directPathTransmission, .earlyReflections, .lateReverb])
        let sources = try (0..<count).map { try stage.source(at: Circles.place(of: $0, at: 0)) }
        let events = try sources.map { try stage.event("noise", from: $0) }
        try engine.start()
        for event in events { event.start(completion: nil) }
        defer { engine.stop() }
        return try Circles.speed(seconds: 2) { time in
            for (number, source) in sources.enumerated() {
                source.transform = MovingVoices.Stage.transform(Circles.place(of: number, at: time))
            }
            try stage.render()
        }
    }

    private static func add(
        _ size: SIMD3<Float>, at centre: SIMD3<Float>, _ preset: PHASEMaterialPreset, inwards: Bool,
        to engine: PHASEEngine
    ) throws {
        let mesh = MDLMesh.newBox(
            withDimensions: size, segments: vector_uint3(1, 1, 1), geometryType: .triangles, inwardNormals: inwards,
            allocator: nil)
        let shape = PHASEShape(engine: engine, mesh: mesh, materials: [PHASEMaterial(engine: engine, preset: preset)])
        let occluder = PHASEOccluder(engine: engine, shapes: [shape])
        occluder.transform = MovingVoices.Stage.transform(centre)
        try engine.rootObject.addChild(occluder)
    }
}
