import Foundation
@testable import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct TimeStretcherTests {
    typealias Run = TimeKernelRun<TimeStretcher>
    typealias Parameters = TimeStretcher.Parameters

    /// Rate and cents.
    static let settings: [(Double, Double)] = [
        (0.5, 0.0), (0.9, 0), (1.1, 0), (2, 0), (4, 0), (1, 1200), (1, -1200), (0.75, 300), (1.5, -700), (1, 100),
        (0.25, 2400), (2, 1200),
    ]

    static func played(_ input: [Float], _ rate: Double, _ cents: Double, overlap: Double = 8, count: Int) -> [Float] {
        Run().play([input], Parameters(rate: rate, cents: cents, overlap: overlap), count: count).outputs[0]
    }

    @Test(
        "Tones from 80 Hz to 8 kHz keep pitch within 0.1 cent and level within 0.1 dB, distortion below −70 dB",
        arguments: settings)
    func tones(rate: Double, cents: Double) {
        for frequency in [80.0, 441, 1000, 2999, 8000] {
            let pitched = frequency * exp2(cents / 1200)
            if pitched > 19_000 { continue }
            let output = Self.played(
                Signal.sine(frequency, count: Int(34_000 * max(rate, 1)), amplitude: 0.5), rate, cents, count: 32_000)
            let tone = Measure.pitch(near: pitched, in: Array(output[16_000..<30_000]))
            #expect(abs(1200 * log2(tone.frequency / pitched)) < 0.1, "\(frequency) Hz \(tone)")
            #expect(abs(Measure.decibels(tone.amplitude / 0.5)) < 0.1, "\(frequency) Hz \(tone)")
            #expect(tone.signalToNoise > 70, "\(frequency) Hz \(tone)")
        }
    }

    @Test(
        "The slowest and the fastest speed and the widest pitches hold a tone, with three windows or with thirty-two",
        arguments: [
            (1.0 / 32, 0.0, 8.0), (32, 0, 8), (32, -2400, 8), (1.0 / 32, 2400, 8), (0.6, 0, 3), (0.6, 0, 32),
            (3, 500, 3),
        ] as [(Double, Double, Double)])
    func extremes(rate: Double, cents: Double, overlap: Double) {
        let pitched = 1000 * exp2(cents / 1200)
        let output = Self.played(
            Signal.sine(1000, count: Int(65_000 * max(rate, 1)), amplitude: 0.5), rate, cents, overlap: overlap,
            count: 60_000)
        let tone = Measure.pitch(near: pitched, in: Array(output[44_000..<58_000]))
        #expect(abs(1200 * log2(tone.frequency / pitched)) < 0.1 && abs(Measure.decibels(tone.amplitude / 0.5)) < 0.1)
    }

    @Test(
        "Noise keeps its level within 0.5 dB",
        arguments: [(0.5, 0.0), (0.9, 0), (1.5, 0), (2, 0), (32, 0), (1.0 / 32, 0), (1, -1200)] as [(Double, Double)])
    func noise(rate: Double, cents: Double) {
        let input = Signal.noise(count: Int(110_000 * max(rate, 1)), amplitude: 0.5)
        let output = Self.played(input, rate, cents, count: 100_000)
        #expect(abs(Measure.level(output[60_000...]) - Measure.level(input)) < 0.5)
    }

    @Test("A sound of n frames becomes one of n / rate, within 1 %", arguments: [0.25, 0.5, 0.8, 1.25, 2, 4])
    func length(rate: Double) {
        let (before, sounding) = (9600, Int(192_000 * max(rate, 1)))
        let input =
            Signal.silence(count: before) + Signal.noise(count: sounding, amplitude: 0.5)
            + Signal.silence(count: 48_000)
        let output = Self.played(input, rate, 0, count: Int(Double(input.count) / rate))
        let loud = output.indices.filter { output[$0].magnitude > 0.2 }
        #expect(abs(Double(loud.first ?? 0) - Double(before) / rate) < 64)
        #expect(abs(Double((loud.last ?? 0) - (loud.first ?? 0)) * rate / Double(sounding) - 1) < 0.01)
    }

    @Test(
        "The frames asked for are those of the time that has passed and what a window reaches ahead",
        arguments: [(0.5, 0.0), (2, 0), (32, 0), (1, 2400), (1, -2400), (1.0 / 32, 0)] as [(Double, Double)])
    func asked(rate: Double, cents: Double) {
        let run = Run().play([Signal.noise(count: 1000)], Parameters(rate: rate, cents: cents), count: 64_000)
        let ahead = Double(run.asked) - 64_000 * rate
        let slope = Parameters(rate: rate, cents: cents).slope
        #expect(ahead >= 0 && ahead < 12_000 + 3200 * slope)
    }

    @Test("Rate 1 and pitch 0 is the input, bit for bit, and asks for no frame more")
    func transparent() {
        let noise = [Signal.noise(count: 3000), Signal.noise(count: 3000, seed: 2)]
        let run = Run(takes: [128, 1, 63, 64]).play(noise, Parameters(), count: 3000)
        #expect(
            Measure.sameBytes(run.outputs[0], noise[0]) && Measure.sameBytes(run.outputs[1], noise[1])
                && run.asked == 3000)
    }

    @Test("Once rate and pitch are back the output is the input again, bit for bit, in its time")
    func returns() {
        let noise = Signal.noise(count: 80_000)
        let changes = [(at: 4800, to: Parameters(cents: 400)), (28_800, Parameters())]
        let output = Run(changes: changes).play([noise], Parameters(), count: 60_000).outputs[0]
        #expect(Measure.sameBytes(Array(output[..<4800]), Array(noise[..<4800])))
        let late = Array(output[50_000..<51_000])
        let shift = (-64...64).first { Measure.sameBytes(late, Array(noise[(50_000 + $0)..<(51_000 + $0)])) }
        #expect(shift != nil)
    }

    @Test("Where speed and pitch are one, the vocoder has nothing to do and the rate converter all of it")
    func varispeed() {
        let noise = Signal.noise(count: 9000)
        let converted = TimeKernelRun<RateConverter>().play([noise], RateConverter.Parameters(rate: 2), count: 4000)
            .outputs[0]
        #expect(Measure.sameBytes(Self.played(noise, 2, 1200, count: 4000), converted))
    }

    @Test("Level and phase between channels stay as they are")
    func image() {
        let count = 80_000
        let left = zip(Signal.sine(300, count: count, amplitude: 0.3), Signal.sine(2345, count: count, amplitude: 0.2))
            .map { $0 + $1 }
        let right = zip(
            Signal.sine(300, count: count, amplitude: 0.1, phase: 1),
            Signal.sine(2345, count: count, amplitude: 0.2, phase: -2)
        ).map { $0 + $1 }
        for (rate, cents) in Self.settings {
            let outputs = Run().play([left, right], Parameters(rate: rate, cents: cents), count: 20_000).outputs.map {
                Array($0[12_000..<18_000])
            }
            for (frequency, level, phase) in [(300.0, 1.0 / 3, 1.0), (2345, 1, -2)] {
                let tones = outputs.map { Measure.tone(frequency * exp2(cents / 1200), in: $0) }
                #expect(
                    abs(Measure.decibels(tones[1].amplitude / tones[0].amplitude / level)) < 0.1, "\(rate) \(cents)")
                #expect(
                    abs((tones[1].phase - tones[0].phase - phase).remainder(dividingBy: 2 * .pi)) < 0.01,
                    "\(rate) \(cents)")
            }
        }
    }

    @Test("Noise that is the same, or opposite, in both channels stays so")
    func correlation() {
        let noise = Signal.noise(count: 60_000, amplitude: 0.5)
        for sign in [Float(1), -1] {
            let outputs = Run().play(
                [noise, noise.map { $0 * sign }], Parameters(rate: 0.7, cents: 150), count: 30_000
            ).outputs
            #expect(Double(sign) * Measure.correlation(outputs[0], outputs[1]) > 0.9999)
        }
    }
}
