import Foundation
import OssicleAudioToolbox
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite("Units: time effects") struct TimeEffectTests {
    private func pitch(_ frequency: Double, near expected: Double, through unit: AVAudioNode) throws -> Measure.Tone {
        let rig = try OfflineRig.playing(OfflineRig.tone(frequency), through: [unit])
        defer { rig.engine.detach(unit) }
        return Measure.pitch(near: expected, in: Array(try rig.render(24_000)[0].dropFirst(9600)))
    }

    @Test("Varispeed changes speed and pitch alike", arguments: [0.25, 0.5, 1.5, 2, 4] as [Float])
    func varispeed(rate: Float) throws {
        let unit = AVAudioUnitVarispeed()
        unit.rate = rate
        let tone = try pitch(500, near: 500 * Double(rate), through: unit)
        #expect(
            (tone.frequency / (500 * Double(rate)) - 1).magnitude < 1e-3 && (tone.amplitude - 0.5).magnitude < 0.005)
    }

    @Test("Time and pitch changes the pitch alone", arguments: [-1200, 700, 1200] as [Float])
    func pitchOnly(cents: Float) throws {
        let unit = AVAudioUnitTimePitch()
        unit.pitch = cents
        let expected = 500 * pow(2, Double(cents) / 1200)
        let tone = try pitch(500, near: expected, through: unit)
        #expect((tone.frequency / expected - 1).magnitude < 2e-3 && (tone.amplitude - 0.5).magnitude < 0.1)
    }

    @Test("Time and pitch changes the speed alone", arguments: [0.5, 2] as [Float])
    func speedOnly(rate: Float) throws {
        let unit = AVAudioUnitTimePitch()
        unit.rate = rate
        let tone = try pitch(500, near: 500, through: unit)
        #expect((tone.frequency / 500 - 1).magnitude < 2e-3 && (tone.amplitude - 0.5).magnitude < 0.1)
    }

    @Test("A time effect takes as many frames as its rate says")
    func framesTaken() throws {
        for rate in [0.5, 2] as [Float] {
            let unit = AVAudioUnitVarispeed()
            unit.rate = rate
            let taken = Counter()
            let rig = try OfflineRig.playing(OfflineRig.source { frame, _ in taken.note(frame) }, through: [unit])
            _ = try rig.render(9600)
            #expect((Float(taken.largest) - 9600 * rate).magnitude < 300)
        }
    }

    @Test("Rate can be changed while the engine runs, by the property or from outside")
    func hot() throws {
        let unit = AVAudioUnitVarispeed()
        let rig = try OfflineRig.playing(OfflineRig.tone(500), through: [unit])
        _ = try rig.render(4800)
        unit.rate = 1.5
        _ = try rig.render(4800)
        #expect((Measure.pitch(near: 750, in: try rig.render(9600)[0]).frequency - 750).magnitude < 1)
        AudioUnitSetParameter(unit.audioUnit, kVarispeedParam_PlaybackCents, kAudioUnitScope_Global, 0, -1200, 0)
        _ = try rig.render(4800)
        #expect((Measure.pitch(near: 250, in: try rig.render(9600)[0]).frequency - 250).magnitude < 1)
    }

    @Test("Live input through a time effect is refused")
    func liveInput() throws {
        let rig = try OfflineRig()
        let unit = AVAudioUnitVarispeed()
        rig.engine.attach(unit)
        rig.engine.connect(rig.engine.inputNode, to: unit, format: rig.format)
        rig.engine.connect(unit, to: rig.engine.mainMixerNode, format: rig.format)
        #expect(throws: (any Error).self) { try rig.engine.start() }
    }

    private final class Counter {
        private(set) var largest = 0
        func note(_ frame: Int) -> Float {
            largest = max(largest, frame)
            return 0
        }
    }
}
