import OssicleCore
import OssicleDSP

/// How well an echo canceller did in a scene or a recording. A figure is NaN where the recording has nothing it could
/// be measured in.
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
    /// Enhancement of every quarter of a second in which the far talker is alone and the echo is loud: its begin in s,
    /// dB.
    package let course: [(time: Double, enhancement: Double)]

    /// - Parameter output: of a canceller that was given the scene's `far` and `microphone`, as long as these.
    package init(_ scene: EchoScene, output: [Float]) { self.init(EchoRecording(scene), output: output) }

    /// - Parameter output: of a canceller that was given the recording; what is missing at its end is silence.
    package init(_ recording: EchoRecording, output given: [Float]) {
        let (rate, parts) = (recording.sampleRate, recording.parts)
        let count = recording.microphone.count
        let output = Array(given.prefix(count)) + [Float](repeating: 0, count: max(count - given.count, 0))
        // Where the near talker is never alone, both must do.
        let lag = Self.lag(
            of: output, behind: recording.near, in: parts.nearAlone.isEmpty ? parts.both : parts.nearAlone,
            longest: Int(0.1 * rate))
        delay = lag.map { Double($0) / rate } ?? .nan
        let settled = parts.farAlone.map { max($0.lowerBound, min(Int(2 * rate), $0.upperBound))..<$0.upperBound }
        let (before, after) = (Self.energy(recording.microphone, settled), Self.energy(output, settled))
        enhancement = before > 0 ? Self.decibels(before / max(after, 1e-12)) : .nan
        // The echo's decay is over half a second after the far talker has ended.
        let alone = parts.nearAlone.map { range in
            let end = max(min(range.upperBound, count - (lag ?? 0)), 0)
            return min(range.lowerBound + Int(0.5 * rate), end)..<end
        }
        let (change, kept) = (
            Self.kept(output, recording.near, alone, lag ?? 0, limit: 4),
            Self.kept(output, recording.near, parts.both, lag ?? 0, limit: 1)
        )
        nearChange = 10 * DeterministicMath.log10(max(change, 1e-12))
        wordsKept = kept
        course = Self.course(recording, output)
        convergence = Self.convergence(course)
    }

    private static func decibels(_ ratio: Double) -> Double { 10 * DeterministicMath.log10(max(ratio, 1e-12)) }

    private static func energy(_ signal: [Float], _ ranges: [Range<Int>]) -> Double {
        ranges.reduce(0) { $1.reduce($0) { $0 + Double(signal[$1]) * Double(signal[$1]) } }
    }

    /// Frames of the highest correlation over the first four seconds; nil where there is nothing to correlate.
    private static func lag(
        of output: [Float], behind near: [Float], in ranges: [Range<Int>], longest: Int
    ) -> Int? {
        var (best, value) = (Int?.none, -Double.infinity)
        let usable = ranges.filter { $0.count > longest }.map { range in
            range.lowerBound..<min(range.upperBound - longest, range.lowerBound + 40 * longest)
        }
        guard energy(near, usable.prefix(2).map(\.self)) > 0 else { return nil }
        for lag in 0..<longest {
            var sum = 0.0
            for range in usable.prefix(2) {
                for i in range { sum += Double(near[i]) * Double(output[i + lag]) }
            }
            if sum > value { (best, value) = (lag, sum) }
        }
        return best
    }

    private static func course(_ recording: EchoRecording, _ output: [Float]) -> [(time: Double, enhancement: Double)] {
        let length = Int(0.25 * recording.sampleRate)
        let alone = recording.parts.farAlone
        let frames = alone.reduce(0) { $0 + $1.count }
        let loud = energy(recording.echo, alone) / Double(max(frames, 1)) * Double(length) * 0.1
        var course: [(time: Double, enhancement: Double)] = []
        for range in alone where range.count > length {
            for start in stride(from: range.lowerBound, to: range.upperBound - length, by: length) {
                let quarter = [start..<(start + length)]
                guard energy(recording.echo, quarter) > loud else { continue }
                let ratio = energy(recording.microphone, quarter) / max(energy(output, quarter), 1e-12)
                course.append((Double(start) / recording.sampleRate, decibels(ratio)))
            }
        }
        return course
    }

    private static func convergence(_ course: [(time: Double, enhancement: Double)]) -> Double? {
        let last = course.lastIndex { $0.enhancement < 20 }
        return course.dropFirst(last.map { $0 + 1 } ?? 0).first?.time
    }

    /// Energy of the near signal in the output over the near signal's own: in cells of four bins and four frames of a
    /// transform of 16 ms the output is projected on the near signal, and the projection's power gain held under
    /// `limit`.
    private static func kept(
        _ output: [Float], _ near: [Float], _ ranges: [Range<Int>], _ lag: Int, limit: Double
    ) -> Double {
        let fourier = RealFourierTransform(count: 256)
        let clean = CellSpectrum()
        let heard = CellSpectrum()
        let window = (0..<256).map {
            Float(0.5 - 0.5 * DeterministicMath.cos(2 * DeterministicMath.pi * (Double($0) + 0.5) / 256))
        }
        var (kept, whole) = (0.0, 0.0)
        let cells = 32
        for range in ranges {
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
        }
        return whole > 0 ? kept / whole : .nan
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
