import OssicleCore
import OssicleDSP

/// The low pass of a voice: two poles, resonance in centibels over the level at 0 Hz, of which half is taken off the
/// whole (SoundFont 2.04 §8.1.2, generators 8 and 9). Wide open and without resonance it lets sound pass untouched.
struct VoiceFilter: BitwiseCopyable {
    /// Absolute cents, 20 kHz, from which on nothing is filtered.
    private static let open: Float = 13_500
    private var section: StateVariableSection<Float>?
    private var gain: Float = 1
    private var cutoff: Float = .nan
    private var resonance: Float = .nan
    private var (s1, s2): (Float, Float) = (0, 0)

    /// - Parameters:
    ///   - cutoff: absolute cents. - resonance: centibels.
    mutating func set(cutoff: Float, resonance: Float, _ sampleRate: Double) {
        let (cutoff, resonance) = (min(max(cutoff, 1500), Self.open), min(max(resonance, 0), 960))
        guard cutoff != self.cutoff || resonance != self.resonance else { return }
        (self.cutoff, self.resonance) = (cutoff, resonance)
        // A filter that has been at work stays at work: taking it out would tear the sound.
        if cutoff >= Self.open, resonance == 0, section == nil { return }
        let decibels = Double(resonance) * 0.1
        let q = DeterministicMath.exp((decibels - 3.0103) * (DeterministicMath.ln10 / 20))
        gain = Float(DeterministicMath.exp(-decibels / 2 * (DeterministicMath.ln10 / 20)))
        section = StateVariableSection<Float>(
            .lowPass, frequency: min(SampleVoice.hertz(cutoff), 0.45 * sampleRate), q: q, sampleRate: sampleRate)
    }

    mutating func process(_ sound: UnsafeMutablePointer<Float>, _ count: Int) {
        guard let c = section else { return }
        var (s1, s2) = (self.s1, self.s2)
        for frame in 0..<count {
            let x = sound[frame], e = x - s2
            sound[frame] = gain * (c.d * x + c.p * s1 + c.q * s2)
            s2 = s2 + c.beta * s1 + c.gamma * e
            s1 = c.alpha * s1 + c.beta * e
        }
        (self.s1, self.s2) = (s1, s2)
    }
}
