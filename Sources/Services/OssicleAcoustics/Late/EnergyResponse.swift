import OssicleCore

/// Energy that arrives at a listener over time, per octave band and direction: the echogram of one source.
///
/// Energies are relative to that of the direct sound at 1 m. Time runs from emission in bins of equal width.
package struct EnergyResponse: Sendable, Hashable {
    /// Seconds.
    package let binWidth: Double
    /// Energy of each bin, directions together.
    package var bins: [OctaveBands]
    /// Energy of each bin by octant, all bands together; octants as in `LateField`. As many as `bins`.
    package var octants: [SIMD8<Float>]
    /// Bins at the front that are complete: rays whose bounces ran out are missing from later ones.
    package var completeBins: Int

    package init(binWidth: Double, binCount: Int) {
        self.binWidth = binWidth
        completeBins = max(binCount, 0)
        bins = Array(repeating: .zeros, count: completeBins)
        octants = Array(repeating: .zero, count: completeBins)
    }

    /// Moves towards a response found with other rays, which counts for `weight` of the whole, 0…1. One of another form takes its place.
    package mutating func approach(_ other: EnergyResponse, weight: Float) {
        guard weight < 1, binWidth == other.binWidth, bins.count == other.bins.count, octants.count == other.octants.count else { return self = other }
        for bin in bins.indices {
            bins[bin] = bins[bin] * (1 - weight) + other.bins[bin] * weight
            octants[bin] = octants[bin] * (1 - weight) + other.octants[bin] * weight
        }
        completeBins = min(completeBins, other.completeBins)
    }
}
