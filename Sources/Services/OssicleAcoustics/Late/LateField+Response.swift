import OssicleCore

extension LateField {
    /// The late part of a response as rays found it.
    ///
    /// T60 per band is T20 of the decay curve, from −5 to −25 dB. A band too quiet to tell takes that of the next band that can. The
    /// energy behind the last complete bin is the fitted exponential's remainder. Where more than 60 % of the rays' energy left for
    /// good, nothing is added and no decay lasts beyond 1.5 s: a few echoes are no room.
    package init(_ response: EnergyResponse, survey: RaySurvey, speedOfSound: Double) {
        guard let path = survey.meanFreePath, path.isFinite, speedOfSound > 0 else {
            self = .none
            return
        }
        let isOpen = survey.escapedShare > 0.6
        let mixing = min(max(LateField.mixingTime(meanFreePath: path), 0.012), 0.5)
        let curves = (0..<OctaveBands.count).map { band in
            DecayCurve(energies: response.energies(band), binWidth: response.binWidth, continues: !isOpen)
        }
        let longest = isOpen ? 1.5 : DecayCurve.times.upperBound
        let times = LateField.filled(curves.map { $0.time(from: -5, to: -25) }).map { Float(min($0, longest)) }
        var energy = OctaveBands.zeros
        for band in 0..<OctaveBands.count { energy[band] = Float(curves[band].energy(after: mixing)) }
        self.init(t60: OctaveBands(times), energy: energy, mixingTime: mixing, meanFreeTime: path / speedOfSound,
                  octants: response.octantShares(after: mixing), escapedShare: survey.escapedShare)
    }

    /// Seconds after which no reflection stands out for an average listener: 20 V/S + 12 in ms (Lindau et al. 2012), V/S a quarter of the mean free path
    /// in metres.
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
