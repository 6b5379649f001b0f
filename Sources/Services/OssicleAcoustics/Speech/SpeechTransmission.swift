import OssicleCore

/// The speech transmission index (IEC 60268-16:2020, Ed. 5), for male speech.
///
/// With m the modulation left of band k at frequency F:
///
///     SNR = 10 log₁₀(m/(1 − m)), within −15…15 dB;  TI = (SNR + 15)/30;  MTI_k = mean of TI over F
///     STI = Σ α_k MTI_k − Σ β_k √(MTI_k MTI_{k+1})
package enum SpeechTransmission {
    /// Hz, third-octaves from 0.63 to 12.5.
    package static let modulations = [0.63, 0.8, 1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8, 10, 12.5]
    /// The octaves 125 Hz … 8 kHz among the ten.
    package static let bands = 2...8
    private static let weights = [0.085, 0.127, 0.230, 0.233, 0.309, 0.224, 0.173]
    private static let redundancies = [0.085, 0.078, 0.065, 0.011, 0.047, 0.095]

    /// 0 (nothing is understood) … 1.
    /// - Parameter modulation: what is left of a full modulation, 0…1, of a band at a frequency in Hz.
    package static func index(_ modulation: (_ band: Int, _ frequency: Double) -> Double) -> Double {
        let shares = bands.map { band in
            modulations.reduce(0) { $0 + transmission(modulation(band, $1)) } / Double(modulations.count)
        }
        let gain = zip(weights, shares).reduce(0) { $0 + $1.0 * $1.1 }
        let twice = zip(redundancies, zip(shares, shares.dropFirst())).reduce(0) {
            $0 + $1.0 * ($1.1.0 * $1.1.1).squareRoot()
        }
        return min(max(gain - twice, 0), 1)
    }

    private static func transmission(_ modulation: Double) -> Double {
        guard modulation > 0 else { return 0 }
        guard modulation < 1 else { return 1 }
        return (min(max(Decibels.of(energy: modulation / (1 - modulation)), -15), 15) + 15) / 30
    }
}
