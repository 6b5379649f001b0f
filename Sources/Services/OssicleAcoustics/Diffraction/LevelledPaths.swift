import OssicleCore

/// What paths around something should have together in a band.
struct PathLevel {
    /// Energy re the open field, of all together.
    let energy: Double
    /// Of it, the amplitude of what arrives straight.
    var straight = 0.0
    /// How much the paths follow it, 0…1.
    let strength: Double
    /// How far their amplitudes may be moved, both ways. Nil: as far as their energies, each by itself, are four times
    /// that of all.
    var most: Double? = 8

    /// What the paths' amplitudes are multiplied by, so that all have the energy: the root above 0 of P γ² + 2 C γ =
    /// E − S², with P the paths' energy and C what of it interferes with the straight S.
    /// - Parameter parts: of the paths.
    fileprivate func factor(_ parts: [DelayedPhasor], _ wavelength: Double, _ number: Double) -> Double {
        let own = DelayedPhasor.energy(parts, wavelength, number)
        var factor = (energy / own).squareRoot()
        if straight > 0 {
            let first = DelayedPhasor(Phasor(real: straight, imaginary: 0), detour: 0)
            let square = straight * straight
            let cross = (DelayedPhasor.energy(parts + [first], wavelength, number) - square - own) / 2
            factor = (max(cross * cross + own * (energy - square), 0).squareRoot() - cross) / own
        }
        if let most {
            factor = min(max(factor, 1 / most), most)
        } else {
            let apart = parts.reduce(1e-12) { $0 + $1.amplitude.energy }
            factor = min(factor, 2 * (energy / apart).squareRoot())
        }
        return 1 + strength * (factor - 1)
    }
}

extension Array where Element == SoundPath {
    /// Some of the paths louder or softer together, so that they have the energy of a field.
    /// - Parameters: own: their indices. - distance: from source to listener, metres.
    func levelled(
        _ own: [Int], over distance: Double, _ waves: WaveNumbers,
        _ level: (_ band: Int, _ wavelength: Double, _ number: Double) -> PathLevel
    ) -> [SoundPath] {
        guard !own.isEmpty else { return self }
        var paths = self
        var band = 0
        let gains = waves.bands { wavelength, number in
            defer { band += 1 }
            let level = level(band, wavelength, number)
            guard level.strength > 0 else { return 1 }
            let parts = own.map { index in
                let path = paths[index]
                return DelayedPhasor(
                    Phasor(real: Double(path.bandGains[band]) * distance / path.length, imaginary: 0),
                    detour: path.length - distance)
            }
            return level.factor(parts, wavelength, number)
        }
        for index in own { paths[index] = paths[index].coloured(gains) }
        return paths
    }
}
