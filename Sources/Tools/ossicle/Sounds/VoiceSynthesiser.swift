import OssicleCore

/// A made-up speaker: syllables without words, for a scene that needs a voice and has no recording.
///
/// Source and filter: a train of glottal pulses (Rosenberg 1971, the derivative of his polynomial flow) or noise runs
/// through ten resonators in a row (Klatt 1980), the lowest of which glide between the vowels of Peterson and Barney
/// (1952). The syllables come from `BabblePlan`. Mono, peak 0.7. The same seed gives the same samples.
struct VoiceSynthesiser {
    private static let controlFrames = 48
    private let sampleRate: Double
    private let noise: CounterRandom
    private var resonators: [Resonator]
    private var phase = 0.0
    private var hissMemory = 0.0

    init(seed: UInt64, sampleRate: Double) {
        self.sampleRate = sampleRate
        noise = CounterRandom(seed: seed, object: CounterRandom.number(of: "voice noise"))
        resonators = [Resonator](repeating: Resonator(), count: BabblePlan.formantCount)
    }

    static func samples(seed: UInt64, frames: Int, sampleRate: Double) -> [Float] {
        var synthesiser = VoiceSynthesiser(seed: seed, sampleRate: sampleRate)
        return synthesiser.speak(BabblePlan(seed: seed, seconds: Double(frames) / sampleRate), frames: frames)
    }

    private mutating func speak(_ plan: BabblePlan, frames: Int) -> [Float] {
        var samples = [Double](repeating: 0, count: frames)
        for start in stride(from: 0, to: frames, by: VoiceSynthesiser.controlFrames) {
            let mouth = plan.mouth(at: Double(start) / sampleRate)
            for (i, formant) in mouth.formants.enumerated() {
                resonators[i].tune(frequency: formant.frequency, bandwidth: formant.bandwidth, sampleRate: sampleRate)
            }
            for frame in start..<min(start + VoiceSynthesiser.controlFrames, frames) {
                samples[frame] = next(frame, mouth)
            }
        }
        return VoiceSynthesiser.normalised(samples)
    }

    private mutating func next(_ frame: Int, _ mouth: BabblePlan.Mouth) -> Double {
        phase += mouth.pitch / sampleRate
        phase -= phase.rounded(.down)
        let white = 2 * noise.unit(UInt64(frame)) - 1
        var sample = VoiceSynthesiser.glottalPulse(phase) * mouth.voicing + white * mouth.breath
        resonators.withUnsafeMutableBufferPointer { tube in
            for i in tube.indices { sample = tube[i].process(sample) }
        }
        // Frication starts at the teeth, in front of the tube: it passes no resonator, only a first difference.
        let hiss = (white - hissMemory) * mouth.hiss
        hissMemory = white
        return sample + hiss
    }

    /// Slope of the flow through the glottis over one period: it opens over 40 %, closes over 16 %, and rests.
    private static func glottalPulse(_ phase: Double) -> Double {
        let (opening, closing) = (0.4, 0.16)
        if phase < opening {
            let t = phase / opening
            return 6 * t * (1 - t) * (closing / opening)
        }
        if phase < opening + closing { return -2 * (phase - opening) / closing }
        return 0
    }

    private static func normalised(_ samples: [Double]) -> [Float] {
        let peak = samples.reduce(0) { max($0, abs($1)) }
        return samples.map { Float($0 * 0.7 / max(peak, 1e-9)) }
    }
}

/// A digital resonator with unity gain at 0 Hz: y = a·x + b·y₋₁ + c·y₋₂ (Klatt 1980, equation 1).
struct Resonator {
    private var a = 1.0, b = 0.0, c = 0.0
    private var y1 = 0.0, y2 = 0.0

    /// - Parameters: centre and −3 dB bandwidth in Hz.
    mutating func tune(frequency: Double, bandwidth: Double, sampleRate: Double) {
        let radius = DeterministicMath.exp(-DeterministicMath.pi * bandwidth / sampleRate)
        c = -radius * radius
        b = 2 * radius * DeterministicMath.cos(2 * DeterministicMath.pi * frequency / sampleRate)
        a = 1 - b - c
    }

    mutating func process(_ x: Double) -> Double {
        let y = a * x + b * y1 + c * y2
        (y2, y1) = (y1, y)
        return y
    }
}
