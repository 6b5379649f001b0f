import Foundation
import OssicleCodecs
import OssicleTestSupport
import Testing
@testable import OssicleConversion

/// A change of rate with its settings.
struct RateCase: CustomTestStringConvertible, Sendable {
    var source: Double
    var target: Double
    var quality: Int
    var algorithm = ConversionSettings.RateAlgorithm.normal

    var testDescription: String { "\(Int(source)) to \(Int(target)) Hz, quality \(quality), \(algorithm)" }
    var lowerNyquist: Double { min(source, target) / 2 }
    /// Frames of sound whose middle half the steepest filter's ends do not reach.
    var count: Int { Int(3000 * source / min(source, target)) }

    static let rates: [(Double, Double)] = [
        (44_100, 48_000), (48_000, 44_100), (96_000, 44_100), (8000, 192_000), (192_000, 8000),
        (11_025, 48_000), (44_100, 44_101),
    ]
    /// Every pair of rates at every quality that promises a pass band to 0.9 Nyquist.
    static let all = rates.flatMap { source, target in
        [32, 64, 96, 127].flatMap { quality in
            [ConversionSettings.RateAlgorithm.normal, .mastering, .minimumPhase].map {
                RateCase(source: source, target: target, quality: quality, algorithm: $0)
            }
        }
    }

    func convert(_ sound: [Double]) throws -> [Double] {
        try Conversion.resampled(sound, from: source, to: target) {
            $0.rateQuality = quality
            $0.rateAlgorithm = algorithm
        }
    }

    /// What a sine becomes: the sine of the same frequency in it, and what else there is.
    func tone(_ frequency: Double) throws -> Measure.Tone {
        let out = try convert(Sounds.sine(frequency, rate: source, count: count))
        return Measure.tone(frequency, in: Sounds.middle(out), sampleRate: target)
    }
}

@Suite("Quality of the rate conversion")
struct RateQualityTests {
    @Test("1 kHz stays clean: 105 dB at low, 125 at medium, 145 above, as far as singles show", arguments: RateCase.all)
    func distortion(_ rate: RateCase) throws {
        let tone = try rate.tone(1000)
        #expect(
            tone.signalToNoise > (rate.quality >= 96 ? 145 : rate.quality >= 64 ? 125 : 105), "\(tone.signalToNoise) dB"
        )
        #expect(abs(tone.amplitude - 1) < 1e-3)
    }

    @Test("The pass band is flat within 0.1 dB to 0.9 Nyquist and has no images", arguments: RateCase.all)
    func passBand(_ rate: RateCase) throws {
        for share in [0.05, 0.45, 0.8, 0.9] {
            let tone = try rate.tone(share * rate.lowerNyquist)
            #expect(
                abs(Measure.decibels(tone.amplitude)) < 0.1, "\(share) Nyquist: \(Measure.decibels(tone.amplitude)) dB")
            #expect(tone.signalToNoise > 90, "\(share) Nyquist: \(tone.signalToNoise) dB")
        }
    }

    @Test(
        "What lies above the new Nyquist frequency is 90 dB down",
        arguments: RateCase.all.filter { $0.source > $0.target })
    func aliases(_ rate: RateCase) throws {
        for share in [1.001, 1.02, 1.08, 1.5, 3] where share * rate.target < rate.source {
            let out = try rate.convert(
                Sounds.sine(share * rate.lowerNyquist, rate: rate.source, count: rate.count, phase: 0.3))
            let level = Measure.level(Sounds.middle(out)) + 3.01
            #expect(level < -90, "\(share) Nyquist: \(level) dB")
        }
    }

    @Test("The lowest quality is clean too, but only to 0.6 Nyquist")
    func lowest() throws {
        for (source, target) in [(44_100.0, 48_000.0), (48_000, 44_100)] {
            let rate = RateCase(source: source, target: target, quality: 0)
            let inside = try rate.tone(0.6 * rate.lowerNyquist)
            #expect(abs(Measure.decibels(inside.amplitude)) < 0.1 && inside.signalToNoise > 90, "\(inside)")
        }
    }

    @Test("Mastering keeps what is left of the band to 0.97 Nyquist")
    func mastering() throws {
        let tone = try RateCase(source: 48_000, target: 44_100, quality: 127, algorithm: .mastering).tone(0.97 * 22_050)
        #expect(abs(Measure.decibels(tone.amplitude)) < 0.1 && tone.signalToNoise > 110)
    }

    @Test("44.1 to 48 kHz and back nulls", arguments: [(32, -100.0), (64, -120), (96, -145), (127, -165)])
    func null(_ quality: Int, _ limit: Double) throws {
        let sound = Sounds.softNoise(1 << 15, rate: 44_100, below: 0.9 * 22_050)
        let there = try Conversion.resampled(sound, from: 44_100, to: 48_000) { $0.rateQuality = quality }
        let back = try Conversion.resampled(there, from: 48_000, to: 44_100) { $0.rateQuality = quality }
        #expect(back.count == sound.count)
        let rest = 10 * log10(Sounds.energy(zip(sound, back).map { $0 - $1 }) / Sounds.energy(sound))
        #expect(rest < limit, "\(rest) dB")
    }

    /// Energy that comes more than `guardFrames` before the peak of an impulse's response, over the whole, in dB.
    private func preRinging(_ rate: RateCase, guardFrames: Int) throws -> Double {
        var impulse = [Double](repeating: 0, count: 8192)
        impulse[4096] = 1
        let out = try rate.convert(impulse)
        let peak = out.indices.max { abs(out[$0]) < abs(out[$1]) } ?? 0
        return 10 * log10(max(Sounds.energy(out[..<(peak - guardFrames)]), .leastNormalMagnitude) / Sounds.energy(out))
    }

    @Test("Minimum phase has no ringing before a sound; linear phase has", arguments: [64, 96, 127])
    func ringing(_ quality: Int) throws {
        for (source, target) in [(44_100.0, 48_000.0), (48_000, 44_100)] {
            let minimum = try preRinging(
                RateCase(source: source, target: target, quality: quality, algorithm: .minimumPhase), guardFrames: 8)
            let linear = try preRinging(RateCase(source: source, target: target, quality: quality), guardFrames: 8)
            #expect(minimum < -100, "\(minimum) dB")
            #expect(linear > -30, "\(linear) dB")
        }
    }
}
