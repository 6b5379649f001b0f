import OssicleCore

/// The room-acoustic quantities of ISO 3382-1 for one source and one listener, per octave band, and how well speech is
/// understood.
///
/// Always numbers: a band without sound has times of 0 and levels of −120 dB; ratios stay within ±120 dB.
package struct RoomMetrics: Sendable, Hashable {
    /// Seconds by which sound decays by 60 dB, from −5 to −25 dB.
    package var t20: OctaveBands
    /// The same, from −5 to −35 dB.
    package var t30: OctaveBands
    /// The same, from 0 to −10 dB: early decay time.
    package var edt: OctaveBands
    /// dB, energy of the first 80 ms to that of the rest.
    package var c80: OctaveBands
    /// dB, energy of the first 50 ms to that of the rest.
    package var c50: OctaveBands
    /// Share of the energy in the first 50 ms, 0…1.
    package var d50: OctaveBands
    /// Seconds, mean time of arrival after the first sound.
    package var centreTime: OctaveBands
    /// dB, energy re that of the direct sound at 10 m.
    package var strength: OctaveBands
    /// Lateral energy fraction: Σ E cos² θ from 5 to 80 ms over the energy of the first 80 ms, θ to the axis through
    /// the ears. As all lateral quantities 0, or −120 dB, of a response without directions.
    package var lateralFraction: OctaveBands
    /// The same with |cos θ|: what ∫ |p_L p| of ISO 3382-1 is of arrivals one by one.
    package var lateralFractionCosine: OctaveBands
    /// dB, lateral energy Σ E cos² θ from 80 ms on re the energy of the direct sound at 10 m.
    package var lateLateralStrength: OctaveBands
    /// Speech transmission index, 0…1.
    package var speechTransmission: Double

    /// - Parameters:
    ///   - signalToNoise: dB by which speech is above the noise, per band; nil where all is quiet.
    ///   - speech: level of the speech and noise, for a speech transmission index with masking and threshold; takes the
    ///     place of `signalToNoise`.
    package init(_ response: SquaredResponse, signalToNoise: OctaveBands? = nil, speech: SpeechConditions? = nil) {
        let bands = (0..<OctaveBands.count).map { band in
            BandDecay(
                energies: response.bins.map { Double($0[band]) }, binWidth: SquaredResponse.binWidth,
                continues: response.continues)
        }
        func each(_ value: (BandDecay) -> Double) -> OctaveBands { OctaveBands(bands.map { Float(value($0)) }) }
        t20 = each { $0.curve.time(from: -5, to: -25) ?? 0 }
        t30 = each { $0.curve.time(from: -5, to: -35) ?? 0 }
        edt = each { $0.curve.time(from: 0, to: -10) ?? 0 }
        c80 = each { $0.clarity(0.08) }
        c50 = each { $0.clarity(0.05) }
        d50 = each { $0.early(0.05) }
        centreTime = each(\.centreTime)
        strength = each { RoomMetrics.strength($0.energy) }
        let lateral = LateralEnergies(response)
        (lateralFraction, lateralFractionCosine) = (lateral.fraction, lateral.fractionCosine)
        lateLateralStrength = lateral.lateStrength
        let heard = speech?.shares(strength: strength)
        speechTransmission = SpeechTransmission.index { band, frequency in
            let noise = signalToNoise.map { Decibels.energy(-Double($0[band])) } ?? 0
            return bands[band].modulation(frequency) * (heard?[band] ?? 1 / (1 + noise))
        }
    }

    /// dB re the energy of the direct sound at 10 m; −120 where there is none.
    /// - Parameter energy: re that of the direct sound at 1 m.
    package static func strength(_ energy: Double) -> Double {
        energy > 1e-12 ? min(Decibels.of(energy: energy), 120) + 20 : -120
    }
}
