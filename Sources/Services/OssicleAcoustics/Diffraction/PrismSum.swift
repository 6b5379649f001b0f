import OssicleCore

/// Adds up s of `PrismDiffraction` at the tones of all bands.
///
/// Amplitudes of a path are computed an octave apart, four at a time, and are straight lines between these; phases are
/// those of each tone.
struct PrismSum {
    /// s, of the bands from the first on.
    private(set) var fields: [Tones]
    /// Of paths by edges, what begins and ends at some corners.
    private(set) var parts: [Part]
    private let first: Int
    private let waves: WaveNumbers
    /// √k from an octave below the first band to one above the last.
    private let roots: [SIMD4<Double>]
    /// Of paths by three edges, how much counts.
    private let thrice: [SIMD4<Double>]
    /// Whether any of them counts.
    let hasThrice: Bool
    /// Of the path at hand; and how many of these count.
    private var real: [SIMD4<Double>]
    private var imaginary: [SIMD4<Double>]
    private var groups = 0

    struct Part {
        let beginning: CornerSet
        let ending: CornerSet
        var fields: [Tones] = []
    }

    /// k × width of a side up to which three edges count whole; from twice that on they do not.
    private static let widest = 8.0

    /// - Parameters:
    ///   - first: the first band.
    ///   - isHidden: whether the prism hides one end from the other.
    ///   - width: of its narrowest side, metres.
    ///   - parts: to be added up beside the whole.
    init(_ first: Int, _ waves: WaveNumbers, isHidden: Bool, width: Double, parts: [Part] = []) {
        (self.first, self.waves) = (first, waves)
        let count = OctaveBands.count - first
        fields = Array(
            repeating: Tones(real: SIMD4(repeating: isHidden ? -1 : 0), imaginary: .zero), count: count)
        self.parts = parts.map {
            Part(beginning: $0.beginning, ending: $0.ending, fields: Array(repeating: .zero, count: count))
        }
        let number = waves.numbers[first] / 2
        var (roots, thrice): ([SIMD4<Double>], [SIMD4<Double>]) = ([], [])
        roots.reserveCapacity(4)
        thrice.reserveCapacity(4)
        var octave = 1.0
        for _ in 0..<(count + 2 + 3) / 4 {
            let numbers = SIMD4(1, 2, 4, 8) * (number * octave)
            octave *= 16
            roots.append(numbers.squareRoot())
            let rest = 2 - numbers * (width / Self.widest)
            if rest.x > 0 {
                let share = rest.clamped(lowerBound: .zero, upperBound: .one)
                thrice.append(share * share * (3 - 2 * share))
            }
        }
        (self.roots, self.thrice, hasThrice) = (roots, thrice, !thrice.isEmpty)
        real = roots
        imaginary = roots
    }

    /// Begins anew, from nothing.
    mutating func clear() {
        for band in fields.indices { fields[band] = .zero }
    }

    /// Begins a path by one or two edges.
    mutating func begin(_ spread: Double) {
        groups = roots.count
        for group in 0..<groups {
            real[group] = SIMD4(repeating: spread)
            imaginary[group] = .zero
        }
    }

    /// Begins one by three.
    mutating func beginThrice(_ spread: Double) {
        groups = thrice.count
        for group in 0..<groups {
            real[group] = thrice[group] * spread
            imaginary[group] = .zero
        }
    }

    /// Half of what goes by an edge, sound that comes and leaves through the open.
    /// - Parameter reach: s s′/(s + s′) sin²β, metres.
    mutating func multiply(_ utd: UTD, reach: Double) {
        let root = reach.squareRoot()
        for group in 0..<groups {
            let (re, im) = utd.terms(roots[group] * root)
            turn(group, re, im)
        }
    }

    /// The same of what runs along a side.
    mutating func multiply(_ utd: GrazingUTD, reach: Double) {
        let root = reach.squareRoot()
        for group in 0..<groups {
            let (re, im) = utd.terms(roots[group] * root)
            turn(group, re, im)
        }
    }

