import COssicle
import OssicleCore

/// Adds up s of `PrismDiffraction` at the tones of all bands.
///
/// Amplitudes of a path are computed an octave apart, and are straight lines between these; phases are those of each
/// tone.
struct PrismSum {
    /// s, of the bands from the first on.
    private(set) var fields: [Tones]
    /// Of paths by edges, what begins and ends at some corners.
    private(set) var parts: [Part]
    private let first: Int
    private let waves: WaveNumbers
    /// √k from an octave below the first band to one above the last, and on to a multiple of four.
    private let roots: [Double]
    /// How much of paths by three edges counts there; nothing of them beyond.
    private let thrice: [Double]
    /// The amplitudes of the path at hand there, and in how many octaves it has any.
    private var real: [Double]
    private var imaginary: [Double]
    private var octaves = 0

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
        let octaves = (count + 2 + 3) / 4 * 4
        var (roots, thrice): ([Double], [Double]) = ([], [])
        roots.reserveCapacity(octaves)
        thrice.reserveCapacity(octaves)
        var number = waves.numbers[first] / 2
        for octave in 0..<octaves {
            roots.append(number.squareRoot())
            let rest = 2 - number * (width / Self.widest)
            if rest > 0 || octave % 4 > 0 && thrice.count == octave {
                let share = min(max(rest, 0), 1)
                thrice.append(share * share * (3 - 2 * share))
            }
            number *= 2
        }
        (self.roots, self.thrice) = (roots, thrice)
        (real, imaginary) = (roots, roots)
    }

    /// Whether any path by three edges counts.
    var hasThrice: Bool { !thrice.isEmpty }

    /// Begins anew, from nothing.
    mutating func clear() {
        for band in fields.indices { fields[band] = .zero }
    }

    /// Begins a path by one or two edges.
    mutating func begin(_ spread: Double) {
        octaves = roots.count
        for octave in 0..<octaves { (real[octave], imaginary[octave]) = (spread, 0) }
    }

    /// Begins one by three.
    mutating func beginThrice(_ spread: Double) {
        octaves = thrice.count
        for octave in 0..<octaves { (real[octave], imaginary[octave]) = (thrice[octave] * spread, 0) }
    }

    /// Half of what goes by an edge, sound that comes and leaves through the open.
    /// - Parameter reach: s s′/(s + s′) sin²β, metres.
    mutating func multiply(_ utd: UTD, reach: Double) {
        withUnsafeBytes(of: utd.weights) { weights in
            withUnsafeBytes(of: utd.arguments) { bend(weights, $0, reach) }
        }
    }

    /// The same of what runs along a side.
    mutating func multiply(_ utd: GrazingUTD, reach: Double) {
        withUnsafeBytes(of: utd.weights) { weights in
            withUnsafeBytes(of: utd.arguments) { bend(weights, $0, reach) }
        }
    }

    @inline(__always) private mutating func bend(
        _ weights: UnsafeRawBufferPointer, _ arguments: UnsafeRawBufferPointer, _ reach: Double
    ) {
        let weights = weights.bindMemory(to: Double.self)
        ossicle_bend(
            weights.baseAddress!, arguments.bindMemory(to: Double.self).baseAddress!, weights.count, roots,
            reach.squareRoot(), &real, &imaginary, octaves)
    }

    /// Adds the path.
    /// - Parameters: detour: metres re the straight path. - one, last: the corners of its first and last edge.
    mutating func add(detour: Double, from one: Int, to last: Int) {
        let turn = ToneTurn(waves.numbers[first] * detour)
        Self.add(real, imaginary, octaves, turn, to: &fields)
        for part in parts.indices where parts[part].beginning.contains(one) && parts[part].ending.contains(last) {
            Self.add(real, imaginary, octaves, turn, to: &parts[part].fields)
        }
    }

    @inline(__always) private static func add(
        _ real: [Double], _ imaginary: [Double], _ count: Int, _ turn: ToneTurn, to fields: inout [Tones]
    ) {
        let bands = fields.count
        turn.withValues { turn in
            fields.withValues { ossicle_add_octaves(real, imaginary, count, turn, $0, bands) }
        }
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
