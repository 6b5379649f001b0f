import OssicleAcoustics
import OssicleCore

extension PHASEMaterial {
    /// A material of your own (an addition to Apple's API).
    ///
    /// Each list has ten values, for the octave bands 31.5 Hz … 16 kHz. Too few are continued with the last one (none at
    /// all: zeros), values out of range are moved to the nearest end, and either is recorded as the engine's error.
    /// - Parameters:
    ///   - absorption: share of the energy that does not come back, 0…1; what passes through is part of it.
    ///   - transmissionLoss: dB lost on the way through, 0…200.
    ///   - scattering: share of the reflected energy that leaves diffusely, 0…1.
    public convenience init(engine: PHASEEngine, absorption: [Double], transmissionLoss: [Double], scattering: [Double]) {
        let bands = MaterialBands(engine: engine)
        self.init(AcousticMaterial(name: "custom",
                                   absorption: bands.checked(absorption, "absorption", limit: 1),
                                   scattering: bands.checked(scattering, "scattering", limit: 1),
                                   transmissionLoss: bands.checked(transmissionLoss, "transmissionLoss", limit: 200)))
    }
}

/// Makes ten usable values of whatever a client gave, and says so where it had to.
private struct MaterialBands {
    let engine: PHASEEngine

    func checked(_ values: [Double], _ name: String, limit: Double) -> OctaveBands {
        if values.count != OctaveBands.count {
            record(name, "has \(values.count) values", rule: "A material has one value for each of \(OctaveBands.count) octave bands, 31.5 Hz … 16 kHz.")
        }
        if let odd = values.first(where: { !($0 >= 0 && $0 <= limit) }) {
            record(name, "contains \(odd)", rule: "Values are from 0 to \(Int(limit)).")
        }
        return OctaveBands(values.map { Float($0.isNaN ? 0 : min(max($0, 0), limit)) })
    }

    private func record(_ name: String, _ finding: String, rule: String) {
        engine.record(PHASEAssetError(
            .badParameters, object: "PHASEMaterial", value: "\(name) \(finding)", rule: rule,
            cure: "The list was completed or clamped; pass ten values in range."))
    }
}
