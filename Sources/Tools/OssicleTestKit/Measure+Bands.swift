import Foundation
import OssicleCore

extension Measure {
    /// Energy of the signal in each of the ten octave bands 31.5 Hz … 16 kHz, in dB (10·log₁₀ Σx²), by exact band edges centre·2^±½.
    public static func octaveEnergies(of signal: [Float], sampleRate: Double = 48000) -> [Double] {
        let spectrum = Spectrum(of: signal, sampleRate: sampleRate)
        return (0..<10).map { band in
            let centre = OctaveBands.centre(band)
            return 10 * log10(spectrum.energy(from: centre / 2.0.squareRoot(), to: centre * 2.0.squareRoot()))
        }
    }

    /// Energy outside [low, high] Hz over the whole energy, in dB. The signal is Hann-windowed first, so that a tone stays narrow.
    public static func energyOutside(_ low: Double, _ high: Double, in signal: [Float], sampleRate: Double = 48000) -> Double {
        let n = Double(signal.count)
        let windowed = signal.enumerated().map { $1 * Float(0.5 - 0.5 * cos(2 * .pi * Double($0) / n)) }
        let spectrum = Spectrum(of: windowed, sampleRate: sampleRate)
        let all = spectrum.energy(from: 0, to: .infinity)
        let inside = spectrum.energy(from: low, to: high)
        let outside = spectrum.energy(from: 0, to: low) + spectrum.energy(from: high, to: .infinity)
        return 10 * log10(max(outside, .leastNormalMagnitude) / max(all, inside, .leastNormalMagnitude))
    }

    /// Weight of one octave band (index 0…9) at a frequency: flanks of half an octave with −3 dB at the band edges, so that bands sum to one
    /// in energy. Steeper ones would ring longer than a small room at 63 Hz.
    static func octaveWeight(_ band: Int, at frequency: Double) -> Double {
        let distance = abs(log2(max(frequency, 1e-3) / OctaveBands.centre(band)))
        return distance < 0.25 ? 1 : (distance > 0.75 ? 0 : cos((distance - 0.25) * .pi))
    }
}
