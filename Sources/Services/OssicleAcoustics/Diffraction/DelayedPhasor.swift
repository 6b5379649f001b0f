import OssicleCore

/// An amplitude re the open field that arrives a detour later, its delay left out.
struct DelayedPhasor {
    let amplitude: Phasor
    /// Metres.
    let detour: Double

    init(_ amplitude: Phasor, detour: Double) { (self.amplitude, self.detour) = (amplitude, detour) }

    /// The mean energy of all over a band.
    static func energy(_ parts: [DelayedPhasor], _ wavelength: Double, _ number: Double) -> Double {
        var sum = 0.0
        for (index, part) in parts.enumerated() {
            sum += part.amplitude.energy
            for other in parts[..<index] {
                let apart = other.detour - part.detour
                let left = OctaveBlur.left(ofRings: 2 * apart.magnitude / wavelength)
                guard left > 0 else { continue }
                let delayed = other.amplitude.delayed(by: number * apart)
                sum +=
                    2 * left
                    * (delayed.real * part.amplitude.real + delayed.imaginary * part.amplitude.imaginary)
            }
        }
        return max(sum, 1e-8)
    }
}
