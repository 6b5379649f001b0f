import Testing
@testable import OssicleSoundEvents

@Suite struct LevelTests {
    @Test("0 dB relative is exactly 1")
    func unity() {
        #expect(Calibration(.relativeSPL, level: 0).gain() == 1)
        #expect(Calibration().gain() == 1)
        #expect(Calibration(.absoluteSPL, level: 70).gain() == 1)
        #expect(Calibration(.absoluteSPL, level: 85).gain(referenceLevel: 85) == 1)
    }

    @Test("levels become gains as 10^(dB/20) (1e-12 relative)")
    func decibels() {
        #expect(abs(Calibration(.relativeSPL, level: 12).gain() / 3.981071705534972 - 1) < 1e-12)
        #expect(abs(Calibration(.relativeSPL, level: -6).gain() / 0.5011872336272722 - 1) < 1e-12)
        #expect(abs(Calibration(.absoluteSPL, level: 50).gain() / 0.1 - 1) < 1e-12)
        #expect(Calibration(.none, level: 0.25).gain() == 0.25)
    }

    @Test("levels out of range are clamped, NaN leaves the sound as it is")
    func clamps() {
        #expect(Calibration(.none, level: 3).level == 1)
        #expect(Calibration(.none, level: -1).level == 0)
        #expect(Calibration(.relativeSPL, level: 40).level == 12)
        #expect(Calibration(.relativeSPL, level: -.infinity).level == -200)
        #expect(Calibration(.absoluteSPL, level: 200).level == 120)
        for mode in [Calibration.Mode.none, .relativeSPL, .absoluteSPL] {
            #expect(Calibration(mode, level: .nan).gain() == 1)
        }
    }

    @Test("normalisation brings −33 LUFS up 10 dB and −13 LUFS down 10 dB (1e-12)")
    func normalises() {
        #expect(abs(LoudnessNormalisation.gain(loudness: -33, truePeak: -20) / 3.1622776601683795 - 1) < 1e-12)
        #expect(abs(LoudnessNormalisation.gain(loudness: -13, truePeak: 0) / 0.31622776601683794 - 1) < 1e-12)
        #expect(LoudnessNormalisation.gain(loudness: -23, truePeak: -1) == 1)
    }

    @Test("normalisation stops at 24 dB and below the peak ceiling, and leaves silence alone")
    func limits() {
        #expect(abs(LoudnessNormalisation.gain(loudness: -70, truePeak: -50) / 15.848931924611133 - 1) < 1e-12)
        #expect(abs(LoudnessNormalisation.gain(loudness: 10, truePeak: -40) / 0.06309573444801933 - 1) < 1e-12)
        #expect(abs(LoudnessNormalisation.gain(loudness: -33, truePeak: -6) / 1.7782794100389228 - 1) < 1e-12)
        #expect(LoudnessNormalisation.gain(loudness: -.infinity, truePeak: -.infinity) == 1)
        #expect(LoudnessNormalisation.gain(loudness: .nan, truePeak: 0) == 1)
    }

    @Test("generator and mixer gains follow their meta-parameters within limits")
    func parameters() {
        let blueprint = ParameterBlueprint(identifier: "gain", kind: .number(.unlimited, initial: 0.5))
        var values = ParameterValues([blueprint])
        let generator = Generator(
            mixer: 0, calibration: Calibration(.relativeSPL, level: 0), rate: 2, gainParameter: 0, rateParameter: 0)
        let mixer = MixerBlueprint(identifier: "m", gain: 0.5, gainParameter: 0, kind: .spatial(.init()))
        #expect(generator.gain(values) == 0.5 && generator.rate(values) == 1 && mixer.gain(values) == 0.25)
        values.set(0, to: 100)
        #expect(generator.rate(values) == 4 && mixer.gain(values) == 1)
        values.set(0, to: -100)
        #expect(generator.gain(values) == 0 && generator.rate(values) == 0.25 && mixer.gain(values) == 0)
    }
}
