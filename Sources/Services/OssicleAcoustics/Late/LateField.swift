import OssicleCore

/// The late part of a response in a few numbers: what a reverberator has to be set to.
package struct LateField: Sendable, Hashable {
    /// Seconds per band, 0.05…60.
    package var t60: OctaveBands
    /// Energy of all that no early reflection carries, re the energy of the direct sound at 1 m: ∫ e(t) dt. What of it
    /// arrives before `mixingTime` is heard from then on, so that nothing is missing between the two parts.
    package var energy: OctaveBands
    /// Seconds from emission from which sound comes from everywhere and no single reflection stands out.
    package var mixingTime: Double
    /// Seconds between two surfaces: 4V/S over the speed of sound in a room.
    package var meanFreeTime: Double
    /// Share of the late energy from each octant around the listener, along the axes of the world, adding up to 1.
    /// Octant k lies at +x where k & 1, at +y (up) where k & 2, at +z where k & 4.
    package var octants: SIMD8<Float>
    /// Share of the energy of rays from the listener that left for good, 0…1: 1 in the open.
    package var escapedShare: Double

    package init(
        t60: OctaveBands, energy: OctaveBands, mixingTime: Double, meanFreeTime: Double,
        octants: SIMD8<Float> = SIMD8(repeating: 0.125),
        escapedShare: Double = 0
    ) {
        (self.t60, self.energy, self.mixingTime) = (t60, energy, mixingTime)
        (self.meanFreeTime, self.octants, self.escapedShare) = (meanFreeTime, octants, escapedShare)
    }

    /// In the open nothing comes back.
    package static let none = LateField(
        t60: OctaveBands(repeating: 0.05), energy: .zeros, mixingTime: 0.02, meanFreeTime: 0.015, escapedShare: 1)
}

extension LateField {
    /// The late part of a response as rays found it.
    ///
    /// T60 per band is T20 of the decay curve, from −5 to −25 dB. A band too quiet to tell takes that of the next band
    /// that can. The energy behind the last complete bin is the fitted exponential's remainder. Where more than 60 % of
    /// the rays' energy left for good, nothing is added and no decay lasts beyond 1.5 s: a few echoes are no room.
    /// - Parameter hasEarlyPart: whether direct sound and early reflections are in the response, so that only what
    ///   comes after the mixing time is the field's.
    package init(
        _ response: EnergyResponse, survey: RaySurvey, speedOfSound: Double, hasEarlyPart: Bool = false
    ) {
        guard let path = survey.meanFreePath, path.isFinite, speedOfSound > 0 else {
            self = .none
            return
        }
        let isOpen = survey.escapedShare > LateField.openShare
        let mixing = min(max(LateField.mixingTime(meanFreePath: path), 0.012), 0.5)
        let curves = (0..<OctaveBands.count).map { band in
            DecayCurve(energies: response.energies(band), binWidth: response.binWidth, continues: !isOpen)
        }
        let longest = isOpen ? 1.5 : DecayCurve.times.upperBound
        let times = LateField.filled(curves.map { $0.time(from: -5, to: -25) }).map { Float(min($0, longest)) }
        var energy = OctaveBands.zeros
        for band in 0..<OctaveBands.count {
            energy[band] = Float(curves[band].energy(after: hasEarlyPart ? mixing : 0))
        }
        self.init(
            t60: OctaveBands(times), energy: energy, mixingTime: mixing, meanFreeTime: path / speedOfSound,
            octants: response.octantShares(after: mixing), escapedShare: survey.escapedShare)
    }

