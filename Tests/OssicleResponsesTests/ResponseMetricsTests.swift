import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleTestSupport
import Testing

@testable import OssicleResponses

/// Quantities of responses themselves, against closed forms.
@Suite("Metrics of responses") struct ResponseMetricsTests {
    private static let rate = 48_000.0

    /// Gaussian noise by Box and Muller, of variance 1.
    private static func noise(_ count: Int, _ seed: UInt64) -> [Double] {
        let random = CounterRandom(seed: seed, object: 1)
        return (0..<count).map { index in
            let bits = random.bits(UInt64(index))
            let (u, v) = (Double(bits >> 32) + 0.5, Double(bits & 0xFFFF_FFFF))
            return (-2 * log(u * 0x1p-32)).squareRoot() * cos(2 * .pi * v * 0x1p-32)
        }
    }

    /// Noise that decays by 60 dB in so many seconds.
    private static func decay(_ seconds: Double, _ seed: UInt64, length: Double = 1.5) -> [Double] {
        let noise = noise(Int(length * rate), seed)
        return noise.indices.map { noise[$0] * exp(-3 * log(10) * Double($0) / rate / seconds) }
    }

    private static func mean(_ values: [Double?]) -> Double {
        values.reduce(0) { $0 + ($1 ?? .nan) } / Double(values.count)
    }

    /// Of twelve random responses. An energy of B·t independent samples scatters by 1/√(B·t), that of an exponential of
    /// the time constant τ by 1/√(2Bτ); so a ratio r of early and late energies does by r √(1/Bt + 1/2Bτ), and D50 by
    /// D(1 − D) of that. Three standard deviations of the mean are allowed.
    @Test("exponential noise has the closed forms of its decay: EDT = T20 = T30 = T, C80, D50, Ts and STI")
    func exponential() throws {
        let time = 0.8, rate = 6 * log(10) / time
        let found = try (1...12).map {
            try #require(ResponseMetrics([Self.decay(time, $0)], sampleRate: Self.rate))
        }
        func mean(_ band: Int, _ value: (ResponseMetrics.Band) -> Double?) -> Double {
            Self.mean(found.map { value($0.bands[band]) })
        }
        let (left80, left50) = (exp(-rate * 0.08), exp(-rate * 0.05))
        for band in 4...8 {
            #expect(abs(mean(band) { $0.edt } / time - 1) < 0.06)
            #expect(abs(mean(band) { $0.t20 } / time - 1) < 0.03)
            #expect(abs(mean(band) { $0.t30 } / time - 1) < 0.03)
            let width = OctaveBands.centre(band) / 2.0.squareRoot()
            func scatter(_ early: Double) -> Double {
                3 * ((1 / (width * early) + rate / (2 * width)) / Double(found.count)).squareRoot()
            }
            #expect(abs(mean(band) { $0.c80 } - 10 * log10((1 - left80) / left80)) < 10 / log(10) * scatter(0.08))
            #expect(abs(mean(band) { $0.d50 } - (1 - left50)) < left50 * (1 - left50) * scatter(0.05))
            #expect(abs(mean(band) { $0.centreTime } - 1 / rate) < 0.003)
        }
        let index = SpeechTransmission.index { _, frequency in
            let turns = 2 * Double.pi * frequency / rate
            return 1 / (1 + turns * turns).squareRoot()
        }
        #expect(abs(Self.mean(found.map(\.speechTransmission)) - index) < 0.015)
    }

