import OssicleCore

/// The taps that read a delay line while its delay moves: few, and as good as so few can be over what is heard.
///
///     h = argmin ∫₋B^B |Σₖ hₖ e^(−iωk) − e^(−iωτ)|² dω          τ: where between the two middle samples; B: 0.75 Nyquist
///
/// The least squares over a band (Laakso, Välimäki, Karjalainen and Laine, "Splitting the Unit Delay", 1996) leave 24
/// taps an error below −90 dB up to two thirds of Nyquist, 16 kHz at 48 kHz, and below −70 dB up to three quarters; the
/// treble above is read less exactly than at rest. Read only after creation, any thread.
struct MovingTaps: ~Copyable, Sendable {
    static let count = 24
    /// Rows per frame; between them taps are interpolated linearly.
    static let phases = 128
    private static let band = 0.75
    private let sloped: SampleMemory

    /// Rows in which groups of eight taps alternate with what they change by up to the next row.
    var slopedRows: UnsafePointer<Float> { UnsafePointer(sloped.pointer) }

    init() {
        sloped = SampleMemory(count: 2 * Self.phases * Self.count)
        let factor = Self.factor()
        // One row more at either end, for the second differences.
        let exact = (-1...Self.phases + 1).map { Self.row(Double($0) / Double(Self.phases), factor) }
        let rows = (0...Self.phases).map { phase in
            // Straight lines between rows lie to one side of the curve: rows moved by half of that halve the error.
            (0..<Self.count).map { tap in
                let (before, here, after) = (exact[phase][tap], exact[phase + 1][tap], exact[phase + 2][tap])
                return Float(here - (before - 2 * here + after) / 16)
            }
        }
        for phase in 0..<Self.phases {
            for tap in 0..<Self.count {
                let place = 2 * phase * Self.count + tap / 8 * 16 + tap % 8
                sloped[place] = rows[phase][tap]
                sloped[place + 8] = rows[phase + 1][tap] - rows[phase][tap]
            }
        }
    }

    /// ∫ over the band of e^(iω·distance), over 2π.
    private static func overlap(_ distance: Double) -> Double {
        guard distance != 0 else { return band }
        let angle = DeterministicMath.pi * distance
        return DeterministicMath.sin(band * angle) / angle
    }

    /// The lower triangle of Cholesky's factor of the equations that all rows share.
    private static func factor() -> [[Double]] {
        var factor = (0..<count).map { row in (0...row).map { overlap(Double(row - $0)) } }
        for row in 0..<count {
            for column in 0...row {
                let known = (0..<column).reduce(factor[row][column]) { $0 - factor[row][$1] * factor[column][$1] }
                factor[row][column] = row == column ? known.squareRoot() : known / factor[column][column]
            }
        }
        return factor
    }

    /// The taps that read `fraction` behind the earlier one of the two middle samples.
    private static func row(_ fraction: Double, _ factor: [[Double]]) -> [Double] {
        let place = Double(count / 2 - 1) + fraction
        var taps = (0..<count).map { overlap(Double($0) - place) }
        for row in 0..<count {
            taps[row] = (0..<row).reduce(taps[row]) { $0 - factor[row][$1] * taps[$1] } / factor[row][row]
        }
        for row in (0..<count).reversed() {
            taps[row] = (row + 1..<count).reduce(taps[row]) { $0 - factor[$1][row] * taps[$1] } / factor[row][row]
        }
        return taps
    }

    /// The signal's value `row + weight` rows behind the earlier middle sample of a window: the same in Swift as in
    /// `ossicle_delay_read`.
    func value(_ window: UnsafePointer<Float>, row: Int, weight: Float) -> Float {
        let (row, source) = (UnsafeRawPointer(slopedRows + row * 2 * Self.count), UnsafeRawPointer(window))
        func product(_ tap: Int) -> SIMD8<Float> {
            let a = row.loadUnaligned(fromByteOffset: 8 * tap, as: SIMD8<Float>.self)
            let slope = row.loadUnaligned(fromByteOffset: 8 * tap + 32, as: SIMD8<Float>.self)
            return (a + slope * weight) * source.loadUnaligned(fromByteOffset: 4 * tap, as: SIMD8<Float>.self)
        }
        let sum = (product(0) + product(8)) + product(16)
        let four = sum.lowHalf + sum.highHalf
        return (four[0] + four[2]) + (four[1] + four[3])
    }
}
