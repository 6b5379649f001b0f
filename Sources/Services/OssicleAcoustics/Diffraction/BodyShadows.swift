import OssicleCore

/// What the convex bodies around a path leave of it together, tones of a band by themselves: 1 − Σ of their shares
/// (`Silhouette`) + Σ of what those beside each other reflect aside with the faces between them (`FacingFace`).
struct BodyShadows {
    private var found: [(body: SceneBody, silhouette: Silhouette)] = []
    private var strips: [(strip: ReflectedStrip, weight: Double)] = []

    /// Bodies looked at, the nearest.
    private static let most = 6

    init() {}

    init<Tracer: RayTracer>(_ solver: DiffractionSolver<Tracer>, from start: Vector, to end: Vector) {
        let (edges, tracer) = (solver.edges, solver.tracer)
        var crossings: [Crossing] = []
        // From the same end both ways, so that exchanging them changes no bit.
        let (first, last) = (end.x, end.y, end.z) < (start.x, start.y, start.z) ? (end, start) : (start, end)
        // Sound that passes a side comes from one end and gets to the other. Other bodies are no obstacle: they take
        // their own share.
        func isClosed(_ middle: Vector, _ outward: Vector) -> Bool {
            let place = middle + outward * EdgeProbe<Tracer>.margin(middle)
            return [first, last].contains { end in
                guard tracer.isBlocked(from: end, to: place) else { return false }
                tracer.findCrossings(from: end, to: place, into: &crossings)
                return crossings.contains { !edges.bodyOccluders.contains($0.occluder) }
            }
        }
        for number in edges.bodies(from: first, to: last, within: Silhouette.widest, count: Self.most) {
            let body = edges.bodies[number]
            guard let silhouette = Silhouette(body, from: first, to: last, isClosed: isClosed) else { continue }
            found.append((body, silhouette))
            for face in edges.facing[number] ?? [] {
                let weight = silhouette.weight * face.weight
                for strip in face.strips(from: first, to: last, edges.bodies, isClosed: isClosed) {
                    strips.append((strip, weight))
                }
            }
        }
    }

    var isEmpty: Bool { found.isEmpty }

    /// How much the edges of a set count by themselves.
    func rest(ofSet set: Int) -> Double {
        found.first { $0.body.set == set }.map { 1 - $0.silhouette.weight } ?? 1
    }

    /// Amplitude factors of the straight path, whether the bodies hide it or not.
    func gains(_ waves: WaveNumbers) -> OctaveBands {
        waves.bands { wavelength, number in
            var (real, imaginary) = (SIMD4<Double>(repeating: 1), SIMD4<Double>.zero)
            for (_, silhouette) in found {
                let (re, im) = silhouette.blocked(wavelength, number)
                (real, imaginary) = (real - re, imaginary - im)
            }
            for (strip, weight) in strips {
                let (re, im) = strip.field(wavelength, number)
                (real, imaginary) = (real + re * weight, imaginary + im * weight)
            }
            let energy = real * real + imaginary * imaginary
            return ((energy.x + energy.y + energy.z + energy.w) / 4).squareRoot()
        }
    }

    /// ka between which what hides a path passes from one wave around it all to paths around its edges; from a detour
    /// of λ/128 on, because where it comes into sight there is one wave.
    private static let passing = (from: 6.0, to: 20.0)
    private static let sighted = 128.0

    /// Where bodies alone hide a path: how much of its sound is one wave around them, by band. Nil where anything else
    /// hides it.
    /// - Parameter occluders: all that hides it.
    func wholeness(_ occluders: Set<Int32>, _ waves: WaveNumbers) -> OctaveBands? {
        let hiding = found.filter { occluders.contains($0.body.occluder) }
        guard !occluders.isEmpty, hiding.count == occluders.count else { return nil }
        let weight = hiding.reduce(1) { $0 * $1.silhouette.weight }
        // Around what is round no edge stands for the sound.
        guard hiding.contains(where: { !$0.body.isRound }) else { return OctaveBands(repeating: Float(weight)) }
        let halfWidth = hiding.reduce(0) { max($0, $1.silhouette.halfWidth) }
        let (from, to) = (DeterministicMath.log(Self.passing.from), DeterministicMath.log(Self.passing.to))
        let detour = hiding.reduce(.infinity) { min($0, $1.silhouette.detour) }
        return waves.bands { wavelength, number in
            let small = Silhouette.fade((to - DeterministicMath.log(number * halfWidth)) / (to - from))
            return weight * (small + (1 - small) * Silhouette.fade(1 - Self.sighted * detour / wavelength))
        }
    }
}

extension DiffractionSolver {
    /// Sound between two places of which bodies hide one from the other.
    package struct Around {
        /// Amplitude factor of what arrives as from the source itself: at long waves bodies are no obstacle, and sound
        /// that passes on either side of one is a single wave.
        package var straight: OctaveBands
        /// The paths by edges, as `paths` gives them, without that share.
        package var paths: [SoundPath]
    }

    /// Whether a body that blocks a path is only touched by it, along an edge or a side: then it hides nothing.
    package func isTouching(from source: Vector, to listener: Vector) -> Bool {
        guard !edges.bodies.isEmpty else { return false }
        var crossings: [Crossing] = []
        tracer.findCrossings(from: source, to: listener, into: &crossings)
        return crossings.isEmpty
    }

    /// What arrives between two places that do not see each other.
    package func around(from source: Vector, to listener: Vector, edges depth: Int = 2, limit: Int = 4) -> Around {
        let paths = paths(from: source, to: listener, edges: depth, limit: limit)
        let shadows = BodyShadows(self, from: source, to: listener)
        guard !shadows.isEmpty else { return Around(straight: .zeros, paths: paths) }
        var crossings: [Crossing] = []
        tracer.findCrossings(from: source, to: listener, into: &crossings)
        guard let whole = shadows.wholeness(Set(crossings.map(\.occluder)), waves) else {
            return Around(straight: .zeros, paths: paths)
        }
        let beside = fringes(from: source, to: listener, isFree: false, shadows: shadows).passing(waves)
        let rest = whole.map { 1 - $0 }
        return Around(straight: shadows.gains(waves) * beside * whole, paths: paths.map { $0.coloured(rest) })
    }
}
