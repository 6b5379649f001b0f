import OssicleCore
@testable import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct MatrixReverbTests {
    static func parameters(_ change: (inout MatrixReverb.Parameters) -> Void = { _ in }) -> MatrixReverb.Parameters {
        var parameters = MatrixReverb.Parameters()
        parameters.modulationDepth = 0
        change(&parameters)
        return parameters
    }

    static func response(_ parameters: MatrixReverb.Parameters, seconds: Double, channels: Int = 4) -> [[Float]] {
        KernelLaws.run(
            MatrixReverb.self, parameters,
            [[Float]](repeating: Signal.impulse(count: Int(seconds * 48000)), count: channels))
    }

    @Test("The matrix reverb keeps the laws")
    func laws() {
        KernelLaws.hold(
            MatrixReverb.self, from: Self.parameters { ($0.largeSize, $0.modulationDepth) = (0.7, 0.5) },
            to: Self.parameters {
                ($0.dryWetMix, $0.smallLargeMix, $0.largeDelay, $0.largeDensity, $0.smallDensity, $0.largeBrightness) =
                    (50, 20, 0.08, 0.1, 1, 0.2)
                ($0.filter.type, $0.filter.gain, $0.filter.frequency) = (7, 6, 300)
            }, symmetric: false)
    }

    @Test("The large part decays with its size as T60, within 15 %", arguments: [Float(0.4), 1, 3.07, 6])
    func largeSize(size: Float) {
        let parameters = Self.parameters { ($0.largeSize, $0.smallLargeMix) = (size, 100) }
        for measured in Measure.reverberationTimes(
            Self.response(parameters, seconds: Double(size) * 0.7 + 0.4), bands: 3...5, span: 20)
        {
            #expect(abs(measured / Double(size) - 1) < 0.15, "\(measured) s for \(size) s")
        }
    }

    @Test("The small part decays within twenty of its sizes, within 15 %", arguments: [Float(0.01), 0.015, 0.02])
    func smallSize(size: Float) {
        let parameters = Self.parameters { ($0.smallSize, $0.smallLargeMix, $0.smallBrightness) = (size, 0, 1) }
        for measured in Measure.reverberationTimes(
            Self.response(parameters, seconds: 0.6, channels: 8), bands: 4...6, span: 20)
        {
            #expect(abs(measured / Double(size * 20) - 1) < 0.15, "\(measured) s for \(size * 20) s")
        }
    }

    @Test("The brighter, the longer the highs ring; the middle stays")
    func brightness() {
        let times = [Float(0.1), 0.3, 0.6, 1].map { brightness in
            Measure.reverberationTimes(
                Self.response(
                    Self.parameters { ($0.largeBrightness, $0.largeSize, $0.smallLargeMix) = (brightness, 1.5, 100) },
                    seconds: 1.6),
                bands: [4, 8], span: 20)
        }
        for (darker, brighter) in zip(times, times.dropFirst()) {
            #expect(brighter[1] > 1.15 * darker[1], "\(darker[1]) s, \(brighter[1]) s")
        }
        for time in times { #expect(abs(time[0] / 1.5 - 1) < 0.1) }
        // 8 kHz is three of the four octaves from 1 to 16 kHz.
        #expect(abs(times[1][1] / (1.5 * DeterministicMath.pow(0.3, 0.75)) - 1) < 0.15, "\(times[1][1]) s")
    }

    @Test("Delays come before the parts: the pre-delay before both, the large delay before the large one")
    func delays() {
        func onset(_ change: (inout MatrixReverb.Parameters) -> Void) -> Double {
            Double(Measure.onset(of: Self.response(Self.parameters(change), seconds: 0.5)[0], threshold: 0.02) ?? 0)
                / 48000
        }
        let small = onset { ($0.smallLargeMix, $0.preDelay) = (0, 0.001) }
        #expect(abs(onset { ($0.smallLargeMix, $0.preDelay) = (0, 0.03) } - small - 0.029) < 1e-4)
        #expect(abs(onset { ($0.smallLargeMix, $0.preDelay, $0.largeDelay) = (0, 0.001, 0.1) } - small) < 1e-4)
        let large = onset { ($0.smallLargeMix, $0.preDelay, $0.largeDelay) = (100, 0.001, 0.001) }
        #expect(
            abs(onset { ($0.smallLargeMix, $0.preDelay, $0.largeDelay) = (100, 0.021, 0.051) } - large - 0.07) < 1e-4)
    }

    @Test("The denser, the sooner echoes become a wash")
    func density() {
        let densities = [Float(0), 0.5, 1].map { density in
            let heard = Self.response(
                Self.parameters {
                    ($0.largeDensity, $0.smallLargeMix, $0.preDelay, $0.largeDelay) = (density, 100, 0.001, 0.001)
                }, seconds: 0.5)
            return heard.reduce(0) { $0 + Measure.echoDensity($1[3600..<6000]) }
        }
        #expect(densities[0] < densities[1] && densities[1] < densities[2], "\(densities)")
    }

    @Test("Modulation sways the pitch by what depth and rate say, and none does nothing")
    func modulation() {
        var delay = SwayingDelay(sampleRate: 48000, rate: 2, depth: 1)
        let tone = Signal.sine(1000, count: 48000)
        let swayed = render(tone) { from, to, n in
            to.update(from: from, count: n)
            delay.process(to, n)
        }
        // A sine of 2 Hz and 1 ms is steepest at 2π · 2 · 0.001 = 1.26 %.
        let pitches = stride(from: 4800, to: 28800, by: 1200).map {
            Measure.pitch(near: 1000, in: Array(swayed[$0..<($0 + 1200)])).frequency
        }
        #expect(abs((pitches.max() ?? 0) - 1012.6) < 1 && abs((pitches.min() ?? 0) - 987.4) < 1, "\(pitches)")
        var still = SwayingDelay(sampleRate: 48000, rate: 2, depth: 0)
        let kept = render(tone) { from, to, n in
            to.update(from: from, count: n)
            still.process(to, n)
        }
        #expect(Measure.sameBytes(Array(kept.dropFirst(64)), Array(tone.dropLast(64))))
    }

    @Test("The filter colours the reverb alone", arguments: [(1, 8, 1), (2, 2, 7), (7, 7, 2)])
    func filter(shape: (type: Int, changed: Int, kept: Int)) {
        let plain = Self.parameters { ($0.smallLargeMix, $0.largeBrightness, $0.largeSize) = (0, 1, 1) }
        var coloured = plain
        (coloured.filter.type, coloured.filter.gain, coloured.filter.frequency) = (
            Float(shape.type), -12, shape.type == 2 ? 1000 : 800
        )
        if shape.type == 7 { coloured.filter.frequency = 2000 }
        let (a, b) = (
            Measure.octaveEnergies(of: Self.response(plain, seconds: 1)[0]),
            Measure.octaveEnergies(of: Self.response(coloured, seconds: 1)[0])
        )
        let differences = (0..<10).map { b[$0] - a[$0] }
        switch shape.type {
        case 1: #expect(differences[8] < -30 && abs(differences[1]) < 1, "\(differences)")
        case 2: #expect(differences[2] < -25 && abs(differences[7]) < 1, "\(differences)")
        default: #expect(abs(differences[2] + 12) < 1 && abs(differences[8]) < 1.5, "\(differences)")
        }
        var off = coloured
        off.filter.isEnabled = false
        #expect(
            Measure.largestDifference(Self.response(off, seconds: 0.2)[0], Self.response(plain, seconds: 0.2)[0]) < 1e-6
        )
    }

    @Test("At 0 % the input passes bit for bit; channels' tails are their own")
    func mix() {
        let noise = [Signal.noise(count: 4800, seed: 1), Signal.noise(count: 4800, seed: 2)]
        let dry = KernelLaws.run(MatrixReverb.self, Self.parameters { $0.dryWetMix = 0 }, noise)
        #expect(Measure.sameBytes(dry[0], noise[0]) && Measure.sameBytes(dry[1], noise[1]))
        let wet = Self.response(Self.parameters(), seconds: 2)
        #expect(abs(Measure.correlation(wet[0], wet[1])) < 0.2)
    }

    @Test("Turning everything under a tone makes no click")
    func change() {
        let tone = [Signal.sine(300, count: 48_000, amplitude: 0.5)]
        var kernel = MatrixReverb(sampleRate: 48000, channelCount: 1, parameters: Self.parameters())
        let before = KernelLaws.run(&kernel, tone)[0]
        kernel.take(
            Self.parameters {
                ($0.largeSize, $0.smallSize, $0.smallLargeMix, $0.preDelay, $0.largeDelay, $0.largeDensity) = (
                    1, 0.006, 80, 0.002, 0.09, 0.1
                )
                $0.modulationDepth = 1
            }, atOnce: false)
        let after = KernelLaws.run(&kernel, tone)[0]
        #expect(
            Measure.largestKink(Array((before.suffix(4800) + after.prefix(24_000)))) < 4e-3
                * max(Measure.peak(before), Measure.peak(after)))
    }
}