    @Test("a floor of noise 50 dB down changes T20 by less than 3 %, and T30 behind it is not given 30 dB down")
    func floor() throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            let clean = Self.decay(0.7, seed), hiss = Self.noise(clean.count, seed + 50)
            func noisy(_ level: Double) -> [Double] { zip(clean, hiss).map { $0 + $1 * pow(10, level / 20) } }
            let plain = try #require(ResponseMetrics([clean], sampleRate: Self.rate))
            let floored = try #require(ResponseMetrics([noisy(-50)], sampleRate: Self.rate))
            for band in 4...8 {
                let (a, b) = (try #require(plain.bands[band].t20), try #require(floored.bands[band].t20))
                #expect(abs(b / a - 1) < 0.03, "\(seed) \(band)")
            }
            let deep = try #require(ResponseMetrics([noisy(-30)], sampleRate: Self.rate))
            #expect(deep.bands[5].t30 == nil && deep.bands[5].t20 == nil && deep.bands[5].edt != nil)
        }
    }

    /// T20 of one random response scatters by some 0.9/√(BT), 2.3 % at 1 kHz (Davy 1980); the tail that is guessed adds
    /// to that.
    @Test("a computed response that is cut at −24 dB has its decay times; as a measured one it has none")
    func cut() throws {
        let sound = Self.decay(2, 3, length: 0.8)
        let computed = try #require(ResponseMetrics([sound], sampleRate: Self.rate, hasNoise: false))
        for band in 5...8 { #expect(abs((computed.bands[band].t20 ?? 0) / 2 - 1) < 0.15) }
        let measured = try #require(ResponseMetrics([sound], sampleRate: Self.rate))
        #expect(measured.bands.allSatisfy { $0.t20 == nil })
    }

    @Test("two impulses have the energies and times of two impulses, whatever the band, G re 10 m")
    func impulses() throws {
        var sound = [Double](repeating: 0, count: 48_000)
        (sound[480], sound[480 + 4800]) = (0.5, 0.25)
        let found = try #require(ResponseMetrics([sound], sampleRate: Self.rate, reference: 1))
        for band in 3...8 {
            let octave = found.bands[band]
            #expect(abs((octave.c80 ?? 99) - 10 * log10(4)) < 0.05)
            #expect(abs((octave.d50 ?? 99) - 0.8) < 0.003)
            #expect(abs((octave.centreTime ?? 99) - 0.02) < 0.0006)
            #expect(abs((octave.strength ?? 99) - (10 * log10(0.3125) + 20)) < 0.05)
        }
    }

    @Test("LF and LFC of a frontal impulse and one from 60° to the left, LG of one later still")
    func lateral() throws {
        var (omni, eight) = ([Double](repeating: 0, count: 48_000), [Double](repeating: 0, count: 48_000))
        let side = sin(60 * Double.pi / 180)
        for (frame, amplitude, cosine) in [(480, 1.0, 0.0), (480 + 1440, 0.6, side), (480 + 7200, 0.3, 1)] {
            (omni[frame], eight[frame]) = (amplitude, amplitude * cosine)
        }
        let rest = [Double](repeating: 0, count: 48_000)
        let found = try #require(
            ResponseMetrics([omni, eight, rest, rest], sampleRate: Self.rate, kind: .field, reference: 1))
        for band in 4...8 {
            let octave = found.bands[band]
            #expect(abs((octave.lf ?? 9) - 0.36 * side * side / 1.36) < 0.005)
            #expect(abs((octave.lfc ?? 9) - 0.36 * side / 1.36) < 0.005)
            #expect(abs((octave.lg ?? 99) - (10 * log10(0.09) + 20)) < 0.1)
        }
        let mono = try #require(ResponseMetrics([omni], sampleRate: Self.rate))
        #expect(mono.bands[5].lf == nil && mono.bands[5].strength == nil && mono.bands[5].iacc == nil)
    }

    @Test("IACC of the same sound at both ears is 1, also 0.6 ms apart, and of a mixture of two its share")
    func ears() throws {
        let (one, other) = (Self.decay(0.8, 1), Self.decay(0.8, 2))
        let late = [Double](repeating: 0, count: 29) + one.dropLast(29)
        let shifted = try #require(ResponseMetrics([one, late], sampleRate: Self.rate, kind: .ears))
        for band in 2...8 {
            let octave = shifted.bands[band]
            for value in [octave.iaccEarly, octave.iaccLate, octave.iacc] { #expect((value ?? 0) > 0.97) }
        }
        // Correlation 0.6; a response of 0.8 s scatters by some (1 − ρ²)/√(BT60/6.9), 0.05 at 1 kHz.
        let mixed = zip(one, other).map { 0.6 * $0 + 0.8 * $1 }
        let found = try #require(ResponseMetrics([one, mixed], sampleRate: Self.rate, kind: .ears))
        for band in 6...8 { #expect(abs((found.bands[band].iacc ?? 0) - 0.6) < 0.1) }
    }

    /// Of a diffuse field two points have the coherence sin(kd)/(kd) (Cook et al. 1955); its largest value within 1 ms
    /// is found of waves from 100 directions, in octaves whose bandwidth B and length T make it scatter by 1/√(2BT).
    @Test("IACC of two microphones 0.15 m apart in a diffuse field is that of Cook's coherence")
    func diffuse() {
        let count = 48_000, directions = 100
        var ears = [[Double](repeating: 0, count: count), [Double](repeating: 0, count: count)]
        for number in 0..<directions {
            // Evenly over the sphere the cosine to an axis is uniform.
            let cosine = (Double(number) + 0.5) / Double(directions) * 2 - 1
            let wave = Self.noise(count + 64, UInt64(100 + number))
            let shift = Int((0.075 * cosine / 343 * Self.rate).rounded())
            for frame in 0..<count {
                ears[0][frame] += wave[frame + 32 + shift]
                ears[1][frame] += wave[frame + 32 - shift]
            }
        }
        for centre in [500.0, 1000, 2000] {
            let filter = BandFilter(centre / 2.0.squareRoot()...centre * 2.0.squareRoot(), sampleRate: Self.rate)
            let found = InterauralCorrelation.coefficient(
                filter.filtered(ears[0]), filter.filtered(ears[1]), sampleRate: Self.rate)
            // ∫ over the octave of sin(kd)/(kd) cos(2πfτ), the largest over τ.
            var expected = 0.0
            for step in 0...48 {
                let lag = Double(step) / Self.rate
                var sum = 0.0
                for k in 0..<200 {
                    let f = centre / 2.0.squareRoot() * (1 + (Double(k) + 0.5) / 200)
                    let kd = 2 * Double.pi * f * 0.15 / 343
                    sum += sin(kd) / kd * cos(2 * .pi * f * lag) / 200
                }
                expected = max(expected, abs(sum))
            }
            // Three standard deviations of the correlation of B·T independent samples, 1/√(2BT).
            let scatter = 1 / (2 * centre / 2.0.squareRoot() * Double(count) / Self.rate).squareRoot()
            #expect(abs((found ?? 9) - expected) < 3 * scatter, "\(centre)")
        }
    }

    @Test("silence, one sample and what is no number are no responses, or have no numbers")
    func hostile() {
        #expect(ResponseMetrics([[0, 0, 0]], sampleRate: Self.rate) == nil)
        #expect(ResponseMetrics([], sampleRate: Self.rate) == nil)
        #expect(ResponseMetrics([[1]], sampleRate: Self.rate) != nil)
        _ = ResponseMetrics([[.nan, 1, .infinity]], sampleRate: Self.rate)
        _ = ResponseMetrics([[1], []], sampleRate: Self.rate, kind: .ears)
        #expect(ResponseMetrics([[1, 0.5]], sampleRate: 8000)?.bands.count == 7)
    }
}
