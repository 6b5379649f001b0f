import Foundation
@testable import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct RateConverterTests {
    typealias Run = TimeKernelRun<RateConverter>
    typealias Parameters = RateConverter.Parameters

    static let conversions: [(Double, Double)] = [
        (44100.0, 48000.0), (48000, 44100), (8000, 192_000), (192_000, 8000), (96000, 48000), (11025, 48000),
        (44099.5, 48000),
    ]

    /// A tone at `part` of the lower Nyquist frequency, converted: without the edges.
    static func converted(_ parameters: Parameters, part: Double) -> (tone: Measure.Tone, cycles: Double) {
        let ratio = parameters.ratio
        let cycles = 0.5 * part / max(ratio, 1)
        let input = Signal.sine(cycles * 48000, count: Int(9000 * max(ratio, 1)) + 1000)
        let output = Run().play([input], parameters, count: 7000).outputs[0]
        return (Measure.pitch(near: cycles * ratio * 48000, in: Array(output[2000..<6500])), cycles * ratio * 48000)
    }

    @Test(
        "A conversion is flat within 0.01 dB to 0.9 of the lower Nyquist frequency, with all else 95 dB down and the pitch exact",
        arguments: conversions)
    func passBand(from: Double, to: Double) {
        for part in [0.1, 0.5, 0.8, 0.9] {
            let (tone, frequency) = Self.converted(Parameters(from: from, to: to), part: part)
            #expect(abs(Measure.decibels(tone.amplitude)) < 0.01, "\(part)")
            #expect(tone.signalToNoise > 95, "\(part)")
            #expect(abs(1200 * log2(tone.frequency / frequency)) < 1e-3, "\(part)")
        }
    }

    @Test(
        "What lies beyond the new Nyquist frequency stays 95 dB down",
        arguments: [(48000.0, 44100.0), (96000, 48000), (192_000, 8000)] as [(Double, Double)])
    func aliases(from: Double, to: Double) {
        let ratio = from / to
        for part in [1.0, 1.3, 1.9] where part < ratio {
            let input = Signal.sine(part * 24000 / ratio, count: Int(9000 * ratio), phase: 1)
            #expect(
                Measure.level(Run().play([input], Parameters(from: from, to: to), count: 7000).outputs[0][2000..<6500])
                    < -95, "\(part)")
        }
    }

    @Test(
        "Varispeed is flat within 0.1 dB to 0.9 of the lower Nyquist frequency, with all else 85 dB down and the pitch exact",
        arguments: [0.25, 0.5, 0.8, 0.9999, 1.0001, 1.3, 2, 3.9, 4] as [Double])
    func varispeed(rate: Double) {
        for part in [0.1, 0.5, 0.9] {
            let (tone, frequency) = Self.converted(Parameters(rate: rate), part: part)
            #expect(abs(Measure.decibels(tone.amplitude)) < 0.1 && tone.signalToNoise > 85, "\(part)")
            #expect(abs(1200 * log2(tone.frequency / frequency)) < 0.01, "\(part)")
        }
    }

    @Test("Unit speed copies bit for bit and asks for no frame more")
    func transparent() {
        let noise = [Signal.noise(count: 2000), Signal.noise(count: 2000, seed: 2)]
        for parameters in [Parameters(rate: 1), Parameters(from: 44100, to: 44100)] {
            let run = Run(takes: awkwardCuts.map { min($0, 128) }).play(noise, parameters, count: 2000)
            #expect(
                Measure.sameBytes(run.outputs[0], noise[0]) && Measure.sameBytes(run.outputs[1], noise[1])
                    && run.asked == 2000)
        }
    }

    @Test(
        "After ten hours output n still lies at n·in/out",
        arguments: [(44100.0, 48000.0), (44100, 192_000), (96000, 44100), (47999, 48000)] as [(Double, Double)])
    func noDrift(from: Double, to: Double) {
        // The cursor alone goes the whole way; the sound is the same arithmetic.
        var cursor = RateCursor(Parameters(from: from, to: to))
        let frames = Int(36000 * to)
        var done = 0
        while done < frames {
            let run = cursor.nextRun(min(frames - done, 100_003))
            cursor.advance(run)
            done += run
        }
        #expect(cursor.place.whole == 36000 * Int64(from) && cursor.place.phase == 0)
    }

    @Test("The same bytes however takes are cut, also where the speed changes")
    func cuts() {
        let noise = [Signal.noise(count: 20_000), Signal.noise(count: 20_000, seed: 2)]
        let changes = [
            (at: 500, to: Parameters(rate: 1.7)), (560, Parameters(rate: 0.3)), (1500, Parameters(rate: 1)),
            (2200, Parameters(rate: 3.3)), (3000, Parameters(from: 44100, to: 48000)),
        ]
        let whole = Run(changes: changes).play(noise, Parameters(rate: 1), count: 5000)
        for takes in [[1], [63, 1, 64], [128, 5, 17]] {
            let cut = Run(takes: takes, changes: changes).play(noise, Parameters(rate: 1), count: 5000)
            #expect(
                Measure.sameBytes(cut.outputs[0], whole.outputs[0])
                    && Measure.sameBytes(cut.outputs[1], whole.outputs[1]) && cut.asked == whole.asked)
        }
    }

    @Test(
        "A slow glide of the speed, through exact copying and back, makes no click: all beyond two octaves is 70 dB down"
    )
    func glide() {
        let rates = (0..<300).map { 1 + 0.1 * sin(Double($0) / 20) }.map { abs($0 - 1) < 0.01 ? 1 : $0 }
        let changes = rates.enumerated().map { (at: $0.offset * 128, to: Parameters(rate: $0.element)) }
        let output = Run(changes: changes).play([Signal.sine(1000, count: 50_000)], Parameters(rate: 1), count: 38_400)
            .outputs[0]
        #expect(Measure.energyOutside(100, 4000, in: output) < -70)
        #expect(Measure.largestKink(output) < 1.3 * pow(2 * Float.pi * 1100 / 48000, 2))
    }

    @Test("Back at unit speed the sound is copied from a whole position, half a frame away at the most")
    func returns() {
        let noise = Signal.noise(count: 12_000)
        let output = Run(changes: [(at: 1000, to: Parameters(rate: 1.37)), (3001, Parameters(rate: 1))]).play(
            [noise], Parameters(rate: 1), count: 6000
        ).outputs[0]
        let place = Int((1000 + 2001 * 1.37).rounded()) + 500
        #expect(Measure.sameBytes(Array(output[3501..<5501]), Array(noise[place..<(place + 2000)])))
    }

    @Test(
        "A converter brought into step asks for what its sibling asks for, and sounds like it once its window has filled"
    )
    func align() {
        let noise = Signal.noise(count: 9000)
        let parameters = Parameters(from: 44100, to: 48000)
        var first = RateConverter(sampleRate: 48000, channelCount: 1, longestTake: 128, parameters: parameters)
        let asked = Run(takes: [77]).play([noise], &first, count: 3001).asked
        var second = RateConverter(sampleRate: 48000, channelCount: 1, longestTake: 128, parameters: parameters)
        second.align(with: first)
        #expect(first.framesNeeded(100) == second.framesNeeded(100) && first.position == second.position)
        let rest = [Array(noise[asked...])]
        let (a, b) = (Run().play(rest, &first, count: 2000), Run().play(rest, &second, count: 2000))
        #expect(a.asked == b.asked)
        #expect(
            Measure.peak(b.outputs[0].prefix(1)) < 0.5
                && Measure.sameBytes(Array(a.outputs[0][200...]), Array(b.outputs[0][200...])))
    }

    @Test("What is not a number passes with its window, and reset forgets everything")
    func poison() {
        var noise = Signal.noise(count: 6000)
        let clean = Run().play([noise], Parameters(rate: 0.7), count: 5000).outputs[0]
        noise[1000] = .nan
        noise[1001] = .infinity
        var kernel = RateConverter(
            sampleRate: 48000, channelCount: 1, longestTake: 128, parameters: Parameters(rate: 0.7))
        let dirty = Run().play([noise], &kernel, count: 5000).outputs[0]
        #expect(Measure.sameBytes(Array(clean[1600...]), Array(dirty[1600...])) && !Measure.isFinite(dirty))
        kernel.reset()
        #expect(Measure.sameBytes(Run().play([Signal.noise(count: 6000)], &kernel, count: 5000).outputs[0], clean))
    }

    @Test("Input that never comes is silence; senseless rates are equal ones, and what is too far apart is held")
    func edges() {
        var kernel = RateConverter(
            sampleRate: 48000, channelCount: 1, longestTake: 128, parameters: Parameters(rate: 0.7))
        let memory = TestMemory(count: 1000, Float.nan)
        let outputs = TestMemory(count: 1, memory.pointer)
        withExtendedLifetime(memory) { kernel.take(to: outputs.pointer, frames: 1000) }
        #expect((0..<1000).allSatisfy { memory.pointer[$0] == 0 })
        #expect(
            Parameters(from: .nan, to: 48000).isUnity && Parameters(from: 48000, to: 0).isUnity
                && Parameters(from: -1, to: 1).isUnity)
        #expect(
            Parameters(from: 1, to: 1e6).ratio == 1.0 / 48 || abs(Parameters(from: 1, to: 1e6).ratio * 48 - 1) < 1e-7)
        #expect(Parameters(rate: 99).ratio == 4 && Parameters(rate: .nan).isUnity)
    }
}
