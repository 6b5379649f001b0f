import OssicleCore
@testable import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct MultibandCompressorTests {
    static func parameters(_ change: (inout MultibandCompressor.Parameters) -> Void) -> MultibandCompressor.Parameters {
        var parameters = MultibandCompressor.Parameters()
        change(&parameters)
        return parameters
    }

    static let idle = parameters { $0.thresholds = SIMD4(repeating: 0) }

    @Test("The multiband compressor keeps the laws")
    func laws() {
        KernelLaws.hold(
            MultibandCompressor.self, from: .init(),
            to: Self.parameters {
                ($0.crossovers, $0.pregain, $0.postgain, $0.equalization) = (
                    SIMD3(200, 1000, 5000), 3, -2, SIMD4(1, -2, 3, -4)
                )
            })
    }

    @Test(
        "Without compression the bands sum flat within 0.1 dB",
        arguments: [SIMD3<Float>(120, 700, 3000), SIMD3(300, 400, 500), SIMD3(1000, 500, 20_000)])
    func flat(crossovers: SIMD3<Float>) {
        let parameters = Self.parameters { ($0.thresholds, $0.crossovers) = (SIMD4(repeating: 0), crossovers) }
        let answer = KernelLaws.run(MultibandCompressor.self, parameters, [Signal.impulse(count: 16384, height: 0.5)])[
            0]
        let spectrum = OssicleTestSupport.Spectrum(of: answer)
        for bin in 7..<8192 {
            #expect(abs(Decibels.of(energy: spectrum.energy(bin) * 4)) < 0.1, "\(spectrum.frequency(bin)) Hz")
        }
    }

    @Test("At a crossover each of its two bands is 6 dB down", arguments: [(0, 120.0), (1, 700), (2, 3000)])
    func crossover(split: (band: Int, frequency: Double)) {
        for band in [split.band, split.band + 1] {
            let parameters = Self.parameters {
                ($0.thresholds, $0.crossovers) = (SIMD4(repeating: 0), SIMD3(120, 700, 3000))
                $0.equalization[band] = 20
            }
            // Both bands are half of an allpassed tone: with one of them ten times as loud, 5.5 times the tone.
            let tone = Signal.sine(split.frequency, count: 48000, amplitude: 0.05)
            let output = KernelLaws.run(MultibandCompressor.self, parameters, [tone])[0]
            #expect(abs(Measure.gain(at: split.frequency, from: tone, to: output, skip: 24000) - 14.807) < 0.15)
        }
    }

    /// A tone's share of each band: low pass 1/(1 + Ω⁴) and high pass the rest, in phase, with Ω the ratio of warped
    /// frequencies.
    private static func shares(_ frequency: Double, _ crossovers: [Double]) -> [Double] {
        func warped(_ f: Double) -> Double { DeterministicMath.tan(DeterministicMath.pi * f / 48000) }
        var (rest, shares) = (1.0, [Double]())
        for crossover in crossovers {
            let low = 1 / (1 + DeterministicMath.pow(warped(frequency) / warped(crossover), 4))
            shares.append(rest * low)
            rest *= 1 - low
        }
        return shares + [rest]
    }

    @Test(
        "Each band is compressed by its own law within 0.3 dB, and the others are not",
        arguments: [(0, 50.0), (1, 290), (2, 1450), (3, 9000)])
    func bands(tone: (band: Int, frequency: Double)) {
        let parameters = Self.parameters {
            $0.thresholds = SIMD4(repeating: 0)
            ($0.thresholds[tone.band], $0.headrooms[tone.band]) = (-30, 6)
        }
        let signal = Signal.sine(tone.frequency, count: 96000, amplitude: Decibels.amplitude(-12))
        var kernel = MultibandCompressor(sampleRate: 48000, channelCount: 1, parameters: parameters)
        let output = KernelLaws.run(&kernel, [signal])[0]
        let shares = Self.shares(tone.frequency, [120, 700, 3000])
        let level = -12 + Decibels.of(amplitude: shares[tone.band])
        let compression = (level + 30) * (level + 30) / (level + 36)
        let expected = Decibels.of(amplitude: 1 - shares[tone.band] * (1 - Decibels.amplitude(-compression)))
        let measured = Measure.gain(at: tone.frequency, from: signal, to: output, skip: 72000)
        #expect(abs(measured - expected) < 0.3, "\(measured) dB for \(expected) dB")
        let meter = kernel.meters[tone.band]
        #expect(
            abs(Double(meter.compressionAmount) - compression) < 0.3 && abs(Double(meter.inputAmplitude) - level) < 0.3,
            "\(meter)")
        for other in 0..<4 where other != tone.band { #expect(kernel.meters[other].compressionAmount == 0) }
    }
}
