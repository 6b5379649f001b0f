import OssicleCore

/// Which place of a sound field each of a network's sixteen outputs takes, and with which sign.
///
/// Ears of a symmetric head hear E + O and E − O, the sums of what is alike on both sides and of what is opposite;
/// their correlation is (|E|² − |O|²) / (|E|² + |O|²). In a single response that is a random number: an octave of B Hz
/// that decays with T60 has B·T60/6.9 independent values, so its correlation ρ scatters around an isotropic field's by
/// (1 − ρ²) / √(2·B·T60/6.9), 0.08 at 500 Hz and 1.5 s, in a network as in a room. All arrangements of the outputs are
/// isotropic on average. This is one whose octaves from 63 Hz to 8 kHz come near the isotropic field at T60s of 0.6 to
/// 1.7 s; other times change little in it.
///
/// The level of an octave at the ears is random as well, even where all outputs together have the right one. In low
/// octaves both ears hear little but the sum of the outputs, which is up to 2 dB off, by the same figures at every place
/// in the room. The arrangement brings this level near the outputs' mean, too. Where no ears listen, what is alike is
/// the first channel, which is what one microphone hears, and what is opposite the second, the difference between left
/// and right. Control side; takes some 2 ms, 15 where ears listen.
package struct NetworkOutputs {
    /// By output the place it takes.
    package private(set) var places = Array(0..<FeedbackDelayNetwork.lineCount)
    /// By output, 1 or −1.
    package private(set) var signs = [Float](repeating: 1, count: FeedbackDelayNetwork.lineCount)

    private static let trials = 1200

    /// - Parameters:
    ///   - patterns: of every place, what it is in the channels of order 3 (ACN, N3D).
    ///   - ears: that listen; nil for microphones and loudspeakers.
    package init(
        _ settings: FeedbackDelayNetwork.Settings, patterns: [SIMD16<Float>], ears: AmbisonicHRTFTable?
    ) {
        let field = NetworkField(settings)
        if let ears {
            search(HeardPlaces(field, patterns, ears), settings.seed)
        } else {
            search(FirstChannels(field, patterns), settings.seed)
        }
    }

    private mutating func search(_ sound: some ArrangedSound, _ seed: UInt64) {
        let random = CounterRandom(seed: seed, object: CounterRandom.number(of: "NetworkOutputs"))
        var best = sound.none
        for output in places.indices { sound.add(output, places[output], signs[output], to: &best) }
        var least = sound.distance(best)
        for trial in 0..<Self.trials {
            func draw(_ number: Int) -> Int { Int(random.unit(UInt64(3 * trial + number)) * Double(places.count)) }
            let (a, b) = (draw(0), draw(1))
            var (placesThen, signsThen) = (places, signs)
            // Both swapped, one or both turned, or some of it at once: single steps soon lead no nearer.
            let kind = random.unit(UInt64(3 * trial + 2))
            if kind < 0.7 { placesThen.swapAt(a, b) }
            if kind >= 0.35 { signsThen[a] = -signs[a] }
            if kind >= 0.525 && kind < 0.85 && a != b { signsThen[b] = -signs[b] }
            var sides = best
            for output in a == b ? [a] : [a, b] {
                sound.add(output, places[output], -signs[output], to: &sides)
                sound.add(output, placesThen[output], signsThen[output], to: &sides)
            }
            let distance = sound.distance(sides)
            if distance < least { (places, signs, best, least) = (placesThen, signsThen, sides, distance) }
        }
    }
}

/// How an arrangement sounds, worked out anew for the outputs that change alone.
protocol ArrangedSound {
    associatedtype Sum
    /// Without any output.
    var none: Sum { get }
    /// What arrangements are held against.
    var wanted: [NetworkField.Wanted] { get }

    func add(_ output: Int, _ place: Int, _ sign: Float, to sum: inout Sum)
    /// By part the power of what is alike and of what is opposite on both sides.
    func powers(_ sum: Sum) -> [SIMD2<Float>]
}

extension ArrangedSound {
    /// Sum of the squared differences from the isotropic field's correlations and powers.
    func distance(_ sum: Sum) -> Float {
        zip(powers(sum), wanted).reduce(0) { sum, part in
            let (even, odd) = (part.0.x, part.0.y)
            let correlation = (even - odd) / max(even + odd, .leastNormalMagnitude) - part.1.correlation
            let power = (even + odd) / part.1.power - 1
            return sum + (correlation * correlation + part.1.level * power * power)
        }
    }
}

/// Where no ears listen: what is alike is the first channel, what is opposite the second, at all frequencies. So their
/// power in an octave is wᵀ C w with w the outputs' weights in the channel and C the outputs' correlations there.
private struct FirstChannels: ArrangedSound {
    struct Sum {
        var even = SIMD16<Float>.zero, odd = SIMD16<Float>.zero
        /// By part C w.
        var products: [(even: SIMD16<Float>, odd: SIMD16<Float>)]
    }

    let wanted: [NetworkField.Wanted]
    private let patterns: [SIMD16<Float>]
    /// By part and output a row of C.
    private let correlations: [[SIMD16<Float>]]

    init(_ field: borrowing NetworkField, _ patterns: [SIMD16<Float>]) {
        self.patterns = patterns
        let count = FeedbackDelayNetwork.lineCount
        correlations = field.parts.map { part in
            var sums = [SIMD4<Float>](repeating: .zero, count: count * count)
            field.outputs(part) { _, outputs in
                for a in 0..<count {
                    for b in a..<count {
                        sums[count * a + b] += outputs[a].re * outputs[b].re + outputs[a].im * outputs[b].im
                    }
                }
            }
            return (0..<count).map { a in
                var row = SIMD16<Float>.zero
                for b in 0..<count { row[b] = sums[count * min(a, b) + max(a, b)].sum() }
                return row
            }
        }
        wanted = correlations.map { rows in
            let power = rows.indices.reduce(0) { $0 + rows[$1][$1] } / Float(count)
            return NetworkField.Wanted(correlation: 0, power: max(2 * power, .leastNormalMagnitude), level: 1)
        }
    }

    var none: Sum { Sum(products: correlations.map { _ in (.zero, .zero) }) }

    func add(_ output: Int, _ place: Int, _ sign: Float, to sum: inout Sum) {
        let (even, odd) = (patterns[place][0] * sign, patterns[place][1] * sign)
        sum.even[output] += even
        sum.odd[output] += odd
        for part in correlations.indices {
            sum.products[part].even += correlations[part][output] * even
            sum.products[part].odd += correlations[part][output] * odd
        }
    }

    func powers(_ sum: Sum) -> [SIMD2<Float>] {
        sum.products.map { SIMD2((sum.even * $0.even).sum(), (sum.odd * $0.odd).sum()) }
    }
}
