import OssicleCore

/// What goes by an edge of one prism and then by an edge of another one, Σ q D₁D₂X e^(−jkδ) of both orders of
/// `PrismRow`.
///
/// Amplitudes are computed at eight frequencies from the lowest tone to the highest, some octave apart, and are
/// straight lines between these; phases are those of each tone. Paths that are 30 dB below the strongest at the lowest
/// tone are left out, and those up to 24 dB below it fade.
struct RowEdges {
    /// An arrival, where the edge of the other prism is so far away.
    fileprivate struct Side {
        let arrival: EdgeArrival
        /// √(s s′/(s + s′) sin²β) at the edge, and at the one before, √metre.
        let root: Double
        let lastRoot: Double
        /// About its amplitude at the lowest tone.
        let most: Double
    }

    /// Two edges: how sound gets to the first, and on from the second.
    private struct Pair {
        let first: Range<Int>
        let second: Range<Int>
        let between: Double
        /// q.
        let weight: Double
        /// About the amplitudes of the strongest of each.
        let most: (first: Double, second: Double)
    }

    private var sides: [Side] = []
    private var pairs: [Pair] = []
    private let plan: PrismPlan
    /// The lowest band, and √k of its lowest tone.
    private let first: Int
    private let waves: WaveNumbers
    private let root: Double
    /// Sine of the path's angle to the edges.
    private let sine: Double

    /// Of the strongest path, what is left out.
    private static let least = 0.03

    /// - Parameter plan: of the whole path.
    init(_ plan: PrismPlan, _ first: Int, _ waves: WaveNumbers) {
        (self.plan, self.first, self.waves) = (plan, first, waves)
        root = waves.numbers[first].squareRoot() * OctaveTone.factors[0]
        sine = plan.across / plan.straight
        sides.reserveCapacity(128)
        pairs.reserveCapacity(32)
    }

    /// - Parameters: between: metres from one edge to the other. - weight: q.
    mutating func add(_ arrivals: [EdgeArrival], _ departures: [EdgeArrival], between: Double, weight: Double) {
        let (begin, middle) = (sides.count, sides.count + arrivals.count)
        let most = (append(arrivals, between), append(departures, between))
        pairs.append(
            Pair(first: begin..<middle, second: middle..<sides.count, between: between, weight: weight, most: most))
    }

    private mutating func append(_ arrivals: [EdgeArrival], _ between: Double) -> Double {
        var strongest = 0.0
        for arrival in arrivals {
            let root = (arrival.before * between / (arrival.before + between) * sine).squareRoot()
            var (lastRoot, most) = (0.0, arrival.terms.most(self.root * root))
            if let last = arrival.last {
                let whole = arrival.before + between
                lastRoot = max(last.before * (whole - last.before) / whole * sine, 1e-6).squareRoot()
                most *= 0.5 * last.utd.most(self.root * lastRoot)
            }
            strongest = max(strongest, most)
            sides.append(Side(arrival: arrival, root: root, lastRoot: lastRoot, most: most))
        }
        return strongest
    }

    /// Adds all of them.
    /// - Parameters:
    ///   - fields: of the bands from the first on.
    ///   - isTurned: whether the axes of both prisms run against each other.
    func add(to fields: inout [Tones], isTurned: Bool) {
        let samples = Samples(count: fields.count, root)
        let least = pairs.reduce(0) { max($0, $1.most.first * $1.most.second * $1.weight) } * Self.least
        var seconds: [(index: Int, edge: CoupledEdges.Edge)] = []
        seconds.reserveCapacity(4)
        for pair in pairs {
            let limit = least / pair.weight
            guard pair.most.first * pair.most.second > limit else { continue }
            seconds.removeAll(keepingCapacity: true)
            for two in pair.second where sides[two].most * pair.most.first > limit {
                seconds.append((two, samples.edge(sides[two])))
            }
            for one in pair.first where sides[one].most * pair.most.second > limit {
                let edge = samples.edge(sides[one])
                for (two, second) in seconds where sides[one].most * sides[two].most > limit {
                    let path = EdgePath(plan, sides[one].arrival, sides[two].arrival, between: pair.between)
                    let correlation = Float(isTurned ? -path.correlation : path.correlation)
                    samples.add(
                        CoupledEdges.terms(edge, second, correlation: correlation),
                        path.factor
                            * (pair.weight * Silhouette.fade(sides[one].most * sides[two].most / limit - 1)),
                        ToneTurn(waves.numbers[first] * path.detour), to: &fields)
                }
            }
        }
    }

