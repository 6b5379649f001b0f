import OssicleCore

/// The taps that read a delay line while its delay moves, in two steps: a sample in the middle between any two, by one
/// filter for all frames, and between samples half a frame apart eight taps, each a polynomial of the place.
///
///     h = argmin ∫ w(ω) |Σₖ hₖ e^(−iωk) − e^(−iωτ)|² dω          τ: where to read
///     hₖ(τ) ≈ Σₚ cₖₚ tᵖ,  p ≤ 4                                    t = τ − ½: from the middle of two samples
///
/// Least squares over a band (Laakso, Välimäki, Karjalainen and Laine, "Splitting the Unit Delay", 1996), here up to three
/// quarters of Nyquist; polynomials for the taps as in Farrow, "A continuously variable digital delay element", 1988.
/// Both steps together have an error below −90 dB up to two thirds of Nyquist, 16 kHz at 48 kHz, and below −75 dB up to
/// three quarters; the treble above is read less exactly than at rest. What is between two samples serves both ears of
/// a voice. Read only after creation, any thread.
struct MovingTaps: ~Copyable, Sendable {
    /// Taps half a frame apart.
    static let count = 8
    /// Samples to either side of a middle.
    static let reach = 13
    private static let pairs = count / 2
    /// Of t, 0 among them.
    private static let powers = 5
    /// Of `halfBand`, then of the polynomials, then of the coarse ones.
    private let memory: SampleMemory

    /// Weights of the samples to either side of a middle, from the inside out.
    var halfBand: UnsafePointer<Float> { UnsafePointer(memory.pointer) }

    /// By power, the coefficients of the upper four taps from the inside out; the lower ones mirror them.
    var polynomials: UnsafePointer<Float> { UnsafePointer(memory.pointer + 16) }

    /// The same for taps a whole frame apart: for sounds that matter less.
    ///
    /// Fitted to half of the spectrum: their error is below −70 dB up to 10 kHz at 48 kHz and −60 dB at 12 kHz; what is
    /// above 14 kHz they lose some of.
    var coarsePolynomials: UnsafePointer<Float> { polynomials + Self.pairs * Self.powers }

    init() {
        memory = SampleMemory(count: 16 + 2 * Self.pairs * Self.powers)
        let middle = LeastSquares(count: 2 * Self.reach, [(0.75, 1)]).taps(at: 0.5)
        for k in 0..<Self.reach { memory[k] = Float((middle[Self.reach - 1 - k] + middle[Self.reach + k]) / 2) }
        // Of the upper twelfth, which few sounds have much of, an error of 2.5 times as much is taken for 1.
        let fine = LeastSquares(count: Self.count, [(1.0 / 3, 0.84), (0.375, 0.16)])
        let coarse = LeastSquares(count: Self.count, [(0.5, 1)])
        for (begin, fit) in [(16, fine), (16 + Self.pairs * Self.powers, coarse)] {
            let taps = Self.nodes.map { fit.taps(at: $0 + 0.5) }
            for pair in 0..<Self.pairs {
                let polynomial = Self.polynomial(taps.map { $0[Self.pairs + pair] })
                for power in 0..<Self.powers { memory[begin + power * Self.pairs + pair] = Float(polynomial[power]) }
            }
        }
    }

    /// Zeros of the Chebyshev polynomial of degree 32, between −½ and ½.
    private static let nodes = (0..<32).map {
        DeterministicMath.cos(DeterministicMath.pi * (Double($0) + 0.5) / 32) / 2
    }

