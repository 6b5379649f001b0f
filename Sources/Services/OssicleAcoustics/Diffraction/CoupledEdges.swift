import COssicle
import OssicleCore

/// UTD by two edges of different prisms, one after the other: where the second lies on a boundary of shadow or
/// reflection of the first, and the receiver on one of the second, the product of both is not the field.
///
/// By two half-planes at the distances l₁, l₂, l₃ of each other, sound goes as a bivariate Fresnel integral
/// (Furutsu 1963, Vogler 1982) with the correlation
///
///     ρ = √(l₁l₃ / ((l₁ + l₂)(l₂ + l₃)))
///
/// below 0 where they stand on opposite sides of the path. Its series in ρ has the repeated integrals of the error
/// function as factors. The first of them, re its value at 0,
///
///     η(u) = 1/2F(u) − (π/√2) e^(jπ/4) u,    F(u) = (1 + j)/2 (g(u) − j f(u)),
///
/// for both edges takes the place of the others, and the sum is that at u = 0, where it is closed:
///
///     X = X₀(ρ η(u₁) η(u₂)),    X₀(r) = (1 + 2/π asin r)/√(1 − r²)
///
/// times the product √(1 − ρ²) D₁D₂: exact at both boundaries, right in the first order of ρ away from them. Terms of
/// `UTD` that are not the nearest boundary of their kind have X = 1.
///
/// Amplitudes are computed at eight frequencies from the lowest tone to the highest, some octave apart, in single
/// precision, and are straight lines between these; phases are those of each tone.
struct CoupledEdges {
    /// √k of these frequencies.
    private let roots: [Float]
    /// How the tones of each band lie between them: the first of three, and the shares of the second at each tone and
    /// of the third.
    private let firsts: [Int32]
    private let shares: [Float]

    /// - Parameters: count: of bands. - root: √k of the lowest one's lowest tone.
    init(count: Int, _ root: Double) {
        let step = max((Double(count) - 0.25) / 7, 0.75)
        let ratio = DeterministicMath.exp(step * DeterministicMath.ln2 / 2)
        var next = root
        roots = (0..<8).map { _ in
            defer { next *= ratio }
            return Float(next)
        }
        var (firsts, shares): ([Int32], [Float]) = ([], [])
        shares.reserveCapacity(8 * count)
        for band in 0..<count {
            let places = (SIMD4(0, 0.25, 0.5, 0.75) + Float(band)) / Float(step)
            let first = min(Int(places.x), 5)
            let offset = places - Float(first)
            let third = (offset - 1).clamped(lowerBound: .zero, upperBound: .one)
            let second = 1 - (1 - offset).clamped(lowerBound: .zero, upperBound: .one) - third
            firsts.append(Int32(first))
            for tone in 0..<4 { shares.append(second[tone]) }
            for tone in 0..<4 { shares.append(third[tone]) }
        }
        (self.firsts, self.shares) = (firsts, shares)
    }

    /// Finds D at these frequencies.
    func find(_ terms: ossicle_edge_terms, _ edge: inout ossicle_edge) {
        withUnsafePointer(to: terms) { ossicle_find_edge($0, roots, &edge) }
    }

    /// Adds D₁D₂X of a path by two edges.
    /// - Parameters:
    ///   - correlation: ρ, of prisms on the same side of the path.
    ///   - factor: of the wave.
    ///   - turn: its phases in the lowest band.
    ///   - fields: of all bands.
    func add(
        _ one: inout ossicle_edge, _ two: inout ossicle_edge, correlation: Double, _ factor: Phasor, _ turn: ToneTurn,
        to fields: inout [Tones]
    ) {
        turn.withValues { turn in
            fields.withValues { fields in
                ossicle_add_edges(
                    &one, &two, Float(correlation), Float(factor.real), Float(factor.imaginary), turn, firsts, shares,
                    fields, firsts.count)
            }
        }
    }
}
