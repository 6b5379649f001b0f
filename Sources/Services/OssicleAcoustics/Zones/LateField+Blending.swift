import OssicleCore

extension LateField {
    /// One field in place of several, each with its share.
    ///
    /// Energies move evenly in decibels, so that no step along the path is much louder than another: with ε = 1/128 of
    /// the mean energy Σ wE,
    ///
    ///     E = exp(Σ w ln(E + ε)) − ε
    ///
    /// which is close to the geometric mean for energies within 20 dB, and goes to 0 as silence takes over. Added up by
    /// their shares they would rise by most of their difference in the first centimetres. Times are blended by their
    /// logarithms, directions by their shares; in both, w counts by E/(E + ε): what is silent says nothing about how
    /// sound decays.
    ///
    /// At 1.5 m/s across a border of ±1 m, level and T60 move by less than 1.5 dB in 50 ms, as far as they are within
    /// 15 dB of the louder field.
    ///
    /// - Parameter parts: shares are not negative and have a sum above 0; parts without a share have no say. An empty
    ///   list gives `none`. Values that are no numbers, or out of the range of their field, are moved to the nearest
    ///   end of it.
    package static func blend(_ parts: [(field: LateField, share: Double)]) -> LateField {
        let parts = parts.filter { $0.share > 0 }
        guard let first = parts.first else { return .none }
        if parts.count == 1 { return first.field.usable }
        let fields = parts.map(\.field.usable)
        let whole = parts.reduce(0) { $0 + $1.share }
        let shares = parts.map { $0.share / whole }

        var result = fields[0]
        for band in 0..<OctaveBands.count {
            let mean = BlendedEnergy(fields.map { Double($0.energy[band]) }, shares)
            result.energy[band] = Float(mean.energy)
            result.t60[band] = Float(mean.logarithmic(fields.map { Double($0.t60[band]) }))
        }
        let mean = BlendedEnergy(fields.map { Double($0.energy.lanes.sum()) }, shares)
        result.mixingTime = mean.logarithmic(fields.map(\.mixingTime))
        result.meanFreeTime = mean.logarithmic(fields.map(\.meanFreeTime))
        result.octants = zip(fields, mean.says).reduce(.zero) { $0 + $1.0.octants * Float($1.1) }
        result.escapedShare = zip(fields, shares).reduce(0) { $0 + $1.0.escapedShare * $1.1 }
        return result.usable
    }

    /// With every value in its range.
    private var usable: LateField {
        var field = self
        field.t60 = t60.map { $0 > 0.05 ? min($0, 60) : 0.05 }
        field.energy = energy.map { $0 > 0 ? min($0, 1e6) : 0 }
        field.mixingTime = LateField.usable(mixingTime, 1e-4...10)
        field.meanFreeTime = LateField.usable(meanFreeTime, 1e-4...10)
        field.escapedShare = LateField.usable(escapedShare, 0...1)
        let whole = octants.sum()
        let isSplit = whole > 0 && whole.isFinite && octants.min() >= 0
        field.octants = isSplit ? octants / whole : SIMD8(repeating: 0.125)
        return field
    }

    private static func usable(_ value: Double, _ range: ClosedRange<Double>) -> Double {
        value > range.lowerBound ? min(value, range.upperBound) : range.lowerBound
    }
}

/// The energy of a blend, and how much say each part of it has in everything else.
private struct BlendedEnergy {
    let energy: Double
    /// Adds up to 1.
    let says: [Double]

    init(_ energies: [Double], _ shares: [Double]) {
        let floor = zip(energies, shares).reduce(0) { $0 + $1.0 * $1.1 } / 128
        guard floor > 0 else {
            (energy, says) = (0, shares)
            return
        }
        let exponent = zip(energies, shares).reduce(0) { $0 + DeterministicMath.log($1.0 + floor) * $1.1 }
        energy = max(DeterministicMath.exp(exponent) - floor, 0)
        let audible = zip(energies, shares).map { $0 / ($0 + floor) * $1 }
        let whole = audible.reduce(0, +)
        says = audible.map { $0 / whole }
    }

    func logarithmic(_ values: [Double]) -> Double {
        DeterministicMath.exp(zip(values, says).reduce(0) { $0 + DeterministicMath.log($1.0) * $1.1 })
    }
}
