@testable import OssicleAcoustics
import OssicleCore
import OssicleTestSupport
import Testing

@Suite struct MaterialTests {
    static let octaves = [125, 250, 500, 1000, 2000, 4000, 8000]

    @Test("Every material is the table's, band by band")
    func materialsMatchTable() throws {
        let rows = try Table.load("materials.csv").rows
        #expect(MaterialLibrary.materials.map(\.name) == rows.map { $0["id"] })
        for row in rows {
            let material = try #require(MaterialLibrary[row["id"]])
            #expect(material.thickness == row.number("thickness_m"))
            for (index, octave) in Self.octaves.enumerated() {
                let band = index + 2
                #expect(OctaveBands.centre(band) == Double(octave))
                #expect(material.absorption[band] == Float(row.number("alpha_\(octave)")), "\(material.name) \(octave)")
                #expect(
                    material.scattering[band] == Float(row.number("scatter_\(octave)")), "\(material.name) \(octave)")
                let loss = row["tl_db_\(octave)"].isEmpty ? 60 : Float(row.number("tl_db_\(octave)"))
                #expect(material.transmissionLoss[band] == loss, "\(material.name) \(octave)")
            }
        }
    }

    @Test("PHASE's six presets are among the materials", arguments: MaterialLibrary.Preset.allCases)
    func presets(preset: MaterialLibrary.Preset) {
        #expect(MaterialLibrary.material(preset).name == preset.rawValue)
    }

    @Test("What a surface reflects and what it lets through is never more than what came")
    func energyBalance() {
        for material in MaterialLibrary.materials {
            for band in 0..<OctaveBands.count {
                let (back, through) = (material.reflectedEnergy[band], material.transmittedEnergy[band])
                #expect(back >= 0 && through >= 0 && back + through <= 1.000_001, "\(material.name)")
            }
        }
        // α 0.03 at 125 Hz, but 0.2 dB of loss: 0.955 goes through, so 0.045 comes back.
        #expect(abs((MaterialLibrary["curtain_light"]?.reflectedEnergy[2] ?? 0) - 0.045) < 0.001)
        #expect(MaterialLibrary["concrete"]?.reflectedEnergy[5] == 0.98)
    }

    @Test("Numbers no material can have are moved to the nearest it can")
    func clamping() {
        let odd = AcousticMaterial(
            name: "odd", absorption: OctaveBands([2, -1, .nan]), scattering: OctaveBands([.infinity]),
            transmissionLoss: OctaveBands([-3, .infinity, .nan]), thickness: -.infinity)
        #expect(odd.absorption.values.prefix(3) == [1, 0, 0])
        #expect(odd.scattering[9] == 1)
        #expect(odd.transmissionLoss.values.prefix(3) == [0, 200, 0])
        #expect(odd.thickness == 0)
    }
}
