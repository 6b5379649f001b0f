import OssicleCore

/// What of a squared response comes from the sides: the lateral quantities of ISO 3382-1, Annex A, per octave band.
struct LateralEnergies {
    let fraction, fractionCosine, lateStrength: OctaveBands

    /// Bins of 1 ms from the first sound on: direct sound ends at 5 ms, early energy at 80.
    private static let early = 5..<80

    init(_ response: SquaredResponse) {
        guard response.sides.count == response.bins.count, response.products.count == response.bins.count else {
            (fraction, fractionCosine, lateStrength) = (.zeros, .zeros, OctaveBands(repeating: -120))
            return
        }
        func sum(_ bins: [OctaveBands], _ range: Range<Int>, _ band: Int) -> Double {
            bins[range.clamped(to: 0..<bins.count)].reduce(0.0) { $0 + Double($1[band]) }
        }
        func share(_ bins: [OctaveBands]) -> OctaveBands {
            OctaveBands(
                (0..<OctaveBands.count).map { band in
                    let all = sum(response.bins, 0..<Self.early.upperBound, band)
                    return all > 0 ? Float(sum(bins, Self.early, band) / all) : 0
                })
        }
        (fraction, fractionCosine) = (share(response.sides), share(response.products))
        lateStrength = OctaveBands(
            (0..<OctaveBands.count).map { band in
                let sides = BandDecay(
                    energies: response.sides.map { Double($0[band]) }, binWidth: SquaredResponse.binWidth,
                    continues: response.continues)
                return Float(RoomMetrics.strength(sides.energy(after: 0.08)))
            })
    }
}
