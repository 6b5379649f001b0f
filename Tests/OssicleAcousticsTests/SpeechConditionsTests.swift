@testable import OssicleAcoustics
import OssicleCore
import Testing

/// The speech transmission index with levels, by the formulas of IEC 60268-16:2020 written out.
@Suite struct SpeechConditionsTests {
    private static let free = OctaveBands(repeating: 20)

    private static func index(_ conditions: SpeechConditions) -> Double {
        let shares = conditions.shares(strength: free)
        return SpeechTransmission.index { band, _ in shares[band] }
    }

    @Test("The spectrum of male speech has its A-weighted level within 0.1 dB")
    func spectrum() {
        // A-weighting of the octaves 125 Hz … 8 kHz (IEC 61672-1).
        let weights = [-16.1, -8.6, -3.2, 0, 1.2, 1, -1.1]
        let sum = weights.indices.reduce(0.0) {
            $0 + Decibels.energy(Double(SpeechConditions.spectrum[$1 + 2]) + weights[$1])
        }
        #expect(abs(Decibels.of(energy: sum)) < 0.1)
    }

    @Test("The slope of masking is continuous but for the step at 100 dB, and has the values of its pieces")
    func slope() {
        for (level, slope) in [(50.0, -40.0), (65, -29.9), (80, -19.8), (120, -10)] {
            #expect(abs(SpeechConditions.maskingSlope(level) - slope) < 1e-9)
        }
        for edge in [63.0, 67] {
            #expect(
                abs(SpeechConditions.maskingSlope(edge - 1e-6) - SpeechConditions.maskingSlope(edge)) < 1e-3)
        }
    }

    @Test("Noise 200 dB up leaves nothing; speech at 65 dB in quiet loses only what masking and threshold take")
    func extremes() {
        #expect(Self.index(SpeechConditions(level: 60, noise: OctaveBands(repeating: 150))) == 0)
        let quiet = Self.index(SpeechConditions(level: 65))
        #expect(quiet > 0.97 && quiet <= 1)
        // Below the threshold of reception nothing is understood.
        #expect(Self.index(SpeechConditions(level: -30)) == 0)
        // Loud speech masks itself.
        #expect(Self.index(SpeechConditions(level: 105)) < quiet)
    }

    /// Hand calculation of one band: 1 kHz, speech 70 dB(A) at the listener, 55 dB of noise in each octave.
    @Test("Share of the modulation at 1 kHz by hand")
    func byHand() {
        let conditions = SpeechConditions(level: 70, place: .atListener, noise: OctaveBands(repeating: 55))
        let (signal, noise) = (Decibels.energy(64), Decibels.energy(55))
        // The octave of 500 Hz: 70 dB of speech and 55 of noise.
        let below = Decibels.energy(70) + Decibels.energy(55)
        let masking = below * Decibels.energy(0.5 * Decibels.of(energy: below) - 59.8)
        let expected = signal / (signal + noise + masking + Decibels.energy(6.5))
        #expect(abs(conditions.shares(strength: .zeros)[5] - expected) < 1e-6)
    }

    @Test("In the open at 1 m the level at the mouth's metre is that at the listener")
    func places() {
        let far = SpeechConditions(level: 60).speech(strength: Self.free)
        let near = SpeechConditions(level: 60, place: .atListener).speech(strength: .zeros)
        for band in 2...8 { #expect(abs(far[band] - near[band]) < 1e-4) }
    }

    /// m = 1/(1 + 10^(−SNR/10)) makes TI = (SNR + 15)/30 of each band, and equal bands the index.
    @Test(
        "Speech so loud that masking is all but nothing: the index of a signal-to-noise ratio is (SNR + 15)/30",
        arguments: [-9.0, 0, 6])
    func ratio(ratio: Double) {
        let level = Float(ratio)
        let click = SquaredResponse(arrivals: [(0.01, .ones)], late: EnergyResponse(binWidth: 0.004, binCount: 0))
        let found = RoomMetrics(click, signalToNoise: OctaveBands(repeating: level)).speechTransmission
        #expect(abs(found - (ratio + 15) / 30) < 1e-3)
    }
}
