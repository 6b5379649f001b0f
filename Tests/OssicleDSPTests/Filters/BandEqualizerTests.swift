import OssicleCore
import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct BandEqualizerTests {
    /// dB per octave, 31.5 Hz … 16 kHz.
    static let curves: [[Float]] = [
        [0, 0, 0, 0, -20, 0, 0, 0, 0, 0],
        [0, -20, 0, -20, 0, -20, 0, -20, 0, -20],
        [0, 0, 0, 0, 0, -20, -40, -60, -60, -60],
        [-60, -60, -40, -20, 0, -20, -40, -60, -60, -60],
        [0, -0.3, -0.5, -1, -1.5, -3, -6, -11, -25, -45],
        [-20, 0, 0, 20, 20, 0, 10, -10, 3, 3],
        [-32, -32, -34, -40, -47, -55, -61, -65, -65, -65],
    ]

    static func gains(_ decibels: [Float]) -> OctaveBands {
        OctaveBands(decibels.map { Float(Decibels.amplitude(Double($0))) })
    }

    private static let count = 65536

    /// A sine and a cosine at each of the octave centres below half the sample rate.
    static func probes(sampleRate: Double) -> [[[Float]]] {
        (0..<10).map(OctaveBands.centre).filter { $0 < sampleRate / 2 }.map { centre in
            [0, .pi / 2].map { Signal.sine(centre, sampleRate: sampleRate, count: count, phase: $0) }
        }
    }

    /// dB of the equaliser at the octave centres, from the spectrum of its impulse response.
    static func response(_ design: BandEqualizerDesign, _ probes: [[[Float]]]) -> [Double] {
        var equalizer = BandEqualizer()
        equalizer.setTarget(design, frames: 0)
        let output = render(Signal.impulse(count: count)) { equalizer.process(from: $0, to: $1, $2) }
        return probes.map { probe in
            let (re, im) = (Measure.product(output, probe[0]), Measure.product(output, probe[1]))
            return Measure.decibels((re * re + im * im).squareRoot())
        }
    }

    @Test(
        "The response meets the asked dB within 0.25 dB at every centre 63 Hz … 8 kHz", arguments: curves,
        [44100.0, 48000, 96000])
    func accuracy(curve: [Float], sampleRate: Double) {
        let measured = Self.response(
            .solve(Self.gains(curve), sampleRate: sampleRate), Self.probes(sampleRate: sampleRate))
        for band in 1...8 { #expect(abs(measured[band] - Double(curve[band])) < 0.25, "band \(band)") }
    }

    @Test("A hundred random curves with steps up to 20 dB are met within 0.25 dB")
    func randomCurves() {
        let (random, probes) = (CounterRandom(seed: 5, object: 0), Self.probes(sampleRate: 48000))
        for trial in 0..<100 {
            var curve: [Float] = [0]
            for band in 1..<10 {
                curve.append(
                    min(max(curve[band - 1] + Float(40 * random.unit(UInt64(trial * 10 + band)) - 20), -50), 0))
            }
            let measured = Self.response(.solve(Self.gains(curve), sampleRate: 48000), probes)
            for band in 1...8 { #expect(abs(measured[band] - Double(curve[band])) < 0.25, "\(curve) band \(band)") }
        }
    }

    @Test("A low sample rate keeps the bands it has")
    func lowSampleRate() {
        let curve: [Float] = [0, -3, -6, -3, 0, -6, -10, -12, 0, 0]
        let measured = Self.response(
            .solve(Self.gains(curve), sampleRate: 16000), Self.probes(sampleRate: 16000))
        for band in 1...6 { #expect(abs(measured[band] - Double(curve[band])) < 0.25, "band \(band)") }
    }

    @Test("All gains one is a bit-exact copy, all gains below −80 dB is silence, equal gains are one factor")
    func flatDesigns() {
        let input = Signal.noise(count: 1000)
        var equalizer = BandEqualizer()
        equalizer.setTarget(.solve(.ones, sampleRate: 48000), frames: 0)
        let isTransparent = equalizer.isTransparent
        #expect(isTransparent)
        #expect(Measure.sameBytes(render(input) { equalizer.process(from: $0, to: $1, $2) }, input))
        equalizer.setTarget(.solve(OctaveBands(repeating: 0.9e-4), sampleRate: 48000), frames: 0)
        #expect(
            Measure.sameBytes(render(input) { equalizer.process(from: $0, to: $1, $2) }, Signal.silence(count: 1000)))
        equalizer.setTarget(.solve(OctaveBands(repeating: 0.25), sampleRate: 48000), frames: 0)
        #expect(Measure.sameBytes(render(input) { equalizer.process(from: $0, to: $1, $2) }, input.map { $0 * 0.25 }))
        equalizer.setTarget(.solve(OctaveBands([.nan, -1, .nan]), sampleRate: 48000), frames: 0)
        let isSilent = equalizer.isSilent
        #expect(isSilent)
    }

    @Test("A moving equaliser gives the same bytes however its calls are cut")
    func cuts() {
        let input = Signal.noise(count: 8000)
        let results = [[128], [1], [10], awkwardCuts].map { blocks in
            var equalizer = BandEqualizer()
            equalizer.setTarget(.solve(Self.gains(Self.curves[4]), sampleRate: 48000), frames: 300)
            var done = 0
            return render(input, blocks: blocks) { from, to, n in
                // One change at frame 4000, whichever block that lies in.
                let before = min(max(4000 - done, 0), n)
                equalizer.process(from: from, to: to, before)
                if done <= 4000, done + n > 4000 {
                    equalizer.setTarget(.solve(Self.gains(Self.curves[0]), sampleRate: 48000), frames: 999)
                }
                equalizer.process(from: from + before, to: to + before, n - before)
                done += n
            }
        }
        for other in results.dropFirst() { #expect(Measure.sameBytes(results[0], other)) }
    }

    @Test("Taps of the air move in a straight line, and give the same bytes however calls are cut")
    func air() {
        let input = Signal.noise(count: 2000)
        var taps = AirFilters.clear
        for tap in 0..<16 { taps[tap] = Float(1 + tap % 5) / 40 }
        let results = [[128], [1], [10], awkwardCuts].map { blocks in
            var equalizer = BandEqualizer()
            var design = BandEqualizerDesign.transparent
            design.air = taps
            equalizer.setTarget(design, frames: 900)
            return render(input, blocks: blocks) { equalizer.process(from: $0, to: $1, $2) }
        }
        for other in results.dropFirst() { #expect(Measure.sameBytes(results[0], other)) }
        for frame in [20, 500, 1500] {
            let share = min(Float(frame) / 900, 1)
            let expected = (0..<16).reduce(Float(0)) {
                $0 + (AirFilters.clear[$1] + (taps[$1] - AirFilters.clear[$1]) * share) * input[frame - $1]
            }
            #expect(abs(results[0][frame] - expected) < 1e-6)
        }
        var equalizer = BandEqualizer()
        equalizer.setTarget(.transparent, frames: 0)
        let isTransparent = equalizer.isTransparent
        #expect(isTransparent)
    }

    @Test("Changing every band by 20 dB within a quantum makes no click")
    func clickFree() {
        let input = Signal.sine(200, count: 9600)
        var equalizer = BandEqualizer()
        var turn = 0
        let output = render(input) {
            equalizer.setTarget(.solve(Self.gains(Self.curves[turn % 2]), sampleRate: 48000), frames: 128)
            turn += 1
            equalizer.process(from: $0, to: $1, $2)
        }
        // A sine of 200 Hz bends by (2π·200/48000)² = 6.9e-4 at most; ramps over 128 frames add their slopes, a click
        // would show as > 0.05.
        #expect(Measure.largestKink(output) < 0.02)
    }

    @Test("After a NaN the equaliser is itself again within a quantum, and has counted it")
    func recovery() {
        var input = Signal.sine(500, count: 4800)
        input[200] = .nan
        var equalizer = BandEqualizer()
        equalizer.setTarget(.solve(Self.gains(Self.curves[4]), sampleRate: 48000), frames: 0)
        let output = render(input) { equalizer.process(from: $0, to: $1, $2) }
        #expect(Measure.isFinite(output.dropFirst(256)))
        let faults = equalizer.feedback.faults
        #expect(faults == 1)
    }
}
