import OssicleCore

/// What a locally reacting wall does to sound of long wavelengths: velocity into the wall over pressure at it, in units
/// of 1/ρc.
///
///     Y(s) = Σ 1/(r + m s + k/s)        s = jω + σ
///
/// Each branch is a resistance, a mass and a stiffness in series, none of them negative, so that the wall is passive in
/// the frequency domain and in the time domain alike. No branch is a rigid wall.
package struct WallAdmittance: Sendable, Hashable {
    package struct Branch: Sendable, Hashable {
        /// Re ρc; more than 0.
        package let resistance: Double
        /// Mass per area over ρc, in seconds, and stiffness per area over ρc, in 1/s; not negative.
        package let mass, stiffness: Double

        package init(resistance: Double, mass: Double = 0, stiffness: Double = 0) {
            self.resistance = max(resistance.isFinite ? resistance : 1e9, 1e-3)
            self.mass = max(mass.isFinite ? mass : 0, 0)
            self.stiffness = max(stiffness.isFinite ? stiffness : 0, 0)
        }
    }

    package let branches: [Branch]

    package init(_ branches: [Branch]) { self.branches = branches }

    package static let rigid = WallAdmittance([])
    /// What a plane wave straight at it passes through, as an opening.
    package static let open = WallAdmittance([Branch(resistance: 1)])

    package func value(_ s: Complex) -> Complex {
        branches.reduce(.zero) { sum, branch in
            let impedance = Complex(branch.resistance) + s * branch.mass + Complex(branch.stiffness) / s
            return sum + .one / impedance
        }
    }

    /// With another area than it is drawn with.
    func scaled(by area: Double) -> WallAdmittance {
        WallAdmittance(
            branches.map {
                Branch(resistance: $0.resistance / area, mass: $0.mass / area, stiffness: $0.stiffness / area)
            })
    }
}

extension WallAdmittance {
    /// A wall that absorbs from everywhere what a material's coefficients say.
    ///
    /// Below 500 Hz a resistance and five resonators, an octave wide each and an octave apart, none negative, whose
    /// conductance is nearest to the one that belongs to each octave's coefficient; a coefficient that is alike in all
    /// of them is a resistance alone. Measured coefficients say nothing about the reactance: it is what the resonators
    /// have.
    package init(absorption: OctaveBands) {
        let wanted = (0..<Self.octaves).map { Self.conductance(absorption: Double(absorption[$0])) }
        guard wanted.contains(where: { abs($0 - wanted[0]) > 1e-4 * wanted[0] }) else {
            self.init(wanted[0] > 0 ? [Branch(resistance: 1 / wanted[0])] : [])
            return
        }
        let parts = Self.fitted(wanted)
        var branches = parts[0] > 1e-7 ? [Branch(resistance: 1 / parts[0])] : []
        for octave in 0..<Self.octaves where parts[1 + octave] > 1e-7 {
            let (resistance, turns) = (1 / parts[1 + octave], 2 * DeterministicMath.pi * OctaveBands.centre(octave))
            branches.append(
                Branch(resistance: resistance, mass: resistance / turns, stiffness: resistance * turns))
        }
        self.init(branches)
    }

    /// From 31.5 to 500 Hz.
    private static let octaves = 5

    /// Least squares of the relative errors without negative parts: the resistance's, then each resonator's.
    private static func fitted(_ wanted: [Double]) -> [Double] {
        let shapes = (0...octaves).map { part in
            (0..<octaves).map { octave in
                guard part > 0 else { return 1.0 }
                let ratio = OctaveBands.centre(octave) / OctaveBands.centre(part - 1)
                let detuning = ratio - 1 / ratio
                return 1 / (1 + detuning * detuning)
            }
        }
        let weights = wanted.map { 1 / max($0, 1e-4) }
        var parts = [Double](repeating: 0, count: octaves + 1)
        var errors = (0..<octaves).map { wanted[$0] * weights[$0] }
        for _ in 0..<2000 {
            for part in parts.indices {
                let shape = (0..<octaves).map { shapes[part][$0] * weights[$0] }
                let (along, square) = zip(shape, errors).reduce((0.0, 0.0)) {
                    ($0.0 + $1.0 * $1.1, $0.1 + $1.0 * $1.0)
                }
                let next = max(parts[part] + along / square, 0)
                for octave in 0..<octaves { errors[octave] -= shape[octave] * (next - parts[part]) }
                parts[part] = next
            }
        }
        return parts
    }

    /// The real admittance that absorbs a share of a diffuse field: with ζ = 1/β
    ///
    ///     α = 8/ζ (1 − 2/ζ ln(1 + ζ) + 1/(1 + ζ))
    ///
    /// (Paris, JASA 1, 1930). More than 0.951 no such wall absorbs; larger shares count as this.
    static func conductance(absorption: Double) -> Double {
        guard absorption > 0 else { return 0 }
        var (low, high) = (DeterministicMath.log(1.567), DeterministicMath.log(1e7))
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if diffuseAbsorption(impedance: DeterministicMath.exp(middle)) > absorption {
                low = middle
            } else {
                high = middle
            }
        }
        return DeterministicMath.exp(-(low + high) / 2)
    }

    static func diffuseAbsorption(impedance: Double) -> Double {
        // Large impedances cancel.
        guard impedance < 1e5 else { return 8 / impedance }
        let logarithm = DeterministicMath.log(1 + impedance)
        return 8 / impedance * (1 - 2 / impedance * logarithm + 1 / (1 + impedance))
    }
}
