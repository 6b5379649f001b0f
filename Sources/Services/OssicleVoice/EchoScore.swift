import OssicleCore
import OssicleDSP

/// How well an echo canceller did in a scene.
package struct EchoScore: Sendable {
    /// Echo return loss enhancement while the far talker is alone, from 2 s on: microphone over output, dB.
    package let enhancement: Double
    /// By how much the near talker's level is changed while alone, dB.
    package let nearChange: Double
    /// How much later the near talker comes out, s.
    package let delay: Double
    /// Share of the energy of the near talker's words that is kept while both speak, 0 … 1.
    package let wordsKept: Double
    /// Time from which the enhancement of every quarter of a second is at least 20 dB, s; nil where it never is.
    package let convergence: Double?

    /// - Parameter output: of a canceller that was given the scene's `far` and `microphone`, as long as these.
    package init(_ scene: EchoScene, output: [Float]) {
        let rate = scene.settings.sampleRate
        let parts = scene.parts
        let lag = Self.lag(of: output, behind: scene.near, in: parts.nearAlone, longest: Int(0.1 * rate))
        delay = Double(lag) / rate
        let settled = min(Int(2 * rate), parts.farAlone.upperBound)..<parts.farAlone.upperBound
        enhancement = Self.decibels(
            Self.energy(scene.microphone, settled) / max(Self.energy(output, settled), 1e-12))
        // The echo's decay is over half a second after the far talker has ended.
        let alone = min(parts.nearAlone.lowerBound + Int(0.5 * rate), output.count)..<max(output.count - lag, 1)
        nearChange = 10 * DeterministicMath.log10(max(Self.kept(output, scene.near, alone, lag, limit: 4), 1e-12))
        wordsKept = Self.kept(output, scene.near, parts.both, lag, limit: 1)
        convergence = Self.convergence(scene, output)
    }

    private static func decibels(_ ratio: Double) -> Double { 10 * DeterministicMath.log10(max(ratio, 1e-12)) }

    private static func energy(_ signal: [Float], _ range: Range<Int>) -> Double {
        range.reduce(0) { $0 + Double(signal[$1]) * Double(signal[$1]) }
    }

    /// Frames of the highest correlation.
    private static func lag(of output: [Float], behind near: [Float], in range: Range<Int>, longest: Int) -> Int {
        var (best, value) = (0, -Double.infinity)
        for lag in 0..<longest {
            var sum = 0.0
            for i in range.lowerBound..<(range.upperBound - longest) {
                sum += Double(near[i]) * Double(output[i + lag])
            }
            if sum > value { (best, value) = (lag, sum) }
        }
        return best
    }

    private static func convergence(_ scene: EchoScene, _ output: [Float]) -> Double? {
        let length = Int(0.25 * scene.settings.sampleRate)
        let end = scene.parts.farAlone.upperBound
        let loud = energy(scene.echo, 0..<end) / Double(end) * Double(length) * 0.1
        var since: Int? = nil
        for start in stride(from: 0, to: end - length, by: length) {
            let range = start..<(start + length)
            guard energy(scene.echo, range) > loud else { continue }
            let ratio = energy(scene.microphone, range) / max(energy(output, range), 1e-12)
            since = ratio >= 100 ? since ?? start : nil
        }
        return since.map { Double($0) / scene.settings.sampleRate }
    }

    /// Energy of the near signal in the output over the near signal's own: in cells of four bins and four frames of a
    /// transform of 16 ms the output is projected on the near signal, and the projection's power gain held under `limit`.
    private static func kept(
        _ output: [Float], _ near: [Float], _ range: Range<Int>, _ lag: Int, limit: Double
    ) -> Double {
        let fourier = RealFourierTransform(count: 256)
        let clean = CellSpectrum()
        let heard = CellSpectrum()
        let window = (0..<256).map {
            Float(0.5 - 0.5 * DeterministicMath.cos(2 * DeterministicMath.pi * (Double($0) + 0.5) / 256))
        }
        var (kept, whole) = (0.0, 0.0)
        let cells = 32
        var start = range.lowerBound
        while start + 4 * 128 + 256 + lag <= min(range.upperBound, output.count) {
            var sums = [(real: Double, imaginary: Double, power: Double)](repeating: (0, 0, 0), count: cells)
            for frame in 0..<4 {
                clean.load(near, at: start + 128 * frame, window, fourier)
                heard.load(output, at: start + 128 * frame + lag, window, fourier)
                for k in 0..<(4 * cells) {
                    let (a, b) = (clean[k], heard[k])
                    sums[k / 4].real += a.0 * b.0 + a.1 * b.1
                    sums[k / 4].imaginary += a.0 * b.1 - a.1 * b.0
                    sums[k / 4].power += a.0 * a.0 + a.1 * a.1
                }
            }
            for cell in sums where cell.power > 0 {
                let gain = (cell.real * cell.real + cell.imaginary * cell.imaginary) / (cell.power * cell.power)
                kept += min(gain, limit) * cell.power
                whole += cell.power
            }
            start += 4 * 128
        }
        return whole > 0 ? kept / whole : 0
    }

    private struct CellSpectrum: ~Copyable {
        private let signal = SampleMemory(count: 256)
        private let real = SampleMemory(count: 129)
        private let imaginary = SampleMemory(count: 129)

        func load(_ samples: [Float], at start: Int, _ window: [Float], _ fourier: borrowing RealFourierTransform) {
            for i in 0..<256 { signal[i] = samples[start + i] * window[i] }
            fourier.forward(signal.pointer, real: real.pointer, imaginary: imaginary.pointer)
        }

        subscript(k: Int) -> (Double, Double) { (Double(real[k]), Double(imaginary[k])) }
    }
}
