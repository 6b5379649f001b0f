import Foundation
import OssicleCore
import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct LoudnessLevellerTests {
    private let settings = LoudnessLeveller.Settings(target: -23, greatestChange: 24, peakCeiling: -1)

    private func level(
        _ channels: [[Float]], rate: Double = 48_000, weights: [Double]? = nil, cut: Int = 4096
    ) -> [[Float]] {
        var leveller = LoudnessLeveller(settings, sampleRate: rate, weights: weights ?? channels.map { _ in 1 })
        let memory = channels.map { channel in
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: channel.count)
            samples.initialize(from: channel, count: channel.count)
            return samples
        }
        defer { memory.forEach { $0.deallocate() } }
        var done = 0
        while done < channels[0].count {
            let run = min(cut, channels[0].count - done)
            memory.withUnsafeBufferPointer {
                if let base = $0.baseAddress { leveller.process(base, channels.count, offset: done, run) }
            }
            done += run
        }
        return memory.map { Array(UnsafeBufferPointer(start: $0, count: channels[0].count)) }
    }

    private func sine(_ amplitude: Double, seconds: Double, rate: Double = 48_000) -> [Float] {
        (0..<Int(seconds * rate)).map { Float(amplitude * Foundation.sin(2 * .pi * 997 * Double($0) / rate)) }
    }

    /// Decibels from `input` to `output` in the last second.
    private func gain(_ input: [Float], _ output: [Float], rate: Double = 48_000) -> Double {
        func energy(_ samples: [Float]) -> Double {
            samples.suffix(Int(rate)).reduce(0) { $0 + Double($1) * Double($1) }
        }
        return 10 * log10(energy(output) / energy(input))
    }

    @Test func `at 48 kHz the weighting has the coefficients of BS 1770`() {
        let (shelf, highPass) = (KWeighting.shelf(sampleRate: 48_000), KWeighting.highPass(sampleRate: 48_000))
        let found = [
            shelf.b0, shelf.b1, shelf.b2, shelf.a1, shelf.a2, highPass.b0, highPass.b1, highPass.b2, highPass.a1,
            highPass.a2,
        ]
        let published = [
            1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585, 1, -2, 1,
            -1.99004745483398, 0.99007225036621,
        ]
        for (found, published) in zip(found, published) { #expect(abs(found - published) < 1e-8) }
    }

    @Test(arguments: [48_000.0, 16_000, 96_000]) func `a sine comes to the target`(rate: Double) {
        // BS.1770: 997 Hz at full scale is −3.01 LUFS.
        let quiet = sine(0.05, seconds: 4, rate: rate)
        #expect(abs(gain(quiet, level([quiet], rate: rate)[0], rate: rate) - (-23 + 3.01 - 20 * log10(0.05))) < 0.05)
        let loud = sine(0.9, seconds: 5, rate: rate)
        #expect(abs(gain(loud, level([loud], rate: rate)[0], rate: rate) - (-23 + 3.01 - 20 * log10(0.9))) < 0.05)
    }

    @Test func `the gain is bounded, and silence does not move it`() {
        let faint = sine(0.0008, seconds: 6)
        #expect(abs(gain(faint, level([faint])[0]) - 24) < 0.05)
        let silence = [Float](repeating: 0, count: 10 * 48_000)
        let tone = sine(0.05, seconds: 4)
        let whole = tone + silence + tone
        let out = level([whole])[0]
        // The last 400 ms before the silence fade out of the measurement, and count.
        #expect(abs(gain(tone, Array(out.suffix(tone.count))) - 6.03) < 0.3)
        #expect(out[(tone.count + 100)..<(tone.count + silence.count)].allSatisfy { $0 == 0 })
    }

    @Test func `peaks stay below the ceiling`() {
        var clicks = [Float](repeating: 0, count: 10 * 48_000)
        for frame in stride(from: 100, to: clicks.count, by: 4800) { clicks[frame] = 0.5 }
        #expect((level([clicks])[0].max() ?? 1) <= Float(Decibels.amplitude(-1)) * 1.001)
    }

    @Test func `weights count channels, and an unweighted one goes along`() {
        let tone = sine(0.05, seconds: 4)
        let both = level([tone, tone])
        #expect(abs(gain(tone, both[0]) - (6.03 - 3.01)) < 0.05 && both[0] == both[1])
        let one = level([tone, tone], weights: [1, 0])
        #expect(abs(gain(tone, one[1]) - 6.03) < 0.05)
    }

    @Test(arguments: [1, 127]) func `cuts make no difference`(cut: Int) {
        let sound = Signal.noise(count: 30_000, seed: 1, amplitude: 0.03)
        #expect(level([sound, sound], cut: cut) == level([sound, sound]))
    }
}
