import OssicleCore

/// The field in a box whose six walls react locally, by its modes.
///
/// Across two axes the field is a sum of modes of the lossy walls at this very frequency; along the third, that on
/// which source and listener are farthest apart, the sum is known: two waves and their reflections.
///
///     G = 4π Σ φₘ(y)φₘ(y₀)/Λₘ · φₙ(z)φₙ(z₀)/Λₙ · g(x, x₀),     g″ − γ² g = −δ,  γ² = qₘ² + qₙ² + κ²,  κ = s/c
///     φ = cos qy + (κβ₀/q) sin qy,    (q² − κ²β₀β₁) sin qL = κ(β₀ + β₁) q cos qL
///
/// (Morse and Ingard, *Theoretical Acoustics*, ch. 9.) Terms fall as e^(−γ|x − x₀|), so that the direct sound is in it,
/// too. Relative to the direct sound at 1 m.
package struct BoxWaves: Sendable {
    /// Metres.
    package let size: Vector
    /// Low and high x, low and high y, low and high z.
    package let walls: [WallAdmittance]
    package let speedOfSound: Double

    /// - Parameter walls: six.
    package init(size: Vector, walls: [WallAdmittance], speedOfSound: Double) {
        (self.size, self.speedOfSound) = (size, speedOfSound)
        self.walls = walls.count == 6 ? walls : [WallAdmittance](repeating: .rigid, count: 6)
    }

    /// Nepers after which terms count as over.
    private static let enough = 8.0
    /// Across, radians per metre beyond the frequency's: up to which sums go where source and listener are nearer than
    /// 13 cm.
    private static let finest = 60.0

    /// Fields by point and frequency; places from the lowest corner along the axes, within the box.
    package func fields(
        from source: Vector, at points: [Vector], _ band: WaveBand, workers: WorkerPool = .shared
    ) -> [[Complex]] {
        guard let first = points.first else { return [] }
        let offset = first - source
        var along = 0
        for axis in 1..<3 where abs(offset[axis]) > abs(offset[along]) { along = axis }
        return fields(from: source, at: points, along: along, band, workers: workers)
    }

    /// - Parameter along: the axis whose sum is known.
    func fields(
        from source: Vector, at points: [Vector], along: Int, _ band: WaveBand, workers: WorkerPool = .shared
    ) -> [[Complex]] {
        let found = workers.map(count: band.count) { index in
            self.fields(from: source, at: points, along: along, band.s(index))
        }
        return points.indices.map { point in found.map { $0[point] } }
    }

    private func fields(from source: Vector, at points: [Vector], along: Int, _ s: Complex) -> [Complex] {
        let kappa = s * (1 / speedOfSound)
        let (second, third) = ((along + 1) % 3, (along + 2) % 3)
        let near = points.map { abs($0[along] - source[along]) }.min() ?? 0
        let reach = min(Self.enough / max(near, 1e-3), Self.finest) + kappa.magnitude
        let rows = axis(second, s, kappa).modes(upTo: reach, from: source[second], to: points.map { $0[second] })
        let columns = axis(third, s, kappa).modes(upTo: reach, from: source[third], to: points.map { $0[third] })
        let line = axis(along, s, kappa)
        var sums = [Complex](repeating: .zero, count: points.count)
        for row in rows {
            for column in columns {
                let gamma = (row.square + column.square + kappa * kappa).squareRoot
                guard gamma.re * near < Self.enough, gamma.re < reach else { break }
                for point in points.indices {
                    let across = row.products[point] * column.products[point]
                    sums[point] += across * line.field(gamma, from: source[along], to: points[point][along])
                }
            }
        }
        return sums.map { $0 * (4 * DeterministicMath.pi) }
    }

    private func axis(_ axis: Int, _ s: Complex, _ kappa: Complex) -> BoxAxis {
        BoxAxis(
            length: size[axis], kappa: kappa, low: walls[2 * axis].value(s), high: walls[2 * axis + 1].value(s))
    }
}

