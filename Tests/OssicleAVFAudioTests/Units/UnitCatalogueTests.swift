import Foundation
import OssicleCoreAudioTypes
import OssicleNodes
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio
@testable import OssicleAudioToolbox

@Suite("Built-in units") struct UnitCatalogueTests {
    /// Where the catalogue says something else than the published table, and why.
    private static let exceptions: [String: String] = [
        "kNewTimePitchParam_Pitch default":
            "the table transposes by a cent, the class that stands on the unit does not",
        "kReverbParam_SmallSize default": "the table's default lies outside the table's range",
        "kParametricEQParam_Q unit": "the table measures a Q in Hertz",
    ]

    @Test("Units, ranges and defaults are those of the published table")
    func table() throws {
        let table = try Table.load("unit-parameters.csv")
        var differences: Set<String> = [], compared = 0
        for row in table.rows {
            let name = row["name"]
            guard let (unit, prefix) = Self.owner(of: name) else { continue }
            let number = AudioUnitParameterID(row.number("number"))
            let specification = try #require(
                unit.parameters.first { $0.id == number }, "\(name) is not in \(unit.name)")
            func hold(_ column: String, _ own: String) {
                compared += 1
                if !row[column].isEmpty, row[column] != own { differences.insert("\(name) \(column)") }
            }
            hold("unit", "\(specification.unit)")
            hold("min", Self.text(specification.minimum))
            hold("default", Self.text(specification.defaultValue))
            switch specification.maximum {
            case .value(let value): hold("max", Self.text(value))
            case .halfSampleRate: hold("max", "sampleRate/2")
            case .sampleRate: hold("max", "sampleRate")
            }
            #expect(name.hasPrefix(prefix))
        }
        #expect(compared > 4 * 130)
        #expect(differences == Set(Self.exceptions.keys))
    }

    @Test("A unit's tree has every parameter at its default, found by number")
    func trees() {
        for unit in UnitCatalogue.units {
            let tree = unit.makeParameterTree(sampleRate: 48_000, bandCount: 2, inputCount: 3)
            for specification in unit.parameters {
                let scope =
                    specification.place == .input || specification.place == .inputAndOutput
                    ? kAudioUnitScope_Input : kAudioUnitScope_Global
                let parameter = tree.parameter(withID: specification.id, scope: scope, element: 0)
                #expect(
                    parameter?.identifier == specification.identifier && parameter?.value == specification.defaultValue)
            }
            let keyPaths = tree.allParameters.map(\.keyPath), addresses = tree.allParameters.map(\.address)
            #expect(Set(keyPaths).count == keyPaths.count && Set(addresses).count == addresses.count, "\(unit.name)")
            #expect(UnitCatalogue.unit(for: unit.component)?.name == unit.name)
        }
    }

    @Test("The bands of an equaliser count up from the number of the first")
    func bands() {
        let tree = FilterUnits.bandEQ.makeParameterTree(bandCount: 20)
        #expect(tree.allParameters.count == 1 + 5 * 20)
        #expect(tree.parameter(withAddress: AUParameterAddress(kAUNBandEQParam_Gain) + 19)?.keyPath == "band19.gain")
        #expect(FilterUnits.bandEQ.makeParameterTree(bandCount: -1).allParameters.count == 1)
    }

    @Test("Limits follow the sample rate, and take values with them")
    func sampleRate() throws {
        let tree = DelayUnits.delay.makeParameterTree(sampleRate: 44_100)
        let cutoff = try #require(tree.parameter(withAddress: AUParameterAddress(kDelayParam_LopassCutoff)))
        #expect(cutoff.maxValue == 22_050 && cutoff.value == 15_000)
        DelayUnits.delay.adapt(tree, to: 16_000)
        #expect(cutoff.maxValue == 8000 && cutoff.value == 8000)
        DelayUnits.delay.adapt(tree, to: 96_000)
        #expect(cutoff.maxValue == 48_000)
        let shelf = FilterUnits.highShelf.makeParameterTree(sampleRate: 8000).parameter(withAddress: 0)
        #expect(shelf?.minValue == 10_000 && shelf?.maxValue == 10_000)
    }

    /// Values as the table writes them.
    private static func text(_ value: AUValue) -> String {
        let text = "\(value)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : Float(text) == 1e-4 ? "0.0001" : text
    }

    /// The unit that a constant belongs to, by the beginning of its name.
    private static func owner(of name: String) -> (UnitDescription, String)? {
        let owners: [(UnitDescription, String)] = [
            (MixerUnits.spatialMixer, "kSpatialMixerParam_"), (ReverbUnits.matrixReverb, "kReverbParam_"),
            (MixerUnits.multiChannelMixer, "kMultiChannelMixerParam_"),
            (MixerUnits.matrixMixer, "kMatrixMixerParam_"), (TimeUnits.timePitch, "kNewTimePitchParam_"),
            (FilterUnits.bandPass, "kBandpassParam_"),
            (FilterUnits.highPass, "kHipassParam_"),
            (FilterUnits.lowPass, "kLowPassParam_"), (FilterUnits.highShelf, "kHighShelfParam_"),
            (FilterUnits.lowShelf, "kAULowShelfParam_"),
            (FilterUnits.parametricEQ, "kParametricEQParam_"),
            (DynamicsUnits.peakLimiter, "kLimiterParam_"),
            (DynamicsUnits.dynamicsProcessor, "kDynamicsProcessorParam_"),
            (TimeUnits.varispeed, "kVarispeedParam_"),
            (DelayUnits.distortion, "kDistortionParam_"), (DelayUnits.delay, "kDelayParam_"),
            (DelayUnits.sampleDelay, "kSampleDelayParam_"),
            (FilterUnits.bandEQ, "kAUNBandEQParam_"),
            (DynamicsUnits.multiBandCompressor, "kMultibandCompressorParam_"), (ReverbUnits.reverb, "kReverb2Param_"),
        ]
        return owners.first { name.hasPrefix($0.1) }
    }
}