    /// The coefficients, by power of t, of the polynomial of degree 4 that is nearest to the values at the nodes: the
    /// beginning of their Chebyshev series.
    private static func polynomial(_ values: [Double]) -> [Double] {
        // Chebyshev polynomials of u = 2t by power of u.
        let series: [[Double]] = [
            [1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [-1, 0, 2, 0, 0], [0, -3, 0, 4, 0], [1, 0, -8, 0, 8],
        ]
        var sums = [Double](repeating: 0, count: powers)
        for (degree, terms) in series.enumerated() {
            let part = zip(nodes, values).reduce(0.0) { sum, node in
                let u = 2 * node.0
                return sum + node.1 * terms.reversed().reduce(0.0) { $0 * u + $1 }
            }
            let share = part * (degree == 0 ? 1 : 2) / Double(nodes.count)
            for power in 0..<powers { sums[power] += share * terms[power] }
        }
        return sums.enumerated().map { $0.element * Double(1 << $0.offset) }
    }

    /// The middle between `ring[slot]` and the next one: the same in Swift as in `ossicle_delay_read`.
    private func middle(_ ring: UnsafePointer<Float>, _ slot: Int, _ mask: Int) -> Float {
        var sum = (ring[slot & mask] + ring[slot + 1 & mask]) * halfBand[0]
        for k in 1..<Self.reach { sum += (ring[slot - k & mask] + ring[slot + 1 + k & mask]) * halfBand[k] }
        return sum
    }

    /// A signal's value at a place in a ring, in frames times 2³²: the same in Swift as in `ossicle_delay_read`, or, if
    /// coarse, in `ossicle_delay_read_coarsely`.
    func value(_ ring: UnsafePointer<Float>, at place: Int64, _ mask: Int, isCoarse: Bool) -> Float {
        let place = isCoarse ? place >> 1 : place
        let before = Int(place >> 31)
        let t = Float(Int32(truncatingIfNeeded: place >> 7 & 0xff_ffff)) * 0x1p-24 - 0.5
        func sample(_ at: Int) -> Float {
            if isCoarse { return ring[at & mask] }
            return at & 1 == 0 ? ring[at >> 1 & mask] : middle(ring, at >> 1, mask)
        }
        var (sums, differences) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        for pair in 0..<Self.pairs {
            let (lower, upper) = (sample(before - pair), sample(before + 1 + pair))
            (sums[pair], differences[pair]) = (upper + lower, upper - lower)
        }
        var value: Float = 0
        for power in (0..<Self.powers).reversed() {
            let c = (isCoarse ? coarsePolynomials : polynomials) + power * Self.pairs
            let x = power & 1 == 0 ? sums : differences
            let coefficient = ((x[0] * c[0] + x[1] * c[1]) + x[2] * c[2]) + x[3] * c[3]
            value = power == Self.powers - 1 ? coefficient : coefficient + t * value
        }
        return value
    }
}

/// The best taps for reading between the two middle ones of `count` samples, over bands that add up.
private struct LeastSquares {
    private let count: Int
    private let bands: [(edge: Double, weight: Double)]
    /// The lower triangle of Cholesky's factor of the equations that all places share.
    private let factor: [[Double]]

    /// - Parameter bands: each from 0 Hz to an edge, of Nyquist.
    init(count: Int, _ bands: [(edge: Double, weight: Double)]) {
        (self.count, self.bands) = (count, bands)
        var factor = (0..<count).map { row in (0...row).map { Self.overlap(Double(row - $0), bands) } }
        for row in 0..<count {
            for column in 0...row {
                let known = (0..<column).reduce(factor[row][column]) { $0 - factor[row][$1] * factor[column][$1] }
                factor[row][column] = row == column ? known.squareRoot() : known / factor[column][column]
            }
        }
        self.factor = factor
    }

    /// ∫ over the bands of e^(iω·distance), over 2π.
    private static func overlap(_ distance: Double, _ bands: [(edge: Double, weight: Double)]) -> Double {
        let angle = DeterministicMath.pi * distance
        return bands.reduce(0) { sum, band in
            sum + band.weight * (distance == 0 ? band.edge : DeterministicMath.sin(band.edge * angle) / angle)
        }
    }

    /// The taps that read `fraction` behind the earlier one of the two middle samples.
    func taps(at fraction: Double) -> [Double] {
        let place = Double(count / 2 - 1) + fraction
        var taps = (0..<count).map { Self.overlap(Double($0) - place, bands) }
        for row in 0..<count {
            taps[row] = (0..<row).reduce(taps[row]) { $0 - factor[row][$1] * taps[$1] } / factor[row][row]
        }
        for row in (0..<count).reversed() {
            taps[row] = (row + 1..<count).reduce(taps[row]) { $0 - factor[$1][row] * taps[$1] } / factor[row][row]
        }
        return taps
    }
}