    /// Times −e^(−jπ/4)/2 (re + j im).
    @inline(__always) private mutating func turn(_ group: Int, _ re: SIMD4<Double>, _ im: SIMD4<Double>) {
        let half = 0.5 * 0.5.squareRoot()
        let (x, y) = ((re + im) * -half, (re - im) * half)
        let (a, b) = (real[group], imaginary[group])
        real[group] = a * x - b * y
        imaginary[group] = a * y + b * x
    }

    /// Adds the path.
    /// - Parameters: detour: metres re the straight path. - one, last: the corners of its first and last edge.
    mutating func add(detour: Double, from one: Int, to last: Int) {
        let turn = ToneTurn(waves.numbers[first] * detour)
        Self.add(real, imaginary, groups, turn, to: &fields)
        for part in parts.indices where parts[part].beginning.contains(one) && parts[part].ending.contains(last) {
            Self.add(real, imaginary, groups, turn, to: &parts[part].fields)
        }
    }

    @inline(__always) private static func add(
        _ real: [SIMD4<Double>], _ imaginary: [SIMD4<Double>], _ groups: Int, _ turn: ToneTurn,
        to fields: inout [Tones]
    ) {
        var turn = turn
        fields.withUnsafeMutableBufferPointer { fields in
            real.withUnsafeBytes { real in
                imaginary.withUnsafeBytes { imaginary in
                    // One after another, an octave apart from the first band's lower neighbour on.
                    let (re, im) = (real.bindMemory(to: Double.self), imaginary.bindMemory(to: Double.self))
                    let end = 4 * groups
                    for band in 0..<min(fields.count, end) {
                        let (next, last) = (band + 1 < end, band + 2 < end)
                        fields[band] += turn.turned(
                            between(re[band], next ? re[band + 1] : 0, last ? re[band + 2] : 0),
                            between(im[band], next ? im[band + 1] : 0, last ? im[band + 2] : 0))
                        turn.rise()
                    }
                }
            }
        }
    }

    /// At ⅜ and ⅛ of an octave below and above the middle one of three that are an octave apart.
    @inline(__always) private static func between(_ a: Double, _ b: Double, _ c: Double) -> SIMD4<Double> {
        SIMD4(0.625, 0.875, 0.875, 0.625) * b + SIMD4(0.375, 0.125, 0.125, 0.375) * SIMD4(a, a, c, c)
    }

    /// Adds what a side reflects.
    /// - Parameters:
    ///   - detour: metres re the straight path.
    ///   - spread: length of the straight path re the reflected one.
    ///   - depth: metres by the nearer rim re the reflected path.
    mutating func addReflection(detour: Double, spread: Double, depth: Double) {
        var turn = ToneTurn(waves.numbers[first] * detour)
        for band in fields.indices {
            let share = 1 - Silhouette.fade(4 * depth / waves.wavelengths[first + band])
            guard share > 0 else { break }
            fields[band] += turn.turned(SIMD4(repeating: spread * share), .zero)
            turn.rise()
        }
    }

    /// What two ends of the prism leave, V, by band; nil where something closes both.
    /// - Parameters: from, to: where they are along the edges, from the path on, √(wavelength); nil where something
    ///   closes one.
    func left(from: Double?, to: Double?) -> [Tones]? {
        let wavelength = waves.wavelengths[first]
        var (one, two) = (from.map { EdgeTail(-$0, wavelength) }, to.map { EdgeTail($0, wavelength) })
        guard one != nil || two != nil else { return nil }
        return fields.indices.map { band in
            let root = 1 / waves.wavelengths[first + band].squareRoot()
            var left = Tones.one
            if let beyond = one?.beyond(root) { left = left - beyond }
            if let beyond = two?.beyond(root) { left = left - beyond }
            return left
        }
    }
}
