import ExampleUnits
import Foundation
import OssicleAVFAudio
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleHostContract
import Testing

/// A component with its name, as an argument of a test.
struct NamedUnit: CustomTestStringConvertible, Sendable {
    let description: AudioComponentDescription
    var testDescription: String

    /// A fresh unit; a matrix mixer with the cross-points of its diagonal open, since a fresh one is silent.
    func make() throws -> AUAudioUnit {
        let unit = try AUAudioUnit(componentDescription: description)
        if description.componentSubType == kAudioUnitSubType_MatrixMixer {
            for channel in 0..<AudioUnitElement(6) {
                unit.parameterTree?.parameter(
                    withID: kMatrixMixerParam_Volume, scope: kAudioUnitScope_Global, element: channel << 16 | channel)?
                    .value = 0.7
            }
        }
        return unit
    }

    /// Every built-in unit that needs no device; codecs are components, but no units.
    static var builtIn: [NamedUnit] {
        var wanted = AudioComponentDescription(), component: AudioComponent?, all: [NamedUnit] = []
        wanted.componentManufacturer = kAudioUnitManufacturer_Apple
        while let next = AudioComponentFindNext(component, &wanted) {
            component = next
            var found = AudioComponentDescription(), name: Unmanaged<CFString>?
            AudioComponentGetDescription(next, &found)
            AudioComponentCopyName(next, &name)
            let isDevice =
                found.componentType == kAudioUnitType_Output
                && found.componentSubType != kAudioUnitSubType_GenericOutput
            let text = name.map { "\($0.takeRetainedValue())" } ?? ""
            let isCodec = AVAudioUnitComponentManager.shared().components(matching: found).isEmpty
            if !isDevice && !isCodec {
                all.append(NamedUnit(description: found, testDescription: text))
            }
        }
        return all
    }

    /// The units of Examples/WWDC16.
    static var examples: [NamedUnit] {
        SynthesiserUnit.register()
        ArpeggiatorUnit.register()
        ChorusUnit.register()
        return [
            NamedUnit(description: SynthesiserUnit.component, testDescription: "Synthesiser"),
            NamedUnit(description: ArpeggiatorUnit.component, testDescription: "Arpeggiator"),
            NamedUnit(description: ChorusUnit.component, testDescription: "Chorus"),
        ]
    }
}

@Suite("Host contract: our units") struct BuiltInUnitTests {
    @Test(
        "Every built-in unit and every example keeps all of it, to the bit",
        arguments: NamedUnit.builtIn + NamedUnit.examples)
    func keeps(unit: NamedUnit) {
        let findings = HostContract { try unit.make() }.findings()
        // Silent until an instrument is loaded.
        let isEmpty = [kAudioUnitSubType_Sampler, kAudioUnitSubType_MIDISynth].contains(
            unit.description.componentSubType)
        for finding in findings where !finding.passed && !(isEmpty && finding.name == "sound") {
            Issue.record("\(finding)")
        }
        if ProcessInfo.processInfo.environment["OSSICLE_CONTRACT"] != nil {
            print(unit.testDescription)
            for finding in findings { print("   ", finding) }
        }
    }
}
