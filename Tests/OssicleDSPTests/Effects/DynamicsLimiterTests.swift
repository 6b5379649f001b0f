import OssicleCore
@testable import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct PeakLimiterTests {
    static func parameters(attack: Float = 0.012, decay: Float = 0.024, gain: Float = 0) -> PeakLimiter.Parameters {
        var parameters = PeakLimiter.Parameters()
        (parameters.attackTime, parameters.decayTime, parameters.preGain) = (attack, decay, gain)
        return parameters
    }

    @Test("The peak limiter keeps the laws")
    func laws() {
        KernelLaws.hold(
            PeakLimiter.self, from: Self.parameters(), to: Self.parameters(attack: 0.003, decay: 0.05, gain: 6))
    }

    @Test("Full scale is never exceeded, whatever comes in", arguments: [0.001, 0.012, 0.03], [-10.0, 0, 40])
    func ceiling(attack: Double, gain: Double) {
        let parameters = Self.parameters(attack: Float(attack), gain: Float(gain))
        for amplitude in [1.0, 1.001, 5, 1e6, 3e38] {
            var signal = Signal.noise(count: 9600, amplitude: amplitude)
            for i in stride(from: 3000, to: 6000, by: 97) { signal[i] = 0 }
            let output = KernelLaws.run(
                PeakLimiter.self, parameters, [signal, Signal.sine(50, count: 9600, amplitude: amplitude)])
            #expect(Measure.peak(output[0]) <= 1 && Measure.peak(output[1]) <= 1)
        }
    }

    @Test(
        "Below full scale the output is the input, delayed by what is reported, bit for bit",
        arguments: [0.001, 0.012, 0.03])
    func transparent(attack: Double) {
        let parameters = Self.parameters(attack: Float(attack))
        let latency = PeakLimiter.latency(parameters, sampleRate: 48000)
        #expect(latency == Int((attack * 48000).rounded()))
        let signal = Signal.noise(count: 9600, amplitude: 1)
        let output = KernelLaws.run(PeakLimiter.self, parameters, [signal])[0]
        #expect(Measure.sameBytes(Array(output.dropFirst(latency)), Array(signal.dropLast(latency))))
    }

    @Test(
        "A single peak pulls the gain down in a straight line beforehand; it comes back with the decay time, then to transparency"
    )
    func shape() {
        var signal = [Float](repeating: 0.25, count: 48000)
        signal[10_000] = 4
        let output = KernelLaws.run(PeakLimiter.self, Self.parameters(attack: 0.01, decay: 0.05), [signal])[0]
        let gain = output.map { Double($0) * 4 }
        #expect(abs(output[10_480] - 1) < 1e-5)
        for i in [1, 120, 240, 360, 479] {
            let expected: Double = 1 - 0.75 * Double(i + 1) / 481
            #expect(abs(gain[10_000 + i] - expected) < 1e-3)
        }
        // The mean of 481 gains lags half of them behind the recovery.
        let expected: Double = 1 - 0.75 * DeterministicMath.exp(-(4800 - 240) / 2400.0)
        #expect(abs(gain[10_480 + 4800] - expected) < 0.01, "\(gain[10_480 + 4800]) for \(expected)")
        #expect(Measure.sameBytes(Array(output.suffix(4800)), Array(signal.suffix(4800))))
    }

    @Test("Channels keep their balance")
    func linked() {
        let loud = Signal.sine(100, count: 9600, amplitude: 4)
        let output = KernelLaws.run(PeakLimiter.self, Self.parameters(), [loud, loud.map { $0 * 0.25 }])
        for (a, b) in zip(output[0], output[1]) { #expect(a * 0.25 == b) }
    }

    @Test("A loud tone is limited with little distortion: below 0.1 % at 1 kHz")
    func clean() {
        let output = KernelLaws.run(
            PeakLimiter.self, Self.parameters(), [Signal.sine(1000, count: 48000, amplitude: 3)])[0]
        let tone = Measure.tone(1000, in: Array(output.suffix(24000)))
        #expect(tone.amplitude > 0.97 && tone.residual < 1e-3 * tone.amplitude, "\(tone)")
    }

    @Test("Another attack time is taken up without a click, and full scale still holds")
    func change() {
        let tone = Signal.sine(200, count: 24000, amplitude: 0.9)
        var kernel = PeakLimiter(sampleRate: 48000, channelCount: 1, parameters: Self.parameters(attack: 0.002))
        var heard = KernelLaws.run(&kernel, [tone])[0]
        kernel.take(Self.parameters(attack: 0.0297), atOnce: false)
        heard += KernelLaws.run(&kernel, [tone])[0]
        #expect(Measure.largestKink(heard.dropFirst(200).map { $0 }) < 1.5e-3)
        kernel.take(Self.parameters(attack: 0.001, gain: 20), atOnce: false)
        #expect(Measure.peak(KernelLaws.run(&kernel, [tone])[0]) <= 1)
    }
}
