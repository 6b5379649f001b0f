import OssicleCore

/// Adds up s of `PrismDiffraction` at the tones of all bands.
///
/// Amplitudes of a path are computed an octave apart, four at a time, and are straight lines between these; phases are
/// those of each tone.
struct PrismSum {
    /// s, of the bands from the first on.
    private(set) var fields: [Tones]
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

    /// k × width of a side up to which three edges count whole; from twice that on they do not.
    private static let widest = 8.0

    /// - Parameters:
    ///   - first: the first band.
    ///   - isHidden: whether the prism hides one end from the other.
    ///   - width: of its narrowest side, metres.
    init(_ first: Int, _ waves: WaveNumbers, isHidden: Bool, width: Double) {
        (self.first, self.waves) = (first, waves)
        let count = OctaveBands.count - first
        fields = Array(
            repeating: Tones(real: SIMD4(repeating: isHidden ? -1 : 0), imaginary: .zero), count: count)
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

    /// A quarter of what goes by two edges of different prisms.
    mutating func multiply(_ edges: CoupledEdges) {
        for group in 0..<groups {
            let (re, im) = edges.terms(roots[group])
            // Times −j/4.
            let (x, y) = (im * 0.25, re * -0.25)
            let (a, b) = (real[group], imaginary[group])
            real[group] = a * x - b * y
            imaginary[group] = a * y + b * x
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
    /// - Parameter detour: metres re the straight path.
    mutating func add(detour: Double) {
        var turn = ToneTurn(waves.numbers[first] * detour)
        let count = min(fields.count, 4 * groups)
        var (a, b) = (amplitude(0), amplitude(1))
        for band in 0..<count {
            let c = band + 2 < 4 * groups ? amplitude(band + 2) : .zero
            fields[band] += turn.turned(
                Self.between(a.real, b.real, c.real), Self.between(a.imaginary, b.imaginary, c.imaginary))
            (a, b) = (b, c)
            turn.rise()
        }
    }

    @inline(__always) private func amplitude(_ index: Int) -> Phasor {
        Phasor(real: real[index >> 2][index & 3], imaginary: imaginary[index >> 2][index & 3])
    }

    /// At ⅜ and ⅛ of an octave below and above the middle one of three that are an octave apart.
    @inline(__always) private static func between(_ a: Double, _ b: Double, _ c: Double) -> SIMD4<Double> {
        SIMD4(0.625 * b + 0.375 * a, 0.875 * b + 0.125 * a, 0.875 * b + 0.125 * c, 0.625 * b + 0.375 * c)
    }

    /// Adds what a side mirrors.
    /// - Parameters:
    ///   - detour: metres re the straight path.
    ///   - spread: length of the straight path re the mirrored one.
    ///   - depth: metres by the nearer rim re the mirrored path.
    mutating func addMirror(detour: Double, spread: Double, depth: Double) {
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
        var (one, two) = (from.map { EndTurn(-$0, wavelength) }, to.map { EndTurn($0, wavelength) })
        guard one != nil || two != nil else { return nil }
        return fields.indices.map { band in
            var left = Tones.one
            let root = 1 / waves.wavelengths[first + band].squareRoot()
            one?.take(from: &left, root)
            two?.take(from: &left, root)
            return left
        }
    }

    /// F(ν) of an end, one band after another.
    private struct EndTurn {
        let place: Double
        var turn: ToneTurn

        init(_ place: Double, _ wavelength: Double) {
            self.place = place
            turn = ToneTurn(place * place / wavelength * (DeterministicMath.pi / 2))
        }

        mutating func take(from left: inout Tones, _ root: Double) {
            let tail = FresnelTail.beyond(OctaveTone.factors * (place.magnitude * root), turn)
            turn.rise()
            left += place < 0 ? Tones(real: tail.real - 1, imaginary: tail.imaginary) : tail * -1
        }
    }
}