/// One axis of a box at one frequency.
struct BoxAxis {
    let length: Double
    /// s/c.
    let kappa: Complex
    /// Admittances of the walls at its ends.
    let low, high: Complex

    struct Mode {
        /// q².
        let square: Complex
        /// φ(x)φ(x₀)/Λ by point.
        let products: [Complex]
    }

    /// e^(−γ|x − x₀|) with what both walls reflect.
    func field(_ gamma: Complex, from source: Double, to point: Double) -> Complex {
        let (near, far) = (min(source, point), max(source, point))
        let (first, last) = (reflection(gamma, low), reflection(gamma, high))
        let whole = Complex.one - first * last * (gamma * (-2 * length)).exponential
        let left = Complex.one + first * (gamma * (-2 * near)).exponential
        let right = Complex.one + last * (gamma * (2 * (far - length))).exponential
        return (gamma * (near - far)).exponential * left * right / (gamma * whole * 2)
    }

    private func reflection(_ gamma: Complex, _ wall: Complex) -> Complex {
        (gamma - kappa * wall) / (gamma + kappa * wall)
    }

    /// By rising wave number.
    func modes(upTo reach: Double, from source: Double, to points: [Double]) -> [Mode] {
        let count = Int(reach * length / DeterministicMath.pi) + 2
        return waveNumbers(count).map { mode($0, source, points) }
    }

    private func mode(_ q: Complex, _ source: Double, _ points: [Double]) -> Mode {
        guard (q * length).magnitude > 1e-9 else {
            return Mode(square: .zero, products: points.map { _ in Complex(1 / length) })
        }
        let h = kappa * low / q
        func shape(_ x: Double) -> Complex {
            let turn = (q * x).sincos
            return turn.cos + h * turn.sin
        }
        let (sin, cos) = (q * length).sincos
        let half = sin * cos / (q * 2)
        let (square, cross) = (h * h, h * sin * sin / q)
        let norm = (Complex.one + square) * (length / 2) + half * (Complex.one - square) + cross
        let scale = shape(source) / norm
        return Mode(square: q * q, products: points.map { shape($0) * scale })
    }

    /// The first `count` roots, followed from the rigid walls' nπ/L as the admittances grow to what they are; in finer
    /// steps where two have met.
    func waveNumbers(_ count: Int) -> [Complex] {
        let sum = kappa * (low + high)
        guard sum.magnitude * length > 1e-12 else {
            return (0..<count).map { Complex(Double($0) * DeterministicMath.pi / length) }
        }
        var steps = 2 + Int(min(2 * sum.magnitude * length, 200))
        var found: [Complex] = []
        for _ in 0..<3 {
            found = (0..<count).map { root($0, steps: steps) }
            let isDistinct = zip(found, found.dropFirst()).allSatisfy { ($0 - $1).magnitude * length > 1e-3 }
            if isDistinct { break }
            steps *= 8
        }
        return found
    }

    private func root(_ number: Int, steps: Int) -> Complex {
        let (sum, product) = (kappa * (low + high), kappa * kappa * low * high)
        var q = Complex(Double(number) * DeterministicMath.pi / length)
        for step in 1...steps {
            let t = Double(step) / Double(steps)
            let (a, b) = (product * (t * t), sum * t)
            if number == 0, step == 1 { q = (b * (1 / length) + a).squareRoot }
            for _ in 0..<(step == steps ? 8 : 3) {
                let (sin, cos) = (q * length).sincos
                let (bent, straight) = (q * q - a, b * q)
                let error = bent * sin - straight * cos
                let growth = (bent * cos + straight * sin) * length
                let slope = growth + q * sin * 2 - b * cos
                guard slope.squaredMagnitude > 0 else { break }
                let change = error / slope
                q = q - change
                if change.squaredMagnitude < 1e-26 * q.squaredMagnitude { break }
            }
        }
        return q
    }
}
