import COssicle
import OssicleCore

/// A windowed sinc cut into phases: the impulse response that reads a sampled signal between its samples.
///
/// Row p holds the taps for the position `taps/2 − 1 + p/phases` within a window of `taps` samples; between rows the
/// taps are interpolated linearly, by the differences that stand behind each row. The window is Kaiser's (J. F. Kaiser,
/// "Nonrecursive digital filter design using the I0-sinh window function", 1974). Each row sums to 1, and at cutoff 1
/// row 0 is a single 1: whole positions copy. Read only after creation, any thread.
package struct PolyphaseTable: ~Copyable, Sendable {
    typealias Group = SIMD8<Float>

    /// Multiple of 8.
    package let taps: Int
    package let phases: Int
    /// Bits of a fraction in 2⁻³² that lie between two rows; 0 where rows are no power of two.
    private let bitsBetweenRows: UInt32
    private let rows: SampleMemory

    /// - Parameters:
    ///   - cutoff: of Nyquist, 0…1. - attenuation: dB of the stop band, which with `taps` decides how wide the
    ///     transition is.
    package init(taps: Int, phases: Int, cutoff: Double, attenuation: Double) {
        self.taps = max((taps + 7) & ~7, 8)
        self.phases = max(phases, 1)
        bitsBetweenRows = self.phases & (self.phases - 1) == 0 ? UInt32(32 - self.phases.trailingZeroBitCount) : 0
        // Behind the last row, which only a fraction of exactly 1 reads, with a weight of 0, stand differences of 0.
        rows = SampleMemory(count: (self.phases + 1) * 2 * self.taps)
        let beta = 0.1102 * (attenuation - 8.7)
        var values = [Double](repeating: 0, count: self.taps)
        for phase in 0...self.phases { fill(phase, cutoff, beta, &values) }
        for phase in 0..<self.phases {
            let (row, next) = (row(phase), row(phase + 1))
            for tap in 0..<self.taps { row[self.taps + tap] = next[tap] - row[tap] }
        }
    }

    /// Its taps, and behind them their differences to those of the next row.
    @inline(__always)
    private func row(_ phase: Int) -> UnsafeMutablePointer<Float> { rows.pointer + 2 * taps * phase }

    private func fill(_ phase: Int, _ cutoff: Double, _ beta: Double, _ values: inout [Double]) {
        let centre = Double(taps / 2 - 1) + Double(phase) / Double(phases)
        let half = Double(taps) / 2
        func value(_ tap: Int) -> Double {
            let x = Double(tap) - centre
            let r = x / half
            guard r.magnitude < 1 else { return 0 }
            let angle = DeterministicMath.pi * cutoff * x
            let sinc = x == 0 ? 1 : (cutoff == 1 && x == x.rounded() ? 0 : DeterministicMath.sin(angle) / angle)
            return sinc * PolyphaseTable.bessel(beta * (1 - r * r).squareRoot())
        }
        var sum = 0.0
        for tap in 0..<taps {
            values[tap] = value(tap)
            sum += values[tap]
        }
        let row = row(phase)
        for tap in 0..<taps { row[tap] = Float(values[tap] / sum) }
    }

    /// Modified Bessel function of the first kind, order 0, by its power series.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term, n) = (1.0, 1.0, 1.0)
        while term > sum * 1e-17 {
            term *= (x / 2 / n) * (x / 2 / n)
            sum += term
            n += 1
        }
        return sum
    }

    /// The signal's value `fraction` (0…1) behind sample `taps/2 − 1` of the window that starts at `window`.
    ///
    /// Eight running sums, then their sum in pairs: one order, whatever vectors the processor has.
    @inline(__always)
    func value(_ window: UnsafePointer<Float>, fraction: Double) -> Float {
        let place = place(0, fraction: fraction)
        return value(window, row: place.row, weight: place.weight)
    }

    @inline(__always)
    func value(_ window: UnsafePointer<Float>, row: Int32, weight: Float) -> Float {
        let weight = Group(repeating: weight)
        let row = UnsafeRawPointer(self.row(Int(row)))
        let rise = row + taps * 4
        let source = UnsafeRawPointer(window)
        var sum = Group.zero
        var offset = 0
        while offset < taps * 4 {
            let a = row.load(fromByteOffset: offset, as: Group.self)
            let d = rise.load(fromByteOffset: offset, as: Group.self)
            sum += (a + d * weight) * source.loadUnaligned(fromByteOffset: offset, as: Group.self)
            offset += 32
        }
        let four = sum.lowHalf + sum.highHalf
        let two = four.lowHalf + four.highHalf
        return two.x + two.y
    }

    /// Where a value lies for a run of them: see `values`.
    @inline(__always)
    func place(_ window: Int, fraction: Double) -> ossicle_place {
        let position = fraction * Double(phases)
        let row = Int32(position)
        return ossicle_place(window: Int32(truncatingIfNeeded: window), row: row, weight: Float(position - Double(row)))
    }

    /// The same of a fraction in 2⁻³²: where rows are a power of two, its upper bits are the row's number.
    @inline(__always)
    func place(_ window: Int, fraction: UInt32) -> ossicle_place {
        guard bitsBetweenRows > 0, bitsBetweenRows < 32 else {
            return place(window, fraction: Double(fraction) * 0x1p-32)
        }
        let between = (fraction &<< (32 &- bitsBetweenRows)) &>> 1
        return ossicle_place(
            window: Int32(truncatingIfNeeded: window), row: Int32(truncatingIfNeeded: fraction &>> bitsBetweenRows),
            weight: Float(Int32(truncatingIfNeeded: between)) * 0x1p-31)
    }

    /// How many rows there are to every `denominator`-th of a frame; nil where these do not all fall on rows.
    func rows(perPartOf denominator: UInt64) -> Int? {
        let (rows, rest) = UInt64(phases).quotientAndRemainder(dividingBy: max(denominator, 1))
        return rest == 0 ? Int(rows) : nil
    }

    /// The values at many places, `window` counted from `source`.
    @inline(__always)
    func values(
        _ places: UnsafePointer<ossicle_place>, in source: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>,
        _ n: Int
    ) {
        #if arch(x86_64)
        ossicle_polyphase(rows.pointer, taps, source, places, to, n)
        #else
        for i in 0..<n { to[i] = value(source + Int(places[i].window), row: places[i].row, weight: places[i].weight) }
        #endif
    }

    /// The same of two signals.
    @inline(__always)
    func values(
        _ places: UnsafePointer<ossicle_place>, in sources: (UnsafePointer<Float>, UnsafePointer<Float>),
        to: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>), _ n: Int
    ) {
        #if arch(x86_64)
        ossicle_polyphase_pair(rows.pointer, taps, sources.0, sources.1, places, to.0, to.1, n)
        #else
        values(places, in: sources.0, to: to.0, n)
        values(places, in: sources.1, to: to.1, n)
        #endif
    }

    /// The taps of one position, the newest sample's first, for a run of outputs that all lie at that fraction.
    func taps(at fraction: Double, into taps: UnsafeMutablePointer<Float>) {
        let position = fraction * Double(phases)
        let phase = Int32(position)
        let weight = Float(position - Double(phase))
        let row = row(Int(phase))
        for tap in 0..<self.taps { taps[self.taps - 1 - tap] = row[tap] + row[self.taps + tap] * weight }
    }
}
