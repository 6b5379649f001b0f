import Foundation
import PHASE

/// Bodies that stand around a listener who walks, each with a sound streamed from an MP3 file, direct sound and late
/// reverb: an app's scene rather than a stress test. The decoders' work counts.
enum StreamedBodies {
    /// Seconds of sound per second of processor time; nil where the file could not be made.
    static func measure(count: Int, seconds: Double, file: String) throws -> Double? {
        guard FileManager.default.fileExists(atPath: file) else { return nil }
        let stage = try MovingVoices.Stage()
        stage.engine.defaultReverbPreset = .mediumHall
        try stage.register("music", streamedFrom: file, flags: [.directPathTransmission, .lateReverb])
        let mesh = MDLMesh.newBox(
            withDimensions: SIMD3(0.6, 1.2, 0.4), segments: vector_uint3(2, 4, 2), geometryType: .triangles,
            inwardNormals: false, allocator: nil)
        let sources = try (0..<count).map {
            try stage.source(
                at: Circles.place(of: $0, at: 0) * 2, shapes: [PHASEShape(engine: stage.engine, mesh: mesh)])
        }
        let events = try sources.map { try stage.event("music", from: $0) }
        try stage.engine.start()
        for event in events { event.start(completion: nil) }
        defer { stage.engine.stop() }
        return try Circles.speed(seconds: seconds) { time in
            stage.listener.transform = MovingVoices.Stage.transform(
                SIMD3(Float(0.5 * sin(time)), 0, Float(1.2 * time - 1)))
            try stage.render()
        }
    }
}
