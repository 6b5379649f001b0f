import Foundation
import OssicleCore
import PHASE
import Testing

@Suite struct ChannelMixerTests {
    private func noise(_ count: Int, seed: UInt64 = 1) -> [Float] {
        let random = CounterRandom(seed: seed, object: 3)
        return (0..<count).map { Float(random.unit(UInt64($0)) - 0.5) }
    }

    @Test func `a mono sound at relativeSpl 0 dB is unity in both channels, bit for bit`() throws {
        let stage = try Stage()
        let sound = noise(9000)
        try stage.register("noise", [sound])
        let event = try stage.registerEvent("noise", into: stage.channelMixer()) {
            $0.setCalibrationMode(calibrationMode: .relativeSpl, level: 0)
        }
        try stage.start()
        try stage.event(event).start()
        let out = try stage.render(9000)
        #expect(out[0] == sound && out[1] == sound)
    }

    @Test func `a stereo sound passes bit for bit`() throws {
        let stage = try Stage()
        let (left, right) = (noise(5000, seed: 1), noise(5000, seed: 2))
        try stage.register("noise", [left, right])
        let event = try stage.registerEvent("noise", into: stage.channelMixer(kAudioChannelLayoutTag_Stereo))
        try stage.start()
        try stage.event(event).start()
        let out = try stage.render(5000)
        #expect(out[0] == left && out[1] == right)
    }

    @Test func `a loop is seamless to the sample`() throws {
        let stage = try Stage()
        let sound = noise(1234)
        try stage.register("loop", [sound])
        let event = try stage.registerEvent("loop", into: stage.channelMixer(), loops: true)
        try stage.start()
        try stage.event(event).start()
        let expected: [Float] = (0..<20_000).map { sound[$0 % 1234] }
        let out = try stage.render(20_000)[0]
        #expect(out == expected)
    }

    @Test(arguments: [(-20.0, 0.1), (-6.0, 0.501187), (12.0, 3.981072)])
    func `relativeSpl is decibels`(level: Double, gain: Double) throws {
        let stage = try Stage()
        try stage.register("tone", [sine(1000, 4800, amplitude: 0.2)])
        let event = try stage.registerEvent("tone", into: stage.channelMixer()) {
            $0.setCalibrationMode(calibrationMode: .relativeSpl, level: level)
        }
        try stage.start()
        try stage.event(event).start()
        let out = try stage.render(4800)[0]
        #expect(abs(decibels(rms(out[...]) / (0.2 / 2.0.squareRoot())) - decibels(gain)) < 0.01)
    }

    @Test func `a sound at another rate keeps its pitch`() throws {
        let stage = try Stage()
        try stage.register("tone", [sine(1000, 44_100, rate: 44_100)], rate: 44_100)
        let event = try stage.registerEvent("tone", into: stage.channelMixer())
        try stage.start()
        try stage.event(event).start()
        let out = try stage.render(40_000)[0]
        // Against a 1 kHz sine at the engine's rate, away from the filter's run-in.
        let reference = sine(1000, 40_000)
        let error = zip(out[1000..<39_000], reference[1000..<39_000]).map { Double($0) - Double($1) }
        let residue = (error.reduce(0) { $0 + $1 * $1 } / Double(error.count)).squareRoot()
        #expect(decibels(residue / rms(reference[...])) < -80)
    }

    @Test func `dynamic normalisation brings every level to −23 LUFS`() throws {
        for amplitude in [0.02, 0.1, 0.5] {
            let stage = try Stage()
            try stage.register("tone", [sine(997, 96_000, amplitude: amplitude)], normalization: .dynamic)
            let event = try stage.registerEvent("tone", into: stage.channelMixer()) {
                $0.setCalibrationMode(calibrationMode: .relativeSpl, level: 0)
            }
            try stage.start()
            try stage.event(event).start()
            let out = try stage.render(96_000)[0]
            // A mono 997 Hz sine of 0 dBFS measures −3.01 LUFS.
            #expect(abs(decibels(rms(out[1000...]) * 2.0.squareRoot()) - (-23 + 3.01)) < 0.1)
        }
    }

    @Test func `layouts fold as documented`() throws {
        let stage = try Stage()
        let channels = (0..<6).map { channel in [Float](repeating: Float(channel + 1) / 10, count: 600) }
        try stage.register("surround", channels, layout: kAudioChannelLayoutTag_MPEG_5_1_A)
        let event = try stage.registerEvent("surround", into: stage.channelMixer(kAudioChannelLayoutTag_MPEG_5_1_A))
        try stage.start()
        try stage.event(event).start()
        let out = try stage.render(512)
        // L R C LFE Ls Rs: left = L + 0.707 C + 0.707 Ls; the LFE is dropped.
        #expect(abs(out[0][300] - (0.1 + 0.70710678 * 0.3 + 0.70710678 * 0.5)) < 1e-6)
        #expect(abs(out[1][300] - (0.2 + 0.70710678 * 0.3 + 0.70710678 * 0.6)) < 1e-6)
    }

    @Test func `the same layout passes every channel, LFE included`() throws {
        let stage = try Stage(layout: kAudioChannelLayoutTag_MPEG_5_1_A)
        let channels = (0..<6).map { noise(1000, seed: UInt64($0)) }
        try stage.register("surround", channels, layout: kAudioChannelLayoutTag_MPEG_5_1_A)
        let event = try stage.registerEvent("surround", into: stage.channelMixer(kAudioChannelLayoutTag_MPEG_5_1_A))
        try stage.start()
        try stage.event(event).start()
        let out = try stage.render(1000)
        #expect(out == channels)
    }
}
