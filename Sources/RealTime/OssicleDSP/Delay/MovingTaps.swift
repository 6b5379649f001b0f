import OssicleCore

/// The taps that read a delay line while its delay moves, in two steps: a sample in the middle between any two, by one
/// filter for all frames, and between samples half a frame apart eight taps, made anew for every output.
///
///     h = argmin ∫ w(ω) |Σₖ hₖ e^(−iωk) − e^(−iωτ)|² dω          τ: where to read
///
/// Least squares over a band (Laakso, Välimäki, Karjalainen and Laine, "Splitting the Unit Delay", 1996), here up to three
/// quarters of Nyquist. Both steps together have an error below −90 dB up to two thirds of it, 16 kHz at 48 kHz, and below
/// −75 dB up to three quarters; the treble above is read less exactly than at rest. What is between two samples serves both
/// ears of a voice, so that 8 of 24 multiplications are left for each. Read only after creation, any thread.
struct MovingTaps: ~Copyable, Sendable {
    /// Taps half a frame apart.
    static let count = 8
    /// Rows per half of a frame; between them taps are interpolated linearly.
    static let phases = 64
    /// Samples to either side of a middle.
    static let reach = 13
    /// Of `halfBand`, then of the sloped rows, then of the coarse ones.
    private let memory: SampleMemory
    private static let rowsCount = 2 * phases * count

    /// Weights of the samples to either side of a middle, from the inside out.
    var halfBand: UnsafePointer<Float> { UnsafePointer(memory.pointer) }

    /// Rows of eight taps, each followed by what they change by up to the next row.
    var slopedRows: UnsafePointer<Float> { UnsafePointer(memory.pointer + 16) }

    /// The same, a whole frame apart: for sounds that matter less.
    ///
    /// Fitted to half of the spectrum: their error is below −70 dB up to 10 kHz at 48 kHz and −60 dB at 12 kHz; what is
    /// above 14 kHz they lose some of.
    var coarseRows: UnsafePointer<Float> { slopedRows + Self.rowsCount }

    init() {
        memory = SampleMemory(count: 16 + 2 * Self.rowsCount)
        let middle = LeastSquares(count: 2 * Self.reach, [(0.75, 1)]).taps(at: 0.5)
        for k in 0..<Self.reach { memory[k] = Float((middle[Self.reach - 1 - k] + middle[Self.reach + k]) / 2) }
        // Of the upper twelfth, which few sounds have much of, an error of 2.5 times as much is taken for 1.
        let fit = LeastSquares(count: Self.count, [(1.0 / 3, 0.84), (0.375, 0.16)])
        fill(16, fit)
        fill(16 + Self.rowsCount, LeastSquares(count: Self.count, [(0.5, 1)]))
    }

    private func fill(_ begin: Int, _ fit: LeastSquares) {
        // One row more at either end, for the second differences.
        let exact = (-1...Self.phases + 1).map { fit.taps(at: Double($0) / Double(Self.phases)) }
        let rows = (0...Self.phases).map { phase in
            // Straight lines between rows lie to one side of the curve: rows moved by half of that halve the error.
            (0..<Self.count).map { tap in
                let (before, here, after) = (exact[phase][tap], exact[phase + 1][tap], exact[phase + 2][tap])
                return Float(here - (before - 2 * here + after) / 16)
            }
        }
        for phase in 0..<Self.phases {
            for tap in 0..<Self.count {
                let place = begin + 2 * phase * Self.count + tap
                memory[place] = rows[phase][tap]
                memory[place + Self.count] = rows[phase + 1][tap] - rows[phase][tap]
            }
        }
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
        let first = Int(place >> 31) - (Self.count / 2 - 1)
        let row = (isCoarse ? coarseRows : slopedRows) + Int(place >> 25 & 0x3f) * 2 * Self.count
        let weight = Float(Int32(truncatingIfNeeded: place >> 1 & 0xff_ffff)) * 0x1p-24
        var products = SIMD8<Float>.zero
        for tap in 0..<Self.count {
            let at = first + tap
            let sample =
                if isCoarse {
                    ring[at & mask]
                } else {
                    at & 1 == 0 ? ring[at >> 1 & mask] : middle(ring, at >> 1, mask)
                }
            products[tap] = (row[tap] + row[tap + Self.count] * weight) * sample
        }
        let four = products.lowHalf + products.highHalf
        return (four[0] + four[2]) + (four[1] + four[3])
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