    /// The part of one source in the field around a listener, as rays found it: its energy, with what follows the last
    /// complete bin decaying as the field does. Times and directions are the field's.
    package init(of response: EnergyResponse, in field: LateField) {
        self = field
        let bins = response.bins.prefix(max(response.completeBins, 0))
        guard !bins.isEmpty else {
            energy = .zeros
            return
        }
        var sum = bins.reduce(OctaveBands.zeros) { $0 + $1 }
        let start = bins.firstIndex { $0.lanes.max() > 0 } ?? bins.count
        let third = (bins.count - start) / 3
        if third > 0, field.escapedShare <= LateField.openShare {
            let last = bins.suffix(third).reduce(OctaveBands.zeros) { $0 + $1 }
            for band in 0..<OctaveBands.count {
                let rate = 6 * DeterministicMath.ln10 / Double(field.t60[band]) * response.binWidth
                sum[band] += Float(DecayCurve.remainder(Double(last[band]), rate: rate, bins: third))
            }
        }
        energy = sum
    }

    /// Share of the rays' energy that leaves for good from which on a place is in the open.
    private static let openShare = 0.6

    /// Seconds after which no reflection stands out for an average listener: 20 V/S + 12 in ms (Lindau et al. 2012),
    /// V/S a quarter of the mean free path in metres.
    static func mixingTime(meanFreePath: Double) -> Double { (5 * meanFreePath + 12) / 1000 }

    /// What no band can tell for itself, the nearest one tells that can, the lower one first.
    private static func filled(_ times: [Double?]) -> [Double] {
        times.indices.map { band in
            let known = times.indices.filter { times[$0] != nil }
            let nearest = known.min { abs($0 - band) < abs($1 - band) }
            return nearest.flatMap { times[$0] } ?? DecayCurve.times.lowerBound
        }
    }
}

extension DecayCurve {
    /// Energy from a time on.
    func energy(after time: Double) -> Double {
        let place = time / binWidth
        guard place < Double(remaining.count - 1) else { return remaining.last ?? 0 }
        let bin = Int(max(place, 0))
        return remaining[bin] + (remaining[bin + 1] - remaining[bin]) * (place - Double(bin))
    }
}

extension EnergyResponse {
    /// Complete bins of one band.
    func energies(_ band: Int) -> [Double] { bins.prefix(max(completeBins, 0)).map { Double($0[band]) } }

    /// Share of the energy from each octant after a time; all alike where there is none.
    func octantShares(after time: Double) -> SIMD8<Float> {
        let first = min(max(Int(min(time / binWidth, 1e9)), 0), octants.count)
        var sum = SIMD8<Double>.zero
        for octant in octants[first...] { sum += SIMD8<Double>(octant) }
        let total = (0..<8).reduce(0) { $0 + sum[$1] }
        return total > 0 && total.isFinite ? SIMD8<Float>(sum / total) : SIMD8(repeating: 0.125)
    }
}

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
    /// Energy of each bin times cos² θ and |cos θ|, θ between where it comes from and `RaySettings.ears`; empty without
    /// them.
    package var sides: [OctaveBands] = []
    package var products: [OctaveBands] = []
    /// Bins at the front that are complete: rays whose bounces ran out are missing from later ones.
    package var completeBins: Int

    package init(binWidth: Double, binCount: Int) {
        self.binWidth = binWidth
        completeBins = max(binCount, 0)
        bins = Array(repeating: .zeros, count: completeBins)
        octants = Array(repeating: .zero, count: completeBins)
    }

    /// Moves towards a response found with other rays, which counts for `weight` of the whole, 0…1. One of another form
    /// takes its place.
    package mutating func approach(_ other: EnergyResponse, weight: Float) {
        guard weight < 1, binWidth == other.binWidth, bins.count == other.bins.count,
            octants.count == other.octants.count, sides.count == other.sides.count,
            products.count == other.products.count
        else { return self = other }
        for bin in bins.indices {
            bins[bin] = bins[bin] * (1 - weight) + other.bins[bin] * weight
            octants[bin] = octants[bin] * (1 - weight) + other.octants[bin] * weight
        }
        for bin in sides.indices { sides[bin] = sides[bin] * (1 - weight) + other.sides[bin] * weight }
        for bin in products.indices { products[bin] = products[bin] * (1 - weight) + other.products[bin] * weight }
        completeBins = min(completeBins, other.completeBins)
    }
}
