import OssicleCore

/// How loud speech is and what noise it is heard in: what the speech transmission index takes from the modulation that
/// a room has left (IEC 60268-16:2020, Ed. 5, Annex A).
///
/// With intensities I of speech (s), noise (n), masking by the octave below (am) and the threshold of reception (rt),
/// the modulation of band k is multiplied by
///
///     I_s / (I_s + I_n + I_am + I_rt);   I_am,k = I_k−1 · 10^(a/10), I_k−1 of speech and noise together, L its level:
///     a = 0.5 L − 65 below 63 dB, 1.8 L − 146.9 to 67 dB, 0.5 L − 59.8 to 100 dB, −10 above
package struct SpeechConditions: Sendable, Hashable {
    /// A-weighted level of the speech in dB re 20 µPa.
    package let level: Double
    /// Where that is its level.
    package let place: Place
    /// dB re 20 µPa of the noise at the listener in each octave; nothing below −100.
    package let noise: OctaveBands

    package enum Place: Sendable, Hashable {
        /// 1 m from the mouth, in the open.
        case atOneMetre
        case atListener
    }

    package init(level: Double, place: Place = .atOneMetre, noise: OctaveBands = silence) {
        (self.level, self.place, self.noise) = (level, place, noise)
    }

    package static let silence = OctaveBands(repeating: -200)
    /// Normal effort at 1 m (ISO 9921).
    package static let normalLevel = 60.0
    /// dB of male speech re its A-weighted level in the octaves 125 Hz … 8 kHz (clause A.6.1). The four bands besides
    /// are none of the index's; they hold nothing.
    package static let spectrum = OctaveBands([-200, -200, -2.5, 0.5, 0, -6, -12, -18, -24, -200])
    /// dB re 20 µPa of the threshold of reception in the octaves 125 Hz … 8 kHz.
    private static let threshold = OctaveBands([200, 200, 46, 27, 12, 6.5, 7.5, 8, 12, 200])

    /// Level of the speech at the listener in each octave.
    /// - Parameter strength: dB re the direct sound at 10 m, by octave.
    package func speech(strength: OctaveBands) -> OctaveBands {
        let spectrum = Self.spectrum + OctaveBands(repeating: Float(level))
        return place == .atListener ? spectrum : spectrum + strength + OctaveBands(repeating: -20)
    }

    /// What is left of the modulation in each band, 0…1.
    /// - Parameter strength: dB re the direct sound at 10 m, by octave.
    package func shares(strength: OctaveBands) -> [Double] {
        let speech = speech(strength: strength)
        func intensity(_ level: Float) -> Double { Decibels.energy(Double(max(min(level, 200), -200))) }
        return (0..<OctaveBands.count).map { band in
            let (signal, noise) = (intensity(speech[band]), intensity(noise[band]))
            var masking = 0.0
            if band > SpeechTransmission.bands.lowerBound {
                let below = intensity(speech[band - 1]) + intensity(self.noise[band - 1])
                masking = below * Decibels.energy(Self.maskingSlope(Decibels.of(energy: below)))
            }
            return signal / (signal + noise + masking + intensity(Self.threshold[band]))
        }
    }

    /// dB by which an octave of a level masks the one above.
    package static func maskingSlope(_ level: Double) -> Double {
        switch level {
        case ..<63: 0.5 * level - 65
        case ..<67: 1.8 * level - 146.9
        case ..<100: 0.5 * level - 59.8
        default: -10
        }
    }
}
