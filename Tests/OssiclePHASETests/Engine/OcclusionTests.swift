import Foundation
import OssicleTestSupport
import PHASE
import Testing

@Suite struct OcclusionTests {
    /// Level of a tone behind a wall (or in the open) as a linear RMS of the left ear.
    private func level(
        _ frequency: Double, behind preset: PHASEMaterialPreset?, volumetric: Bool = false
    ) throws -> Double {
        let stage = try Stage()
        try stage.register("tone", [sine(frequency, 48_000, amplitude: 0.2)])
        let mixer = try stage.spatialMixer(rolloff: 0)
        let event = try stage.registerEvent("tone", into: mixer, loops: true)
        if let preset {
            let wall = MDLMesh.newBox(
                withDimensions: vector3(40, 40, 0.1), segments: vector_uint3(1, 1, 1), geometryType: .triangles,
                inwardNormals: false, allocator: nil)
            let shape = PHASEShape(
                engine: stage.engine, mesh: wall, materials: [PHASEMaterial(engine: stage.engine, preset: preset)])
            let occluder = PHASEOccluder(engine: stage.engine, shapes: [shape])
            occluder.transform = .translation(SIMD3(0, 0, -1))
            try stage.engine.rootObject.addChild(occluder)
        }
        let ball = MDLMesh.newIcosahedron(withRadius: 0.2, inwardNormals: false, allocator: nil)
        let shapes = volumetric ? [PHASEShape(engine: stage.engine, mesh: ball)] : nil
        try stage.start()
        try stage.event(event, mixer, stage.source(at: SIMD3(0, 0, -2), shapes: shapes)).start()
        return rms(try stage.render(48_000)[0][24_000...])
    }

    private static let presets: [(PHASEMaterialPreset, String)] = [
        (.cardboard, "cardboard"), (.glass, "glass"), (.brick, "brick"), (.concrete, "concrete"), (.drywall, "drywall"),
        (.wood, "wood"),
    ]

    @Test(arguments: 0..<6)
    func `a wall that blocks all takes what the material table says, within a decibel per octave`(index: Int) throws {
        let (preset, name) = Self.presets[index]
        let row = try TestFailure.unwrap(Table.load("materials.csv").rows.first { $0["phase_preset"] == name })
        for frequency in [125, 250, 500, 1000, 2000, 4000, 8000] {
            let loss = decibels(try level(Double(frequency), behind: nil) / level(Double(frequency), behind: preset))
            #expect(abs(loss - row.number("tl_db_\(frequency)")) < 1, "\(name) at \(frequency) Hz: \(loss) dB")
        }
    }

    @Test func `a volumetric source behind the wall loses as much`() throws {
        let loss = decibels(
            try level(1000, behind: nil, volumetric: true) / level(1000, behind: .cardboard, volumetric: true))
        #expect(abs(loss - 9.1) < 1)
    }

    @Test func `the path report names what stands between`() throws {
        let stage = try Stage()
        try stage.register("tone", [sine(500, 4800)])
        let mixer = try stage.spatialMixer()
        let event = try stage.registerEvent("tone", into: mixer, loops: true)
        let box = MDLMesh.newBox(
            withDimensions: vector3(2, 2, 0.1), segments: vector_uint3(1, 1, 1), geometryType: .triangles,
            inwardNormals: false, allocator: nil)
        let shape = PHASEShape(
            engine: stage.engine, mesh: box, materials: [PHASEMaterial(engine: stage.engine, preset: .drywall)])
        let occluder = PHASEOccluder(engine: stage.engine, shapes: [shape])
        occluder.name = "the partition"
        occluder.transform = .translation(SIMD3(0, 0, -1))
        try stage.engine.rootObject.addChild(occluder)
        let source = try stage.source(at: SIMD3(0, 0, -2))
        source.name = "the voice"
        try stage.start()
        try stage.event(event, mixer, source).start()
        _ = try stage.render(1024)
        let path = try TestFailure.unwrap(stage.engine.directPaths.first)
        #expect(path.source == "the voice" && path.visibleShare == 0 && abs(path.distance - 2) < 1e-6)
        #expect(path.occluders.map(\.name) == ["the partition"])
        #expect(abs(path.occluders[0].loss[5] - 40) < 0.01)
        occluder.transform = .translation(SIMD3(5, 0, -1))
        _ = try stage.render(1024)
        #expect(stage.engine.directPaths.first?.visibleShare == 1)
    }
}
