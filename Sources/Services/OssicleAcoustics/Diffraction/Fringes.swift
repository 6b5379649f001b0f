import OssicleCore

/// What the edges around a way do to it together, with D as `Fringe` has it and w how much of it counts.
struct Fringes {
    typealias Weighted = (fringe: Fringe, weight: Double)

    /// Of edges that the way passes.
    var passed: [Weighted] = []
    /// Of edges whose face would part it if it went on: edges that end beside the way, and those on the far side of what is passed.
    var parting: [Weighted] = []

    /// |Π (1 + w D)| of what is passed: to first order |1 + Σ w D|, and as a product the same before and after one of several edges comes between.
    func passing(_ waves: WaveNumbers) -> OctaveBands {
        guard !passed.isEmpty else { return .ones }
        return waves.bands { product($0, $1).magnitude }
    }

    /// |Π (1 + w D) + Σ w D|, with the sum over what is parting: behind an edge these are ways of their own.
    func all(_ waves: WaveNumbers) -> OctaveBands {
        guard !parting.isEmpty else { return passing(waves) }
        return waves.bands { wavelength, number in
            parting.reduce(product(wavelength, number)) { $0 + $1.fringe.amplitude(wavelength, number) * $1.weight }.magnitude
        }
    }

    @inline(__always) private func product(_ wavelength: Double, _ number: Double) -> Phasor {
        passed.reduce(.one) { $0 * (Phasor.one + $1.fringe.amplitude(wavelength, number) * $1.weight) }
    }
}
