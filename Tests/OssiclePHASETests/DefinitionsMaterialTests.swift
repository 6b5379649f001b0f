import OssicleAcoustics
import PHASE
import Testing
@testable import OssiclePHASE

@Suite struct DefinitionsMaterialTests {
    private let engine = PHASEEngine(updateMode: .manual)

    @Test(
        "presets have the library's bands",
        arguments: [
            (PHASEMaterialPreset.cardboard, "cardboard"), (.glass, "glass"), (.brick, "brick"), (.concrete, "concrete"),
            (.drywall, "drywall"), (.wood, "wood"),
        ])
    func presets(preset: PHASEMaterialPreset, name: String) {
        #expect(PHASEMaterial(engine: engine, preset: preset).material == MaterialLibrary[name])
    }

    @Test("a material of ten values in range is taken as it is, silently")
    func custom() {
        let ramp = (0..<10).map { Double($0) / 16 }
        let material = PHASEMaterial(
            engine: engine, absorption: ramp, transmissionLoss: ramp.map { $0 * 100 }, scattering: ramp)
        #expect(material.material.absorption.values == ramp.map(Float.init))
        #expect(material.material.transmissionLoss[8] == 50)
        #expect(engine.recordedErrors.isEmpty)
    }

    @Test("too few values are continued, values out of range clamped, and both recorded")
    func odd() {
        let material = PHASEMaterial(
            engine: engine, absorption: [0.1, 0.4], transmissionLoss: [], scattering: [2, -1, .nan, 0.5]
        ).material
        #expect(material.absorption.values == [0.1] + Array(repeating: Float(0.4), count: 9))
        #expect(material.transmissionLoss == .zeros)
        #expect(material.scattering.values.prefix(4) == [1, 0, 0, 0.5])
        #expect(engine.recordedErrors.count == 4)
        #expect(engine.recordedErrors.allSatisfy { PHASEAssetError.badParameters ~= $0 })
    }

    @Test("air is air at 20 °C and 50 % humidity")
    func medium() {
        #expect(
            PHASEMedium(engine: engine, preset: .air).medium == Medium(temperature: 20, humidity: 50, pressure: 101.325)
        )
    }
}
