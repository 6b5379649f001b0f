import Foundation
import OssicleCore
@testable import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct TimeStretcherLawTests {
    typealias Run = TimeKernelRun<TimeStretcher>
    typealias Parameters = TimeStretcher.Parameters

    /// Tones, noise and attacks in two channels.
    static let music: [[Float]] = {
        let attacks = TimeStretcherTransientTests.attacks(
            [3000, 9000, 11_500, 20_001, 33_000], count: 60_000, bed: 0.1)
        return [attacks, zip(attacks, Signal.noise(count: 60_000, amplitude: 0.05)).map { 0.5 * $0 + $1 }]
    }()

    static var changes: [(at: Int, to: Parameters)] {
        [
            (at: 900, to: Parameters(rate: 0.6)), (5000, Parameters(rate: 1.7, cents: 300)),
            (5128, Parameters(rate: 1.7, cents: 340, overlap: 12)),
            (9000, Parameters(cents: 340)), (14_000, Parameters()), (14_500, Parameters(cents: -800)),
            (20_000, Parameters()), (26_000, Parameters(rate: 3)),
        ]
    }

    @Test("The same bytes however takes are cut, through changes of speed, pitch and overlap")
    func cuts() {
        let whole = Run(changes: Self.changes).play(Self.music, Parameters(), count: 30_000)
        for takes in [[1], [63, 1, 64], [128, 5, 17]] {
            let cut = Run(takes: takes, changes: Self.changes).play(Self.music, Parameters(), count: 30_000)
            #expect(
                Measure.sameBytes(cut.outputs[0], whole.outputs[0])
                    && Measure.sameBytes(cut.outputs[1], whole.outputs[1]), "\(takes)")
        }
        let long = Run(longestTake: 4096, takes: [4096, 900], changes: Self.changes).play(
            Self.music, Parameters(), count: 30_000)
        #expect(Measure.sameBytes(long.outputs[0], whole.outputs[0]))
    }

    @Test("Reset forgets everything: the same bytes again")
    func reset() {
        let parameters = Parameters(rate: 0.8, cents: 200)
        var kernel = TimeStretcher(sampleRate: 48000, channelCount: 2, longestTake: 128, parameters: parameters)
        let first = Run().play(Self.music, &kernel, count: 10_000)
        kernel.reset()
        let again = Run().play(Self.music, &kernel, count: 10_000)
        #expect(
            Measure.sameBytes(first.outputs[0], again.outputs[0])
                && Measure.sameBytes(first.outputs[1], again.outputs[1]))
    }

    @Test("What is not a number counts as silence, and numbers too large to square pass with their windows")
    func poison() {
        var music = Self.music[0]
        for (index, value) in [(8000, Float.nan), (8100, .infinity), (8200, -.infinity)] { music[index] = value }
        #expect(Measure.isFinite(TimeStretcherTests.played(music, 0.8, 300, count: 40_000)))
        music[8300] = 3e38
        let output = TimeStretcherTests.played(music, 0.8, 300, count: 60_000)
        #expect(
            Measure.isFinite(output[30_000...]) && Measure.peak(output[30_000...]) < 2
                && Measure.rms(output[30_000...]) > 0.01)
    }

    @Test("Silence stays silence, and sound has ended when the tail has passed", arguments: TimeStretcherTests.settings)
    func tail(rate: Double, cents: Double) {
        #expect(Measure.peak(TimeStretcherTests.played(Signal.silence(count: 100), rate, cents, count: 20_000)) == 0)
        let sounding = 24_000
        let output = TimeStretcherTests.played(Signal.noise(count: sounding), rate, cents, count: 130_000)
        let tail = TimeStretcher.tailTime(Parameters(rate: rate, cents: cents), sampleRate: 48000)
        #expect(Measure.peak(output[(Int(Double(sounding) / rate + tail * 48000) + 1)...]) < 1e-6)
    }

    @Test("Rate and pitch that glide while a tone sounds make no click: all but the tone's own way is 60 dB down")
    func glide() {
        let changes = (0..<400).map {
            (at: $0 * 128, to: Parameters(rate: 1 + 0.4 * sin(Double($0) / 30), cents: 50 * sin(Double($0) / 40)))
        }
        let output = Run(changes: changes).play(
            [Signal.sine(1000, count: 90_000, amplitude: 0.5)], Parameters(), count: 51_200
        ).outputs[0]
        #expect(Measure.energyOutside(800, 1250, in: output) < -60)
    }

    @Test("Speed switched on and off while a tone sounds makes no click")
    func switching() {
        let changes = [
            (at: 6000, to: Parameters(rate: 0.7)), (18_000, Parameters()), (30_000, Parameters(rate: 1.6)),
            (42_000, Parameters()),
        ]
        let output = Run(changes: changes).play(
            [Signal.sine(1000, count: 90_000, amplitude: 0.5)], Parameters(), count: 54_000
        ).outputs[0]
        // The fades over 512 frames meet in whatever phase the two sides have; a click would spread over all
        // frequencies.
        #expect(Measure.energyOutside(250, 4000, in: output) < -70)
        #expect(Measure.largestKink(output) < 1.2 * 0.5 * pow(2 * Float.pi * 1000 / 48000, 2))
    }

    @Test(
        "Any settings in any order, for any number of channels and any sampling rate: finite, and the same bytes in any cut",
        arguments: 0..<40)
    func anything(seed: Int) {
        let random = CounterRandom(seed: UInt64(seed), object: 7)
        var index: UInt64 = 0
        func unit() -> Double { index += 1; return random.unit(index) }
        func parameters() -> Parameters {
            Parameters(
                rate: unit() < 0.2 ? 1 : exp2(10 * unit() - 5), cents: unit() < 0.3 ? 0 : 4800 * unit() - 2400,
                overlap: 3 + 29 * unit())
        }
        let channels = 1 + Int(unit() * 3)
        let input = (0..<channels).map {
            Signal.noise(count: 150_000, seed: UInt64($0 + 1)).enumerated().map { $1 * ($0 % 5000 < 700 ? 1 : 0.02) }
        }
        let changes = (1..<12).map { (at: $0 * 640 + Int(unit() * 300), to: parameters()) }
        let run = Run(
            sampleRate: [8000, 22_050, 44_100, 48_000, 96_000][Int(unit() * 5)], takes: [128, 1, 64, 31],
            changes: changes)
        let start = parameters()
        let outputs = run.play(input, start, count: 9000).outputs
        for output in outputs { #expect(Measure.isFinite(output) && Measure.peak(output) < 8) }
        let cut = Run(sampleRate: run.sampleRate, takes: [128], changes: changes).play(input, start, count: 9000)
            .outputs
        for (a, b) in zip(outputs, cut) { #expect(a.indices.first { a[$0].bitPattern != b[$0].bitPattern } == nil) }
    }
}
