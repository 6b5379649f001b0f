import OssicleCore

/// A signal with the pitch, formants, syllables and pauses of speech, and no words: for tests of what must tell speech
/// from echo and noise.
///
/// Words of 0.2 to 0.6 s with pauses of 0.05 to 0.4 s between them; in each, two to four syllables that are voiced
/// (pulses at 90 to 220 Hz that glide) or, one in five, noise, through three resonances of their own. The same seed
/// gives the same samples on any machine. Any thread.
package struct SpeechLikeSignal {
    private let sampleRate: Double
    private let random: CounterRandom
    private var draws: UInt64 = 0

    private init(sampleRate: Double, seed: UInt64) {
        self.sampleRate = sampleRate
        random = CounterRandom(seed: seed, object: CounterRandom.number(of: "speech-like signal"))
    }

    /// `frames` samples with a mean square of `level`² over the words.
    package static func make(sampleRate: Double, frames: Int, level: Double, seed: UInt64) -> [Float] {
        var signal = SpeechLikeSignal(sampleRate: sampleRate, seed: seed)
        return signal.make(frames: frames, level: level)
    }

    private mutating func draw(_ range: ClosedRange<Double>) -> Double {
        draws += 1
        return range.lowerBound + (range.upperBound - range.lowerBound) * random.unit(draws)
    }

    private mutating func make(frames: Int, level: Double) -> [Float] {
        var samples = [Double](repeating: 0, count: frames)
        var (place, spoken, pitch) = (Int(draw(0.02...0.1) * sampleRate), 0, draw(100...200))
        while place < frames {
            for _ in 0..<Int(draw(2...4.99)) where place < frames {
                let count = min(Int(draw(0.09...0.17) * sampleRate), frames - place)
                addSyllable(&samples, place..<(place + count), pitch: &pitch)
                (place, spoken) = (place + count, spoken + count)
            }
            place += Int(draw(0.05...0.4) * sampleRate)
        }
        let energy = samples.reduce(0) { $0 + $1 * $1 }
        let scale = level / (energy / Double(max(spoken, 1))).squareRoot()
        return samples.map { Float($0 * scale) }
    }

    private mutating func addSyllable(_ samples: inout [Double], _ range: Range<Int>, pitch: inout Double) {
        let isVoiced = draw(0...1) < 0.8
        var resonances = [
            Resonance(draw(300...800), width: 80, sampleRate), Resonance(draw(900...2_200), width: 120, sampleRate),
            Resonance(draw(2_300...min(3_400, sampleRate * 0.45)), width: 200, sampleRate),
        ]
        let (glide, loudness) = (draw(-0.2...0.15), draw(0.4...1))
        var phase = 0.0
        for i in range {
            let share = Double(i - range.lowerBound) / Double(range.count)
            phase += pitch * (1 + glide * share) / sampleRate
            var source = draw(-1...1) * (isVoiced ? 0.02 : 0.25)
            if phase >= 1 {
                phase -= 1
                if isVoiced { source += 1 }
            }
            let envelope = DeterministicMath.sin(DeterministicMath.pi * share)
            let (a, b, c) = (resonances[0].take(source), resonances[1].take(source), resonances[2].take(source))
            samples[i] += loudness * envelope * (a + 0.6 * b + 0.4 * c + 0.05 * source)
        }
        pitch = min(max(pitch * (1 + draw(-0.12...0.12)), 90), 220)
    }

    /// A resonance of two poles with unit gain of its peak.
    private struct Resonance {
        private let (gain, a, b): (Double, Double, Double)
        private var (last, before) = (0.0, 0.0)

        init(_ frequency: Double, width: Double, _ sampleRate: Double) {
            let radius = DeterministicMath.exp(-DeterministicMath.pi * width / sampleRate)
            a = 2 * radius * DeterministicMath.cos(2 * DeterministicMath.pi * frequency / sampleRate)
            b = -radius * radius
            gain = 1 - radius
        }

        mutating func take(_ x: Double) -> Double {
            let y = gain * x + a * last + b * before
            (before, last) = (last, y)
            return y
        }
    }
}
