import Foundation
import OssicleTestKit
import OssicleTestSupport
import Testing

@Suite("Measurements against closed forms") struct MeasurementTests {
    @Test("a sine has A²/2, in its band and nowhere else; white noise has the power of the band's width")
    func levels() throws {
        let sine = try Tones.sound(Tones.sine(1000, amplitude: 0.5))
        #expect(abs(sine.level() - 20 * log10(0.5 / 2.0.squareRoot())) < 1e-3)
        #expect(abs(sine.level(in: 707...1414, during: 0.2..<0.8) - sine.level()) < 0.05)
        #expect(sine.level(in: 4000...8000, during: 0.2..<0.8) < -90)
        #expect(abs(sine.peak() - 20 * log10(0.5)) < 1e-3)
        let noise = try Tones.sound(Tones.noise(10), Tones.noise(10, 2, 0))
        // A band of B Hz scatters by 4.3/√(B·T) dB; the silent second channel takes half the mean power.
        let expected = 10 * log10(0.25 / 3 * 2000 / 24_000)
        #expect(abs(noise.level(in: 2000...4000, channel: 0) - expected) < 4 * 4.3 / 20_000.0.squareRoot() + 0.02)
        #expect(abs(noise.level() - noise.level(channel: 0) + 10 * log10(2)) < 1e-9)
        #expect(noise.level(channel: 1) == -.infinity)
    }

    @Test("997 Hz at full scale in one channel have −3.01 LUFS, in both 0.00; the true peak lies between samples")
    func loudness() throws {
        let one = try #require(try Tones.sound(Tones.sine(997, seconds: 5), Tones.silence(5)).loudness())
        let both = try #require(try Tones.sound(Tones.sine(997, seconds: 5), Tones.sine(997, seconds: 5)).loudness())
        // BS.1770-4, annex 1: such a tone reads −3.01 LKFS; EBU Tech 3341 allows 0.1.
        #expect(abs(one.integrated + 3.01) < 0.1 && abs(both.integrated) < 0.1)
        // fs/4 at 45°: samples of 0.707, a peak of 1. Tech 3341 allows +0.2 and −0.4 dB.
        let between = try Tones.sound(Signal.sine(12_000, count: 48_000, phase: .pi / 4))
        let found = try #require(between.loudness())
        #expect(abs(between.peak() + 3.01) < 0.01 && found.truePeak < 0.2 && found.truePeak > -0.4)
        #expect(try Tones.sound(Tones.silence(1)).loudness()?.integrated == -.infinity)
    }

