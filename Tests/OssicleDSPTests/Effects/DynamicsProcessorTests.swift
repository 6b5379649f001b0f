import OssicleCore
@testable import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct DynamicsProcessorTests {
    static func parameters(_ change: (inout DynamicsProcessor.Parameters) -> Void) -> DynamicsProcessor.Parameters {
        var parameters = DynamicsProcessor.Parameters()
        change(&parameters)
        return parameters
    }

    static let lively = parameters {
        ($0.threshold, $0.headRoom, $0.expansionThreshold, $0.expansionRatio, $0.overallGain) = (-30, 6, -40, 3, 4)
    }

    @Test("The dynamics processor keeps the laws")
    func laws() {
        KernelLaws.hold(
            DynamicsProcessor.self, from: Self.lively,
            to: Self.parameters { ($0.threshold, $0.headRoom, $0.attackTime) = (-10, 20, 0.1) })
    }

    @Test(
        "Steady tones come out at the level the law says, within 0.2 dB",
        arguments: [-70.0, -55, -41, -30, -19, -12, -6, 0, 6], [(5.0, 0.001), (18.0, 0.02)])
    func law(level: Double, shape: (headRoom: Double, attack: Double)) {
        let parameters = Self.parameters {
            ($0.threshold, $0.headRoom, $0.attackTime) = (-20, Float(shape.headRoom), Float(shape.attack))
            ($0.expansionThreshold, $0.expansionRatio, $0.overallGain) = (-40, 2, 3)
        }
        for frequency in [60.0, 997, 7919] {
            let tone = Signal.sine(frequency, count: 96000, amplitude: Decibels.amplitude(level))
            let output = KernelLaws.run(DynamicsProcessor.self, parameters, [tone])[0]
            let over = max(level + 20, 0)
            let expected = level - over * over / (over + shape.headRoom) + min(level + 40, 0) + 3
            let measured = Decibels.of(amplitude: Measure.tone(frequency, in: Array(output.suffix(24000))).amplitude)
            #expect(abs(measured - expected) < 0.2, "\(frequency) Hz at \(level) dB: \(measured) for \(expected)")
        }
    }

    @Test("Between the thresholds samples pass bit for bit, before, after and in spite of loud passages")
    func transparent() {
        let quiet = Signal.noise(count: 48000, amplitude: 0.09)
        let loud = Signal.noise(count: 4800, amplitude: 1)
        let output = KernelLaws.run(DynamicsProcessor.self, .init(), [quiet + loud + quiet])[0]
        #expect(Measure.sameBytes(Array(output.prefix(48000)), quiet))
        #expect(!Measure.sameBytes(Array(output[48000..<52800]), loud))
        #expect(Measure.sameBytes(Array(output.suffix(6000)), Array(quiet.suffix(6000))))
    }

    /// Frames from `start` until a gain in dB has gone 1 − 1/e of the way between its values there and at the end.
    private static func timeConstant(_ gains: [Double], from start: Int) -> Double {
        let (first, last) = (gains[start], gains[gains.count - 1])
        let reached = gains[start...].firstIndex { abs($0 - first) >= abs(last - first) * 0.63212 } ?? gains.count
        return Double(reached - start) / 48000
    }

    @Test(
        "Attack and release are time constants of the gain in dB, within 10 %", arguments: [(0.005, 0.05), (0.05, 0.4)])
    func ballistics(times: (attack: Double, release: Double)) {
        let parameters = Self.parameters {
            ($0.attackTime, $0.releaseTime) = (Float(times.attack), Float(times.release))
        }
        let step =
            [Float](repeating: 0.05, count: 4800) + [Float](repeating: 0.8, count: 24000)
            + [Float](repeating: 0.05, count: 96000)
        let output = KernelLaws.run(DynamicsProcessor.self, parameters, [step])[0]
        let gains = zip(output, step).map { Decibels.of(amplitude: Double($0 / $1)) }
        let attack = Self.timeConstant(Array(gains[4800..<28800]), from: 0)
        let release = Self.timeConstant(Array(gains[28800...]), from: 480)
        #expect(abs(attack / times.attack - 1) < 0.1, "\(attack) s")
        #expect(abs(release / times.release - 1) < 0.1, "\(release) s")
        #expect(abs(gains[28800 + 470] - gains[28800 + 100]) < 1e-3, "the peak is held for 10 ms")
    }

    @Test("Expansion opens with the attack and closes with the release, within 10 %")
    func expansion() {
        let parameters = Self.parameters {
            ($0.attackTime, $0.releaseTime, $0.expansionThreshold, $0.threshold) = (0.02, 0.2, -30, 20)
        }
        let step =
            [Float](repeating: 0.003, count: 48000) + [Float](repeating: 0.5, count: 24000)
            + [Float](repeating: 0.003, count: 96000)
        let output = KernelLaws.run(DynamicsProcessor.self, parameters, [step])[0]
        let gains = zip(output, step).map { Decibels.of(amplitude: Double($0 / $1)) }
        let (opening, closing) = (
            Self.timeConstant(Array(gains[48000..<72000]), from: 0),
            Self.timeConstant(Array(gains[72000...]), from: 480)
        )
        #expect(abs(opening / 0.02 - 1) < 0.1 && abs(closing / 0.2 - 1) < 0.1, "\(opening) s, \(closing) s")
    }

    @Test("Channels are turned down together")
    func linked() {
        let loud = Signal.sine(500, count: 9600, amplitude: 0.9)
        let output = KernelLaws.run(DynamicsProcessor.self, .init(), [loud, loud.map { $0 * 0.125 }])
        for (a, b) in zip(output[0], output[1]) { #expect(a * 0.125 == b) }
    }

    @Test("Turning every knob at once under a steady tone makes no click")
    func glide() {
        let tone = Signal.sine(200, count: 48000, amplitude: 0.5)
        var kernel = DynamicsProcessor(
            sampleRate: 48000, channelCount: 1, parameters: Self.parameters { $0.attackTime = 0.1 })
        let before = KernelLaws.run(&kernel, [tone])[0]
        kernel.take(
            Self.parameters { ($0.threshold, $0.headRoom, $0.overallGain, $0.attackTime) = (-40, 2, 12, 0.1) },
            atOnce: false)
        let after = KernelLaws.run(&kernel, [tone])[0]
        let signal = Array((before + after).dropFirst(24000))
        // A sine of 200 Hz bends by 6.9e-4 of its amplitude.
        #expect(Measure.largestKink(signal) < 1e-3 * Measure.peak(signal))
    }

    @Test("The meter tells level and compression within 0.2 dB, and reaches the control side")
    func meter() {
        let cell = LatestValueCell(DynamicsMeter())
        defer { cell.deallocate() }
        var kernel = DynamicsProcessor(
            sampleRate: 48000, channelCount: 1, parameters: Self.parameters { $0.overallGain = 2 })
        kernel.report = cell
        _ = KernelLaws.run(&kernel, [Signal.sine(1000, count: 48000, amplitude: Decibels.amplitude(-10))])
        let meter = cell.takeIfNew() ?? DynamicsMeter()
        #expect(
            abs(meter.inputAmplitude + 10) < 0.2 && abs(meter.compressionAmount - 6.667) < 0.2
                && abs(meter.outputAmplitude + 14.667) < 0.2, "\(meter)")
        _ = KernelLaws.run(&kernel, [Signal.silence(count: 4800)])
        #expect(kernel.meter.inputAmplitude == -120)
    }
}

@Suite struct SlidingPeakTests {
    @Test("The sliding peak is the largest of the window, whatever the window", arguments: [1, 2, 7, 64, 500])
    func largest(window: Int) {
        let signal = Signal.noise(count: 3000).map(\.magnitude) + (0..<600).map { Float(600 - $0) } + [5, 5, 5, 0, 0]
        var peak = SlidingPeak(longest: 500)
        peak.window = window
        for i in signal.indices { #expect(peak.next(signal[i]) == signal[max(0, i - window + 1)...i].max()) }
    }
}
