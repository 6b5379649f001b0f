import Foundation
import OssicleAudioToolbox
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite("Units: what passes untouched") struct UnitTransparencyTests {
    private static func noise(_ count: Int, from start: Int = 0) -> [Float] {
        (start..<(start + count)).map { OfflineRig.noise($0, 0) }
    }

    @Test("Every effect, bypassed, passes sound bit for bit", arguments: builtInEffects())
    func bypass(description: AudioComponentDescription) throws {
        let unit = AVAudioUnitEffect(audioComponentDescription: description)
        unit.bypass = true
        let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.noise), through: [unit])
        #expect(try rig.render(2000, callsOf: 300)[0] == Self.noise(2000) && rig.engine.lastError == nil)
        #expect(unit.latency == 0 && unit.tailTime == 0)
    }

    @Test("Bypass begins and ends at the boundary of a render call")
    func boundary() throws {
        let unit = AVAudioUnitEQ(numberOfBands: 1)
        unit.globalGain = -6
        let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.noise), through: [unit])
        let before = try rig.render(300, callsOf: 300)[0]
        unit.bypass = true
        let during = try rig.render(300, callsOf: 300)[0]
        unit.bypass = false
        let after = try rig.render(300, callsOf: 300)[0]
        #expect(
            before[299] != Self.noise(300)[299] && during == Self.noise(300, from: 300)
                && after[0] != Self.noise(1, from: 600)[0])
    }

    @Test("Set to do nothing, units do nothing", arguments: [48_000.0, 44_100])
    func unity(rate: Double) throws {
        let equalizer = AVAudioUnitEQ(numberOfBands: 4)
        equalizer.bands[2].bypass = false
        let delay = AVAudioUnitDelay(), reverb = AVAudioUnitReverb(), distortion = AVAudioUnitDistortion()
        (delay.wetDryMix, reverb.wetDryMix, distortion.wetDryMix) = (0, 0, 0)
        let units: [AVAudioNode] = [
            equalizer, delay, reverb, distortion, AVAudioUnitVarispeed(), AVAudioUnitTimePitch(),
            builtIn(kAudioUnitSubType_ParametricEQ),
            builtIn(kAudioUnitSubType_GraphicEQ), builtIn(kAudioUnitSubType_SampleDelay),
        ]
        let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.noise), through: units, rate: rate)
        #expect(try rig.render(3000)[0] == Self.noise(3000) && rig.engine.lastError == nil)
    }

    @Test("A bypassed time effect passes sound at its own speed")
    func timeBypass() throws {
        let varispeed = AVAudioUnitVarispeed(), pitch = AVAudioUnitTimePitch()
        (varispeed.rate, pitch.pitch, pitch.rate) = (1.7, 500, 0.6)
        (varispeed.bypass, pitch.bypass) = (true, true)
        let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.noise), through: [varispeed, pitch])
        #expect(try rig.render(2000)[0] == Self.noise(2000))
    }

    @Test("How calls are cut does not change a byte", arguments: [true, false])
    func cuts(withTime: Bool) throws {
        var sounds: [[[Float]]] = []
        for size in [64, 127, 1024] {
            let equalizer = AVAudioUnitEQ(numberOfBands: 1), pitch = AVAudioUnitTimePitch(),
                varispeed = AVAudioUnitVarispeed()
            (equalizer.bands[0].bypass, equalizer.bands[0].gain) = (false, 9)
            (pitch.rate, pitch.pitch, varispeed.rate) = (1.25, -300, 0.8)
            let time: [AVAudioNode] = withTime ? [varispeed, pitch] : []
            let units =
                [equalizer, AVAudioUnitDistortion(), AVAudioUnitReverb()] + time
                + builtInEffects().map(AVAudioUnitEffect.init)
            let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.noise), through: units)
            // Long enough for the first sound to come through three reverbs and the pitch effect.
            sounds.append(try rig.render(41_000, callsOf: size))
        }
        #expect(sounds[1] == sounds[0] && sounds[2] == sounds[0])
        #expect(sounds[0][0].allSatisfy(\.isFinite) && Measure.peak(sounds[0][0]) > 0)
    }
}
