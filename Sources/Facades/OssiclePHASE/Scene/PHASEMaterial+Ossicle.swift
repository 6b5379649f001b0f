import OssicleAcoustics
import OssicleCore

extension PHASEMaterial {
    /// A material of your own (an addition of Ossicle).
    ///
    /// Each list has ten values, for the octave bands 31.5 Hz … 16 kHz. Too few are continued with the last one (none
    /// at all: zeros), values out of range are moved to the nearest end, and either is recorded as the engine's error.
    /// - Parameters:
    ///   - engine: whose shapes have it.
    ///   - absorption: share of the energy that does not come back, 0…1; what passes through is part of it.
    ///   - transmissionLoss: dB lost on the way through, 0…200.
    ///   - scattering: share of the reflected energy that leaves diffusely, 0…1.
    ///   - isLocallyReacting: whether specular reflections depend on the angle of incidence, as of a porous layer:
    ///     least is absorbed at grazing incidence, and `absorption` in a diffuse field. Without it that holds at every
    ///     angle.
    public convenience init(
        engine: PHASEEngine, absorption: [Double], transmissionLoss: [Double], scattering: [Double],
        isLocallyReacting: Bool = false
    ) {
        let bands = MaterialBands(engine: engine)
        self.init(
            AcousticMaterial(
                name: "custom",
                absorption: bands.checked(absorption, "absorption", limit: 1),
                scattering: bands.checked(scattering, "scattering", limit: 1),
                transmissionLoss: bands.checked(transmissionLoss, "transmissionLoss", limit: 200),
                isLocallyReacting: isLocallyReacting))
    }
}

/// Makes ten usable values of whatever a client gave, and says so where it had to.
private struct MaterialBands {
    let engine: PHASEEngine

    func checked(_ values: [Double], _ name: String, limit: Double) -> OctaveBands {
        if values.count != OctaveBands.count {
            record(
                name, "has \(values.count) values",
                rule: "A material has one value for each of \(OctaveBands.count) octave bands, 31.5 Hz … 16 kHz.")
        }
        if let odd = values.first(where: { !($0 >= 0 && $0 <= limit) }) {
            record(name, "contains \(odd)", rule: "Values are from 0 to \(Int(limit)).")
        }
        return OctaveBands(values.map { Float($0.isNaN ? 0 : min(max($0, 0), limit)) })
    }

    private func record(_ name: String, _ finding: String, rule: String) {
        engine.record(
            PHASEAssetError(
                .badParameters, object: "PHASEMaterial", value: "\(name) \(finding)", rule: rule,
                cure: "The list was completed or clamped; pass ten values in range."))
    }
}

extension PHASEMedium {
    /// Air of your own (an addition of Ossicle). Sound travels in it at 343.2 √((273.15 + temperature)/293.15) m/s, and
    /// what it takes from the direct sound follows ISO 9613-1 in the ten octave bands.
    ///
    /// Values out of range are moved to the nearest end, and recorded as the engine's error.
    /// - Parameters:
    ///   - engine: whose `defaultMedium` it may become.
    ///   - temperature: °C, −80…80.
    ///   - humidity: relative, in %, 0…100.
    ///   - pressure: kPa, 10…200.
    ///   - absorbs: whether air absorbs direct sound; at 20 °C and 50 % that is 0.5 dB at 1 kHz and
    ///     10.5 dB at 8 kHz in 100 m.
    ///   - delays: whether sound has a finite speed. Without it, direct sound arrives as it leaves, at any distance and
    ///     without a Doppler shift, and reflections as much later as their path is longer.
    public convenience init(
        engine: PHASEEngine, temperature: Double, humidity: Double = 50, pressure: Double = 101.325,
        absorbs: Bool = true,
        delays: Bool = true
    ) {
        let medium = Medium(temperature: temperature, humidity: humidity, pressure: pressure)
        for (name, given, taken, range) in [
            ("temperature", temperature, medium.temperature, "−80…80 °C"),
            ("humidity", humidity, medium.humidity, "0…100 %"),
            ("pressure", pressure, medium.pressure, "10…200 kPa"),
        ] where given != taken {
            engine.record(
                PHASEError(
                    .invalidObject,
                    "The \(name) \(given) of a medium is outside \(range); \(taken) was taken instead. Pass a value in range."
                ))
        }
        self.init(medium, absorbs: absorbs, delays: delays)
    }
}

extension PHASEMedium: OssicleAdditions {}

extension OssicleAdditions where Self: PHASEMedium {
    /// °C (an addition of Ossicle).
    public var temperature: Double { medium.temperature }
    /// Relative, in % (an addition of Ossicle).
    public var humidity: Double { medium.humidity }
    /// kPa (an addition of Ossicle).
    public var pressure: Double { medium.pressure }
    /// m/s (an addition of Ossicle).
    public var speedOfSound: Double { medium.speedOfSound }
    /// Whether air absorbs direct sound (an addition of Ossicle). False for the preset `.air`.
    public var absorbs: Bool { isAbsorbing }
    /// Whether sound has a finite speed (an addition of Ossicle). True for the preset `.air`.
    public var delays: Bool { isDelaying }
}
