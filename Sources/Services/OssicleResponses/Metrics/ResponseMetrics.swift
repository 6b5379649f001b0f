import OssicleAcoustics
import OssicleCore

/// The quantities of ISO 3382-1 of a response itself, per octave band: of the sound of a microphone, measured or
/// computed, where `RoomMetrics` is of energies that rays and paths brought.
///
/// Two sounds that arrive at once interfere here and do not there, so that the two differ in each single room and agree
/// on average.
package struct ResponseMetrics: Sendable, Equatable {
    /// One octave. Nil is what the response cannot tell: a decay too little above the noise, directions that its
    /// channels do not have, a level without a reference.
    package struct Band: Encodable, Equatable, Sendable {
        /// Nominal centre, Hz.
        package let frequency: Double
        /// Seconds by which it decays by 60 dB, from 0 to −10, −5 to −25 and −5 to −35 dB.
        package let edt, t20, t30: Double?
        /// dB, energy of the first 80 and 50 ms to that of the rest, and the share of the first 50 ms.
        package let c80, c50, d50: Double?
        /// Seconds after the first sound.
        package let centreTime: Double?
        /// dB re the direct sound at 10 m.
        package let strength: Double?
        /// Of a sound field. Lateral energy fractions by p_L² and |p_L p| from 5 to 80 ms; dB of the lateral energy
        /// from 80 ms on re the direct sound at 10 m.
        package let lf, lfc, lg: Double?
        /// Of two ears, 0…1: the largest correlation within 1 ms of the first 80 ms, the rest, and all.
        package let iaccEarly, iaccLate, iacc: Double?
    }

    /// What the channels are.
    package enum Kind: Sendable, Hashable {
        /// Microphones that hear all directions alike; their energies together.
        case microphones
        /// Left and right ear of a head.
        case ears
        /// A sound field in ACN order whose second channel is a figure of eight along the axis through the ears, 1 on
        /// it. N3D fields have their second channel divided by √3 first.
        case field
    }

    /// The bands whose upper edge lies below half the sample rate, from 31.5 Hz on.
    package let bands: [Band]
    /// Speech transmission index by the indirect method, 0…1; nil where not all of 125 Hz … 8 kHz are there.
    package let speechTransmission: Double?

    /// - Parameters:
    ///   - channels: of the same length.
    ///   - reference: amplitude of the direct sound at 1 m in the open; nil where it is not known.
    ///   - hasNoise: false of a computed response, whose end is no noise.
    ///   - speech: for an index with levels.
    ///   - strength: dB re the direct sound at 10 m, for a level of speech at 1 m; without it that of the response, and
    ///     no index where that is not known.
    /// - Returns: nil for silence.
    package init?(
        _ channels: [[Double]], sampleRate: Double, kind: Kind = .microphones, reference: Double? = nil,
        hasNoise: Bool = true, speech: SpeechConditions? = nil, strength: OctaveBands? = nil,
        workers: WorkerPool = .shared
    ) {
        guard let start = ResponseOnset.frame(channels), sampleRate > 0 else { return nil }
        let count = (0..<OctaveBands.count).prefix {
            OctaveBands.centre($0) * 2.0.squareRoot() < 0.49 * sampleRate
        }.count
        let measured = workers.map(count: count) { band in
            BandMeasurement(
                channels, start: start, band: band, sampleRate: sampleRate, kind: kind, reference: reference,
                hasNoise: hasNoise)
        }
        bands = measured.map(\.band)
        speechTransmission = Self.index(measured, speech, strength)
    }

    private static func index(
        _ measured: [BandMeasurement], _ speech: SpeechConditions?, _ given: OctaveBands?
    ) -> Double? {
        guard SpeechTransmission.bands.upperBound < measured.count else { return nil }
        let own = measured.compactMap { $0.band.strength.map(Float.init) }
        let strength = given ?? (own.count == measured.count ? OctaveBands(own) : nil)
        if speech?.place == .atOneMetre, strength == nil { return nil }
        let shares = speech?.shares(strength: strength ?? .zeros)
        return SpeechTransmission.index { band, frequency in
            measured[band].decay.modulation(frequency) * (shares?[band] ?? 1)
        }
    }
}

/// Where a response begins.
package enum ResponseOnset {
    /// The first frame within 20 dB of the peak (ISO 3382-1, 5.3.2); nil for silence.
    package static func frame(_ channels: [[Double]]) -> Int? {
        let peak = channels.reduce(0) { $1.reduce($0) { max($0, abs($1)) } }
        guard peak > 0 else { return nil }
        return channels.compactMap { $0.firstIndex { abs($0) >= 0.1 * peak } }.min()
    }
}
