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
    /// Speech transmission index, 0…1.
    package var speechTransmission: Double

    /// - Parameter signalToNoise: dB by which speech is above the noise, per band; nil where all is quiet.
    package init(_ response: SquaredResponse, signalToNoise: OctaveBands? = nil) {
        let bands = (0..<OctaveBands.count).map { BandDecay(response, $0) }
        func each(_ value: (BandDecay) -> Double) -> OctaveBands { OctaveBands(bands.map { Float(value($0)) }) }
        t20 = each { $0.curve.time(from: -5, to: -25) ?? 0 }
        t30 = each { $0.curve.time(from: -5, to: -35) ?? 0 }
        edt = each { $0.curve.time(from: 0, to: -10) ?? 0 }
        c80 = each { $0.clarity(0.08) }
        c50 = each { $0.clarity(0.05) }
        d50 = each { $0.early(0.05) }
        centreTime = each(\.centreTime)
        strength = each { RoomMetrics.level($0.curve.energy) }
        for band in 0..<OctaveBands.count where strength[band] > -120 { strength[band] += 20 }
        speechTransmission = SpeechTransmission.index { band, frequency in
            let noise = signalToNoise.map { Decibels.energy(-Double($0[band])) } ?? 0
            return bands[band].modulation(frequency) / (1 + noise)
        }
    }

    fileprivate static func level(_ energy: Double) -> Double {
        energy > 1e-12 ? min(Decibels.of(energy: energy), 120) : -120
    }
}

/// One band of a squared response and its decay.
private struct BandDecay {
    let energies: [Double]
    let curve: DecayCurve
    /// Energy and mean delay of what follows the last bin, taken for exponential.
    let tail: Double
    let tailDelay: Double

    init(_ response: SquaredResponse, _ band: Int) {
        energies = response.bins.map { Double($0[band]) }
        curve = DecayCurve(energies: energies, binWidth: SquaredResponse.binWidth, continues: response.continues)
        tail = curve.remaining.last ?? 0
        tailDelay = (curve.time(from: -5, to: -25) ?? 0) / (6 * DeterministicMath.ln10)
    }

    private var length: Double { Double(energies.count) * SquaredResponse.binWidth }

    /// Share of the energy before a time.
    func early(_ time: Double) -> Double {
        curve.energy > 0 ? min(max(1 - curve.energy(after: time) / curve.energy, 0), 1) : 0
    }

    /// dB.
    func clarity(_ time: Double) -> Double {
        guard curve.energy > 0 else { return -120 }
        let late = curve.energy(after: time)
        guard late > 0, curve.energy > late else { return late > 0 ? -120 : 120 }
        return min(max(Decibels.of(energy: (curve.energy - late) / late), -120), 120)
    }

    var centreTime: Double {
        guard curve.energy > 0 else { return 0 }
        let moment = energies.indices.reduce(tail * (length + tailDelay)) {
            $0 + energies[$1] * (Double($1) + 0.5) * SquaredResponse.binWidth
        }
        return moment / curve.energy
    }

    /// |∫ h² e^(−2πiFt) dt| / ∫ h² dt (Schroeder 1981).
    func modulation(_ frequency: Double) -> Double {
        guard curve.energy > 0 else { return 0 }
        let turn = 2 * DeterministicMath.pi * frequency
        let step = DeterministicMath.sincos(turn * SquaredResponse.binWidth)
        // From the middle of the first bin, turned on by one bin at a time.
        var (s, c) = DeterministicMath.sincos(turn * SquaredResponse.binWidth / 2)
        var (x, y) = (0.0, 0.0)
        for energy in energies {
            (x, y) = (x + energy * c, y + energy * s)
            (s, c) = (s * step.cos + c * step.sin, c * step.cos - s * step.sin)
        }
        // ∫ of the tail from its start: tail / (1 + iωτ).
        let end = DeterministicMath.sincos(turn * length)
        let slow = turn * tailDelay
        let share = tail / (1 + slow * slow)
        x += share * (end.cos - slow * end.sin)
        y += share * (end.sin + slow * end.cos)
        return (x * x + y * y).squareRoot() / curve.energy
    }
}

/// The speech transmission index (IEC 60268-16:2011), for male speech, without masking by loud neighbours.
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
