import Foundation
import OssicleTestSupport
import Testing
@testable import OssicleDSP

/// What time and pitch give up on request: onsets and the coherence of partials.
@Suite struct TimeStretcherSwitchTests {
    private func played(_ input: [Float], _ parameters: TimeStretcher.Parameters, count: Int) -> [Float] {
        let run = TimeKernelRun<TimeStretcher>()
        return run.play([input], parameters, count: count).outputs[0]
    }

    @Test("Without transient preservation an attack is heard before it begins")
    func onsets() {
        let input = TimeStretcherTransientTests.attacks([30_000], count: 60_000)
        for (keepsOnsets, range) in [(true, -200.0 ... -60), (false, -30.0...20)] {
            let output = played(input, .init(rate: 0.5, keepsOnsets: keepsOnsets), count: 100_000)
            // The 20 ms before the attack's place over the 20 ms behind it.
            let before = Measure.energy(output[59_000..<59_960]), behind = Measure.energy(output[60_000..<60_960])
            let level = 10 * log10(before / behind + 1e-20)
            #expect(range.contains(level), "\(keepsOnsets): \(level) dB")
        }
    }

    @Test(
        "Without spectral coherence the bins around a partial that moves go their own ways; a steady tone does not mind"
    )
    func coherence() {
        // 20 partials of a voice at 150 Hz with a vibrato of 5 Hz and half a semitone.
        let voice = (0..<72_000).map { frame -> Float in
            let time = Double(frame) / 48_000
            let swing: Double = 0.03 / (10 * Double.pi) * cos(10 * Double.pi * time)
            let phase: Double = 2 * Double.pi * 150 * (time - swing)
            var sum = 0.0
            for partial in 1...20 { sum += sin(Double(partial) * phase) }
            return Float(sum / 20)
        }
        let outputs = [true, false].map {
            played(voice, .init(rate: 0.7, keepsOnsets: false, isCoherent: $0), count: 72_000)
        }
        let span = 24_000..<66_000
        let difference = span.map { outputs[0][$0] - outputs[1][$0] }
        let level = Measure.level(difference) - Measure.level(outputs[0][span])
        #expect(level > -20 && Measure.isFinite(difference), "\(level) dB")
        let tone = Signal.sine(1000, count: 72_000, amplitude: 0.5)
        let output = played(tone, .init(rate: 0.7, isCoherent: false), count: 72_000)
        #expect(abs(Measure.pitch(near: 1000, in: Array(output[span])).frequency - 1000) < 0.05)
        #expect(abs(Measure.level(output[span]) + 9.03) < 0.1)
    }
}
