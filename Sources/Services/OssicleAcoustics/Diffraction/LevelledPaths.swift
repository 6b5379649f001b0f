import OssicleCore

/// What paths around something should have together in a band.
struct PathLevel {
    /// Energy re the open field.
    let energy: Double
    /// How much the paths follow it, 0…1.
    let strength: Double
    /// How far their amplitudes may be moved, both ways. Nil: as far as their energies, each by itself, are four times
    /// that of all.
    var most: Double? = 8

    /// What the paths' amplitudes are multiplied by.
    /// - Parameter parts: of the paths.
    fileprivate func factor(_ parts: [DelayedPhasor], _ wavelength: Double, _ number: Double) -> Double {
        var factor = (energy / DelayedPhasor.energy(parts, wavelength, number)).squareRoot()
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
            return level.factor(own.map { paths[$0].part(band, over: distance) }, wavelength, number)
        }
        for index in own { paths[index] = paths[index].coloured(gains) }
        return paths
    }

    /// What passes from one wave that arrives straight to these paths, as `DiffractionSolver.Around` has it. Both parts
    /// are scaled alike, so that their energy passes from the one's to the others', whatever their phases are.
    /// - Parameters:
    ///   - field: amplitude factors of the wave. - whole: how much of the sound it is.
    ///   - distance: from source to listener, metres. - strengths: how much the parts are scaled, 0…1.
    func joining(
        _ field: OctaveBands, whole: OctaveBands, strengths: OctaveBands, over distance: Double, _ waves: WaveNumbers
    ) -> (straight: OctaveBands, paths: [SoundPath]) {
        var band = 0
        let scales = waves.bands { wavelength, number in
            defer { band += 1 }
            let share = Double(whole[band])
            guard strengths[band] > 0, share > 0, share < 1 else { return 1 }
            let parts = map { $0.part(band, over: distance) }
            let (wave, paths) = (Double(field[band]), DelayedPhasor.energy(parts, wavelength, number))
            let mixed = DelayedPhasor.energy(
                parts.map { DelayedPhasor($0.amplitude * (1 - share), detour: $0.detour) }
                    + [DelayedPhasor(Phasor(real: wave * share, imaginary: 0), detour: 0)], wavelength, number)
            let wanted = share * wave * wave + (1 - share) * paths
            return 1 + Double(strengths[band]) * (Swift.min((wanted / mixed).squareRoot(), Self.most) - 1)
        }
        let rest = whole.map { 1 - $0 } * scales
        return (field * whole * scales, map { $0.coloured(rest) })
    }

    /// What both are made louder by at most, where their phases are opposite.
    private static var most: Double { 8 }
}

extension SoundPath {
    /// Its amplitude in a band re the open field.
    fileprivate func part(_ band: Int, over distance: Double) -> DelayedPhasor {
        DelayedPhasor(
            Phasor(real: Double(bandGains[band]) * distance / length, imaginary: 0), detour: length - distance)
    }
}