    @Test("silence, onsets and clicks are where they were put")
    func events() throws {
        let samples =
            Tones.silence(0.5) + Tones.noise(0.25) + Tones.silence(0.25) + Tones.noise(0.5, 2) + Tones.silence(0.1)
        let sound = try Tones.sound(samples)
        #expect(sound.isSilent(during: 0..<0.5) && !sound.isSilent(during: 0..<0.51))
        let silences = sound.silences()
        #expect(silences.count == 3)
        for (found, expected) in zip(silences, [0..<0.5, 0.75..<1.0, 1.5..<1.6]) {
            // Noise may begin with samples below the limit of 1e-4: one in 5,000 is.
            #expect(
                abs(found.lowerBound - expected.lowerBound) < 1e-4 && abs(found.upperBound - expected.upperBound) < 1e-4
            )
        }
        let onsets = sound.onsets()
        #expect(onsets.count == 2 && abs(onsets[0] - 0.5) < 2e-4 && abs(onsets[1] - 1) < 2e-4)
        #expect(sound.onsets(during: 0.9..<1.2).count == 1)
        var broken = Tones.sine(220, seconds: 1, amplitude: 0.3)
        for frame in 24_000..<48_000 { broken[frame] *= 0.8 }
        #expect(try Tones.sound(Tones.sine(220, amplitude: 0.3)).clicks().isEmpty)
        // At 0.5 s the sine is at 0 and has its steepest slope; a quarter of a period later it is at its peak.
        var later = Tones.sine(220, seconds: 1, amplitude: 0.3)
        for frame in 24_055..<48_000 { later[frame] *= 0.8 }
        let clicks = try Tones.sound(later).clicks()
        #expect(clicks.count == 1 && abs((clicks.first ?? 0) - 24_055 / Tones.rate) < 1e-4)
    }

    @Test("a pitch is right to a cent, in all channels' mean; noise has none", arguments: [82.41, 440, 1318.5])
    func pitch(frequency: Double) throws {
        let tone = Tones.sine(frequency, seconds: 0.5, amplitude: 0.2)
        let found = try #require(try Tones.sound(tone, Tones.silence(0.5)).pitch())
        #expect(abs(found.cents(above: frequency)) < 1 && found.clarity > 0.95)
        #expect(try Tones.sound(Tones.noise(0.5)).pitch() == nil && Tones.sound(Tones.silence(0.5)).pitch() == nil)
        #expect(try Tones.sound(tone)[0..<0.01].pitch() == nil)
    }

    @Test("noise that falls by 60 dB in a second has that T60, EDT and T20", arguments: [0.4, 1.0])
    func decay(seconds: Double) throws {
        let sound = try Tones.sound(Tones.decay(seconds), Tones.decay(seconds))
        for band in sound.decays() where band.frequency >= 500 {
            // The slope of an octave of B Hz over 30 dB scatters by some 1/√(B·T/2): 9 % at 500 Hz and 0.4 s, three of
            // these.
            let bound = 3 / (band.frequency * 0.7 * seconds / 2).squareRoot() + 0.01
            #expect(abs((band.t30 ?? 0) / seconds - 1) < bound, "\(band.frequency) Hz: \(band.t30 ?? 0)")
            #expect(band.reverberationTime == band.t30)
            // 10·log₁₀(e^(13.8·0.08/T) − 1).
            let clarity = 10 * log10(exp(6 * log(10.0) * 0.08 / seconds) - 1)
            #expect(abs((band.clarity ?? 99) - clarity) < 2.5)
        }
        #expect(abs((sound.reverberationTime(at: 4000) ?? 0) / seconds - 1) < 0.1)
        #expect(try Tones.sound(Tones.silence(0.2)).decays().isEmpty)
    }

    @Test(
        "directions: of ears by Woodworth's delay, of a pair by the tangent law, of a field by intensity, of loudspeakers by energy"
    )
    func directions() throws {
        let noise = Tones.noise(0.5)
        for frames in [-24, -10, 0, 10, 24] {
            // The left is ahead by so many frames: τ = a/c·(θ + sin θ), with 87.5 mm and 343 m/s.
            let (left, right) = (Array(noise[max(frames, 0)...]), Array(noise[max(-frames, 0)...]))
            let count = min(left.count, right.count)
            let found = try #require(
                try Tones.sound(Array(left.prefix(count)), Array(right.prefix(count))).direction(as: .binaural))
            let angle = found.azimuth * .pi / 180
            #expect(abs(0.0875 / 343 * (angle + sin(angle)) - Double(frames) / 48_000) < 2e-6)
        }
        for azimuth in [-30.0, -12, 0, 25] {
            let ratio = tan(azimuth * .pi / 180) / tan(.pi / 6)
            let pair = try Tones.sound(noise.map { $0 * Float(1 + ratio) / 2 }, noise.map { $0 * Float(1 - ratio) / 2 })
            #expect(abs((pair.direction(as: .stereo)?.azimuth ?? 99) - azimuth) < 0.01)
        }
        let (a, e) = (2.0, 0.4)
        let gains = [1, sin(a) * cos(e), sin(e), cos(a) * cos(e)].map(Float.init)
        let field = try Sound(channels: gains.map { gain in noise.map { $0 * gain } }, sampleRate: 48_000)
        let found = try #require(field.direction())
        #expect(abs(found.azimuth - a * 180 / .pi) < 0.01 && abs((found.elevation ?? 99) - e * 180 / .pi) < 0.01)
        // 5.1 in WAVE's order: centre, then left surround, which is at 110°.
        var channels = Array(repeating: Tones.silence(0.5), count: 6)
        channels[4] = noise
        let surround = try #require(try Sound(channels: channels, sampleRate: 48_000).direction())
        #expect(abs(surround.azimuth - 110) < 0.5 && surround.diffuseness < 1e-6)
        #expect(try Tones.sound(noise).direction() == nil)
    }

    @Test("swapped, lost and doubled channels are found")
    func channels() throws {
        let (one, two, three) = (Tones.noise(0.2, 1), Tones.noise(0.2, 2), Tones.noise(0.2, 3))
        let reference = try Tones.sound(one, two, three, labels: [1, 2, 3])
        #expect(try Tones.sound(one.map { $0 / 3 }, two, three).channelOrder(against: reference) == [0, 1, 2])
        #expect(try Tones.sound(two, one, three).channelOrder(against: reference) == [1, 0, 2])
        #expect(try Tones.sound(one, one, Tones.noise(0.2, 9)).channelOrder(against: reference) == [0, 0, nil])
        #expect(reference.name(ofChannel: 2) == "C")
        #expect(try Tones.sound(one.map { $0 / 2 }, two).loudestChannel() == 1)
        #expect(try Tones.sound(Tones.silence(0.1), Tones.silence(0.1)).loudestChannel() == nil)
    }
}
