import COssicle
import OssicleCore

/// What goes by an edge of one prism and then by an edge of another one, Σ q D₁D₂X e^(−jkδ) of both orders of
/// `PrismRow`.
///
/// Paths that are 30 dB below the strongest at the lowest tone are left out, and those up to 24 dB below it fade.
struct RowEdges {
    /// An arrival, where the edge of the other prism is so far away.
    private struct Side {
        /// Metres to the edge, and whether sound comes along a side.
        let before: Double
        let isAlong: Bool
        let terms: ossicle_edge_terms
        /// About its amplitude at the lowest tone.
        let most: Double

        /// - Parameters:
        ///   - root: √k of the lowest tone.
        ///   - sine: of the path's angle to the edges.
        init(_ arrival: EdgeArrival, between: Double, root: Double, sine: Double) {
            (before, isAlong) = (arrival.before, arrival.last != nil)
            let whole = before + between
            // √(s s′/(s + s′) sin²β), √metre.
            let reach = (before * between / whole * sine).squareRoot()
            let (c, u) = (SIMD4<Float>(arrival.terms.weights), SIMD4<Float>(arrival.terms.arguments))
            let sides = SIMD2<Float>(arrival.terms.sides)
            var terms = ossicle_edge_terms(
                weights: (c.x, c.y, c.z, c.w), arguments: (u.x, u.y, u.z, u.w), last_weights: (0, 0),
                last_arguments: (0, 0), sides: (sides.x, sides.y), root: Float(reach), last_root: 0,
                is_along: isAlong)
            var most = arrival.terms.most(root * reach)
            if let last = arrival.last {
                let reach = max(last.before * (whole - last.before) / whole * sine, 1e-6).squareRoot()
                let (c, u) = (SIMD2<Float>(last.utd.weights), SIMD2<Float>(last.utd.arguments))
                (terms.last_weights, terms.last_arguments) = ((c.x, c.y), (u.x, u.y))
                terms.last_root = Float(reach)
                most *= 0.5 * last.utd.most(root * reach)
            }
            (self.terms, self.most) = (terms, most)
        }
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
            let side = Side(arrival, between: between, root: root, sine: sine)
            strongest = max(strongest, side.most)
            sides.append(side)
        }
        return strongest
    }

    /// Adds all of them.
    /// - Parameters:
    ///   - fields: of the bands from the first on.
    ///   - isTurned: whether the axes of both prisms run against each other.
    func add(to fields: inout [Tones], isTurned: Bool) {
        let coupled = CoupledEdges(count: fields.count, root)
        let least = pairs.reduce(0) { max($0, $1.most.first * $1.most.second * $1.weight) } * Self.least
        var edge = ossicle_edge()
        // Sound comes to an edge in three ways at most.
        var seconds = [ossicle_edge](repeating: edge, count: 3)
        for pair in pairs {
            let limit = least / pair.weight
            guard pair.most.first * pair.most.second > limit else { continue }
            for (index, two) in pair.second.enumerated() where sides[two].most * pair.most.first > limit {
                coupled.find(sides[two].terms, &seconds[index])
            }
            for one in pair.first where sides[one].most * pair.most.second > limit {
                coupled.find(sides[one].terms, &edge)
                for (index, two) in pair.second.enumerated() where sides[one].most * sides[two].most > limit {
                    let path = EdgePath(plan, sides[one], sides[two], between: pair.between)
                    let share = Silhouette.fade(sides[one].most * sides[two].most / limit - 1)
                    coupled.add(
                        &edge, &seconds[index], correlation: isTurned ? -path.correlation : path.correlation,
                        path.factor * (pair.weight * share), ToneTurn(waves.numbers[first] * path.detour),
                        to: &fields)
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

        @inline(__always) init(_ plan: PrismPlan, _ one: Side, _ two: Side, between: Double) {
            let (before, after) = (one.before, two.before)
            let length = plan.length(before + between + after)
            let square = before * after / ((before + between) * (between + after))
            let spread = plan.straight / length * max(1 - square, 0).squareRoot()
            (detour, correlation) = (max(length - plan.straight, 0), square.squareRoot())
            // −j, and −e^(−jπ/4)/2 of each edge before.
            var factor = Phasor(real: 0, imaginary: -spread)
            let turn = Phasor(real: -0.125.squareRoot(), imaginary: 0.125.squareRoot())
            if one.isAlong { factor = factor * turn }
            if two.isAlong { factor = factor * turn }
            self.factor = factor
        }
    }
}