    /// From the source by two edges to the receiver.
    private struct EdgePath {
        /// Metres re the straight path.
        let detour: Double
        /// ρ.
        let correlation: Double
        /// Of Σ c (f + jg) of all edges.
        let factor: Phasor

        @inline(__always) init(_ plan: PrismPlan, _ one: EdgeArrival, _ two: EdgeArrival, between: Double) {
            let (before, after) = (one.before, two.before)
            let length = plan.length(before + between + after)
            let square = before * after / ((before + between) * (between + after))
            let spread = plan.straight / length * max(1 - square, 0).squareRoot()
            (detour, correlation) = (max(length - plan.straight, 0), square.squareRoot())
            // −j, and −e^(−jπ/4)/2 of each edge before.
            var factor = Phasor(real: 0, imaginary: -spread)
            let turn = Phasor(real: -0.125.squareRoot(), imaginary: 0.125.squareRoot())
            if one.last != nil { factor = factor * turn }
            if two.last != nil { factor = factor * turn }
            self.factor = factor
        }
    }

    /// The frequencies that amplitudes are computed at, and how tones lie between them.
    private struct Samples {
        /// √k.
        private let roots: SIMD8<Float>
        /// Of each band the first of three that its tones are between, and the shares of the last two.
        private let bands: [(first: Int, second: SIMD4<Float>, third: SIMD4<Float>)]

        init(count: Int, _ root: Double) {
            let step = max((Double(count) - 0.25) / 7, 0.75)
            let ratio = DeterministicMath.exp(step * DeterministicMath.ln2 / 2)
            var roots = SIMD8<Float>.zero
            var next = root
            for sample in 0..<8 {
                roots[sample] = Float(next)
                next *= ratio
            }
            self.roots = roots
            bands = (0..<count).map { band in
                let places = (SIMD4(0, 0.25, 0.5, 0.75) + Float(band)) / Float(step)
                let first = min(Int(places.x), 5)
                let offset = places - Float(first)
                let third = (offset - 1).clamped(lowerBound: .zero, upperBound: .one)
                return (first, 1 - (1 - offset).clamped(lowerBound: .zero, upperBound: .one) - third, third)
            }
        }

        /// D at these frequencies.
        func edge(_ side: Side) -> CoupledEdges.Edge {
            CoupledEdges.Edge(
                side.arrival.terms, roots * Float(side.root),
                last: side.arrival.last.map { last in
                    let numbers = roots * Float(side.lastRoot)
                    return CoupledEdges.Wave(last.utd.weights.x, numbers * Float(last.utd.arguments.x))
                        + CoupledEdges.Wave(last.utd.weights.y, numbers * Float(last.utd.arguments.y))
                })
        }

        /// - Parameters: factor: of the wave. - turn: the phases of the lowest band.
        func add(_ wave: CoupledEdges.Wave, _ factor: Phasor, _ turn: ToneTurn, to fields: inout [Tones]) {
            var turn = turn
            let (x, y) = (Float(factor.real), Float(factor.imaginary))
            withUnsafeBytes(of: (wave.re * x - wave.im * y, wave.re * y + wave.im * x)) { bytes in
                let samples = bytes.bindMemory(to: Float.self)
                fields.withUnsafeMutableBufferPointer { fields in
                    for band in fields.indices {
                        let at = bands[band]
                        @inline(__always) func between(_ index: Int) -> SIMD4<Double> {
                            let (a, b, c) = (samples[index], samples[index + 1], samples[index + 2])
                            return SIMD4<Double>(at.second * (b - a) + at.third * (c - a) + a)
                        }
                        fields[band] += turn.turned(between(at.first), between(at.first + 8))
                        turn.rise()
                    }
                }
            }
        }
    }
}
