import Foundation
import OssicleTestSupport
import PHASE
import Testing

/// Reverb zones as they are heard.
@Suite struct ZonesInTheEngineTests {
    /// A click into the reverb, heard at `place`, with a zone of a large hall at x > 5 in an engine with a small room.
    private func tail(at place: SIMD3<Float>, source: SIMD3<Float>, seconds: Double) throws -> [[Float]] {
        let stage = try Stage(mode: .alwaysUseChannelBased)
        stage.engine.defaultReverbPreset = .smallRoom
        let box = MDLMesh.newBox(
            withDimensions: SIMD3(10, 10, 20), segments: vector_uint3(1, 1, 1), geometryType: .triangles,
            inwardNormals: false, allocator: nil)
        let zone = PHASEReverbZone(engine: stage.engine, shapes: [PHASEShape(engine: stage.engine, mesh: box)])
        zone.reverb = .preset(.mediumHall)
        zone.transform = .translation(SIMD3(10, 0, 0))
        try stage.engine.rootObject.addChild(zone)
        stage.listener.transform = .translation(place)
        try stage.register("click", [Signal.impulse(count: 64, height: 0.5)])
        let mixer = try stage.spatialMixer([.lateReverb])
        try stage.registerEvent("click", into: mixer)
        try stage.start()
        try stage.event("click event", mixer, stage.source(at: source)).start(completion: nil)
        return try stage.render(Int(seconds * 48_000))
    }

    @Test func `each place has its own reverb`() throws {
        let table = try Table.load("reverb-presets.csv").rows
        for (place, preset, seconds) in [
            (SIMD3<Float>(0, 0, 0), "smallRoom", 1.0), (SIMD3(9, 0, 0), "mediumHall", 2.5),
        ] {
            let row = try TestFailure.unwrap(table.first { $0["preset"] == preset })
            let heard = try tail(at: place, source: place + SIMD3(0, 0, -2), seconds: seconds)
            let time = Measure.reverberationTimes(heard, bands: [5])[0]
            #expect(abs(time / row.number("t60_1000") - 1) < 0.1, "\(preset): \(time) s")
        }
    }

    @Test func `on the border the decay lies between`() throws {
        let time = Measure.reverberationTimes(
            try tail(at: SIMD3(5, 0, 0), source: SIMD3(5, 0, -2), seconds: 2), bands: [5])[0]
        #expect(time > 0.4 && time < 1.3, "\(time) s")
    }

    @Test func `a computed zone sounds as its walls do`() throws {
        let box = try BoxStage(mode: .alwaysUseChannelBased)
        box.engine.acousticsMode = .preset
        try box.add(SIMD3(6, 3, 5), at: .zero, box.material(absorption: 0.2, scattering: 1), isRoom: true)
        let mesh = MDLMesh.newBox(
            withDimensions: SIMD3(6, 3, 5), segments: vector_uint3(1, 1, 1), geometryType: .triangles,
            inwardNormals: false, allocator: nil)
        try box.engine.rootObject.addChild(
            PHASEReverbZone(engine: box.engine, shapes: [PHASEShape(engine: box.engine, mesh: mesh)]))
        try box.play(Signal.impulse(count: 64, height: 0.5), at: SIMD3(-1, 0, -1), flags: [.lateReverb], loops: false)
        let time = Measure.reverberationTimes(try box.stage.render(57_600), bands: [5])[0]
        #expect(abs(time / 0.516 - 1) < 0.12, "\(time) s")
    }
}
