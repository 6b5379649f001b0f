import OssicleCore

/// The coefficients of a `BandEqualizer` for one set of octave gains: a plain value, worked out anywhere, handed across
/// in a cell.
package struct BandEqualizerDesign: BitwiseCopyable, Sendable {
    /// Lane j is section j; lanes beyond the tenth pass their input.
    package var sections: StateVariableSection<OctaveGrid.Lanes>
    /// Set when every section is flat: the equaliser is this one factor (0 is silence, 1 a bit-exact copy).
    package var flatGain: Float
    package var isFlat: Bool
    /// What the air takes, ahead of the sections (`AirFilters`).
    package var air = AirFilters.clear

    package static var transparent: BandEqualizerDesign { BandEqualizerDesign(flatGain: 1) }
    package static var silent: BandEqualizerDesign { BandEqualizerDesign(flatGain: 0) }

    /// Lowest gain taken seriously: −80 dB. A band below it gets it; all bands below it are silence.
    package static let floor: Float = 1e-4

    /// Solves for `gains`, linear amplitude factors at the ten octave centres.
    ///
    /// The response at every octave centre from 63 Hz to 8 kHz meets the asked dB within 0.25 dB for steps of up to 20
    /// dB between neighbours over a range of 60 dB. Not-finite and negative gains count as 0. No allocation; a few
    /// microseconds with a new grid, so prefer `solve(_:grid:)` where the rate is known ahead.
    package static func solve(_ gains: OctaveBands, sampleRate: Double) -> BandEqualizerDesign {
        solve(gains, grid: OctaveGrid(sampleRate: sampleRate))
    }

    package static func solve(_ gains: OctaveBands, grid: OctaveGrid) -> BandEqualizerDesign {
        var held = gains.lanes
        for band in 0..<OctaveBands.count { held[band] = gains[band] > 0 ? min(gains[band], 1e4) : 0 }
        let loudest = held.max()
        guard loudest >= floor else { return .silent }
        if flat(held) { return BandEqualizerDesign(flatGain: held[0]) }
        let decibels = LaneMath.log2(held.replacing(with: floor, where: held .< floor)) * 6.020_599_91
        let (level, sections) = sectionDecibels(for: decibels, grid)
        return BandEqualizerDesign(broadband: level, sections: sections, grid)
    }

    private static func flat(_ gains: OctaveGrid.Lanes) -> Bool {
        for band in 1..<OctaveBands.count where gains[band] != gains[0] { return false }
        return true
    }

    /// Broadband dB, and the dB each section must have for the response at the centres to be `target` within
    /// `tolerance` dB.
    ///
    /// The first guess solves the interaction matrix; the rest is Newton's method on the true response with that matrix
    /// held, which converges because the bandwidth rule makes the response nearly linear in the sections' dB.
    static func sectionDecibels(
        for target: OctaveGrid.Lanes, _ grid: OctaveGrid, tolerance: Float = 0.02
    ) -> (broadband: Float, sections: OctaveGrid.Lanes) {
        var mean: Float = 0
        for band in 0..<OctaveBands.count { mean += target[band] }
        mean *= 0.1
        let wanted = (target - mean) * grid.active
        var decibels = OctaveGrid.Lanes.zero
        var error = wanted
        for _ in 0..<8 {
            for j in 0..<10 { decibels += grid.inverse[j] * error[j] }
            decibels = LaneMath.held(decibels, within: 100)
            error = (wanted - response(decibels, at: grid.squaredRatios)) * grid.active
            if error.max() < tolerance, error.min() > -tolerance { break }
        }
        return (mean, decibels)
    }

    /// dB of the whole cascade, one lane for each frequency described by `squaredRatios`.
    static func response(
        _ decibels: OctaveGrid.Lanes, at squaredRatios: OctaveGrid.Sections<OctaveGrid.Lanes>
    ) -> OctaveGrid.Lanes {
        let shapes = SectionShapes(decibels: decibels)
        // Two products, so that ten extreme sections stay within the range of Float.
        var (low, high) = (OctaveGrid.Lanes(repeating: 1), OctaveGrid.Lanes(repeating: 1))
        for j in 0..<5 { low *= shapes.response(of: j, squaredRatio: squaredRatios[j]) }
        for j in 5..<10 { high *= shapes.response(of: j, squaredRatio: squaredRatios[j]) }
        return (LaneMath.log2(low) + LaneMath.log2(high)) * 3.010_299_96
    }

    private init(flatGain: Float) {
        self.flatGain = flatGain
        isFlat = true
        sections = .passing
        sections.d[0] = flatGain
    }

    init(broadband: Float, sections decibels: OctaveGrid.Lanes, _ grid: OctaveGrid) {
        let shapes = SectionShapes(decibels: decibels)
        var g = grid.corners
        var k = shapes.squaredDamping.squareRoot()
        var (m0, m1, m2) = (OctaveGrid.Lanes(repeating: 1), k * (shapes.gain - 1), OctaveGrid.Lanes.zero)
        let (low, high) = (shapes.root[0], shapes.root[9])
        k[0] = 1.414_213_56
        k[9] = 1.414_213_56
        g[0] /= low.squareRoot()
        g[9] *= high.squareRoot()
        (m1[0], m2[0]) = (k[0] * (low - 1), low * low - 1)
        (m0[9], m1[9], m2[9]) = (high * high, k[9] * (1 - high) * high, 1 - high * high)
        sections = StateVariableSection(g: g, k: k, m0: m0, m1: m1, m2: m2)
        let level = LaneMath.exp2(OctaveGrid.Lanes(repeating: broadband * 0.166_096_405))[0]
        sections.d[0] *= level
        sections.p[0] *= level
        sections.q[0] *= level
        isFlat = false
        flatGain = 1
    }
}

extension StateVariableSection<OctaveGrid.Lanes> {
    /// Lane by lane what the scalar initialiser does.
    init(g: Lanes, k: Lanes, m0: Lanes, m1: Lanes, m2: Lanes) {
        let a1 = Lanes(repeating: 1) / (g * (g + k) + 1)
        let a2 = g * a1
        let a3 = g * a2
        self.init(
            alpha: a1 + a1 - 1, beta: a2 + a2, gamma: a3 + a3, d: m0 + m1 * a2 + m2 * a3, p: m1 * a1 + m2 * a2,
            q: m2 - m1 * a2 - m2 * a3)
    }

    /// Output is input.
    static var passing: Self {
        Self(alpha: .zero, beta: .zero, gamma: .zero, d: Lanes(repeating: 1), p: .zero, q: .zero)
    }

    /// a + (b − a)·t, each coefficient.
    @inline(__always)
    static func mix(_ a: Self, _ b: Self, _ t: Lanes) -> Self {
        Self(
            alpha: a.alpha + (b.alpha - a.alpha) * t, beta: a.beta + (b.beta - a.beta) * t,
            gamma: a.gamma + (b.gamma - a.gamma) * t,
            d: a.d + (b.d - a.d) * t, p: a.p + (b.p - a.p) * t, q: a.q + (b.q - a.q) * t)
    }
}
