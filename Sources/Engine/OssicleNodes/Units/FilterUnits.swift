import OssicleCore
import OssicleDSP

/// Units that are bands of an equaliser.
package enum FilterUnits {
    /// Those of the catalogue, in the order a search finds them.
    static let all: [UnitDescription] = [
        bandEQ, graphicEQ, parametricEQ, lowPass, highPass, bandPass, lowShelf, highShelf,
    ]

    /// The filters a band can be, in the order of their numbers.
    static let filterTypes = [
        "Parametric", "Low Pass", "High Pass", "Resonant Low Pass", "Resonant High Pass", "Band Pass", "Band Stop",
        "Low Shelf", "High Shelf", "Resonant Low Shelf", "Resonant High Shelf",
    ]

    /// As many filters as wanted, one behind the other.
    package static let bandEQ = UnitDescription(
        "aufx", "nbeq", name: "AUNBandEQ", channels: .sameOutAsIn,
        parameters: [
            .init(0, "globalGain", "Global Gain", .decibels, from: -96, to: 24, default: 0),
            .init(1000, "bypass", "Bypass", .boolean, from: 0, to: 1, default: 1, kind: .stepping, place: .band),
            .init(
                2000, "filterType", "Filter Type", .indexed, from: 0, to: 10, default: 0, kind: .stepping, place: .band,
                valueStrings: filterTypes),
            .init(3000, "frequency", "Frequency", .hertz, from: 20, to: .halfSampleRate, default: 1000, place: .band),
            .init(4000, "gain", "Gain", .decibels, from: -96, to: 24, default: 0, place: .band),
            .init(5000, "bandwidth", "Bandwidth", .octaves, from: 0.05, to: 5, default: 0.5, place: .band),
        ],
        driver: { values in
            EqualizerDriver(gain: { values[0] }, count: values.bandCount) { band in
                let index = UInt32(band)
                return EqualizerBand(
                    kind: FilterKind(rawValue: Int(values[2000 + index].rounded())) ?? .parametric,
                    frequency: values[3000 + index], bandwidth: values[5000 + index], gain: values[4000 + index],
                    bypass: values.isOn(1000 + index))
            }
        })

    /// Bells at 10 or 31 fixed frequencies after ISO 266: octaves from 31.5 Hz, or thirds from 20 Hz.
    package static let graphicEQ = UnitDescription(
        "aufx", "greq", name: "AUGraphicEQ", channels: .sameOutAsIn,
        parameters: (0..<31).map { band in
            UnitParameter(
                UInt32(band), "gain\(band)", "Gain \(band + 1)", .decibels, from: -20, to: 20, default: 0)
        } + [
            .init(
                10_000, "numberOfBands", "Number of Bands", .indexed, from: 0, to: 1, default: 1, kind: .stepping,
                valueStrings: ["10", "31"])
        ],
        driver: { values in
            EqualizerDriver(count: 31) { band in
                let areThirds = values.isOn(10_000)
                let exponent = areThirds ? Double(band - 17) / 10 : Double(band - 5) * 0.3
                return EqualizerBand(
                    frequency: Float(1000 * DeterministicMath.exp2(exponent * 3.321928094887362)),
                    bandwidth: areThirds ? 1.0 / 3 : 1, gain: values[UInt32(band)], bypass: !areThirds && band >= 10)
            }
        })

    /// Attenuates above a frequency.
    package static let lowPass = filter(
        "lpas", "AULowpass",
        [
            .init(0, "cutoffFrequency", "Cutoff Frequency", .hertz, from: 10, to: .halfSampleRate, default: 6900),
            .init(1, "resonance", "Resonance", .decibels, from: -20, to: 40, default: 0),
        ]
    ) { EqualizerBand(kind: .resonantLowPass, frequency: $0[0], bandwidth: resonance($0[1]), gain: 0, bypass: false) }

    /// Attenuates below a frequency.
    package static let highPass = filter(
        "hpas", "AUHipass",
        [
            .init(0, "cutoffFrequency", "Cutoff Frequency", .hertz, from: 10, to: .halfSampleRate, default: 6900),
            .init(1, "resonance", "Resonance", .decibels, from: -20, to: 40, default: 0),
        ]
    ) { EqualizerBand(kind: .resonantHighPass, frequency: $0[0], bandwidth: resonance($0[1]), gain: 0, bypass: false) }

    /// Passes the surroundings of a frequency.
    package static let bandPass = filter(
        "bpas", "AUBandpass",
        [
            .init(0, "centerFrequency", "Center Frequency", .hertz, from: 20, to: .halfSampleRate, default: 5000),
            .init(1, "bandwidth", "Bandwidth", .cents, from: 100, to: 12_000, default: 600),
        ]
    ) { EqualizerBand(kind: .bandPass, frequency: $0[0], bandwidth: $0[1] / 1200, gain: 0, bypass: false) }

    /// Raises or lowers the bass.
    package static let lowShelf = filter(
        "lshf", "AULowShelfFilter",
        [
            .init(0, "cutoffFrequency", "Cutoff Frequency", .hertz, from: 10, to: 200, default: 80),
            .init(1, "gain", "Gain", .decibels, from: -40, to: 40, default: 0),
        ]
    ) { EqualizerBand(kind: .lowShelf, frequency: $0[0], bandwidth: 1, gain: $0[1], bypass: false) }

    /// Raises or lowers the treble.
    package static let highShelf = filter(
        "hshf", "AUHighShelfFilter",
        [
            .init(0, "cutoffFrequency", "Cutoff Frequency", .hertz, from: 10_000, to: .halfSampleRate, default: 10_000),
            .init(1, "gain", "Gain", .decibels, from: -40, to: 40, default: 0),
        ]
    ) { EqualizerBand(kind: .highShelf, frequency: $0[0], bandwidth: 1, gain: $0[1], bypass: false) }

    /// Raises or lowers the surroundings of a frequency.
    package static let parametricEQ = filter(
        "pmeq", "AUParametricEQ",
        [
            .init(0, "centerFrequency", "Center Frequency", .hertz, from: 20, to: .halfSampleRate, default: 2000),
            .init(1, "q", "Q", .generic, from: 0.1, to: 20, default: 1),
            .init(2, "gain", "Gain", .decibels, from: -20, to: 20, default: 0),
        ]
    ) {
        EqualizerBand(
            kind: .parametric, frequency: $0[0], bandwidth: EqualizerBand.bandwidth(q: Double($0[1])), gain: $0[2],
            bypass: false)
    }

    private static func filter(
        _ subtype: String, _ name: String, _ parameters: [UnitParameter],
        band: @escaping (UnitValues) -> EqualizerBand
    ) -> UnitDescription {
        UnitDescription(
            "aufx", subtype, name: name, channels: .sameOutAsIn, parameters: parameters,
            driver: { values in EqualizerDriver(count: 1) { _ in band(values) } })
    }

    /// The bandwidth in octaves at which a pass has this gain in dB at its cutoff: there its gain is its Q.
    private static func resonance(_ decibels: Float) -> Float {
        EqualizerBand.bandwidth(q: Decibels.amplitude(Double(decibels)))
    }
}
