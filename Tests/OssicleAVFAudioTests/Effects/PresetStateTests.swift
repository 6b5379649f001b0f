import Foundation
import OssicleAudioToolbox
import Testing
@testable import OssicleAVFAudio

@Suite("Units: presets") struct PresetStateTests {
    private func file(_ state: [String: Any]) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("preset-\(UUID().uuidString).aupreset")
        try PropertyListSerialization.data(fromPropertyList: state, format: .xml, options: 0).write(to: url)
        return url
    }

    @Test("A preset brings back every parameter")
    func roundTrip() throws {
        let unit = AVAudioUnitEQ(numberOfBands: 2)
        (unit.globalGain, unit.bands[1].frequency, unit.bands[1].bypass, unit.bands[0].filterType) = (
            -3, 440, false, .bandStop
        )
        let url = try file(PresetState.dictionary(of: unit, name: "Test"))
        defer { try? FileManager.default.removeItem(at: url) }
        let other = AVAudioUnitEQ(numberOfBands: 2)
        try other.loadPreset(at: url)
        #expect(
            other.globalGain == -3 && other.bands[1].frequency == 440 && !other.bands[1].bypass
                && other.bands[0].filterType == .bandStop)
    }

    @Test("The data are big-endian words: scope, element, count, then number and value of each")
    func layout() throws {
        let unit = builtIn(kAudioUnitSubType_SampleDelay)
        AudioUnitSetParameter(unit.audioUnit, kSampleDelayParam_DelayFrames, kAudioUnitScope_Global, 0, 2, 0)
        let data = try #require(PresetState.dictionary(of: unit, name: "")["data"] as? Data)
        #expect(Array(data) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0x40, 0, 0, 0])
    }

    @Test("Presets of other units and broken ones throw and change nothing")
    func refused() throws {
        let unit = AVAudioUnitDelay()
        var states = [PresetState.dictionary(of: AVAudioUnitReverb(), name: "")]
        var state = PresetState.dictionary(of: unit, name: "")
        for data in [Data([0, 0, 0]), Data([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9]), Data(repeating: 0xFF, count: 24)] {
            state["data"] = data
            states.append(state)
        }
        state["data"] = nil
        states.append(state)
        for state in states {
            let url = try file(state)
            defer { try? FileManager.default.removeItem(at: url) }
            #expect(throws: (any Error).self) { try unit.loadPreset(at: url) }
        }
        #expect(throws: (any Error).self) { try unit.loadPreset(at: URL(fileURLWithPath: "/nowhere.aupreset")) }
        #expect(unit.delayTime == 1 && unit.wetDryMix == 100)
    }
}
