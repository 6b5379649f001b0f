import OssicleCore

extension DiffractionSolver {
    /// Edges beside a path that are looked at; and where bodies stand in for theirs.
    private static var fringeCount: Int { 8 }
    private static var countAmongBodies: Int { 24 }

    /// The factor by which edges nearby change sound that comes straight: ½ where the path touches a long edge, 1 away
    /// from all.
    ///
    /// It is what `Fringes` makes of the eight edges with the shortest detours, below 1 m. Where the path passes one of
    /// them into shadow, `paths` continues with |D| of this one, from the same direction and after the same length.
    /// - Returns: amplitude factors, for two places that see each other.
    @_specialize(where Tracer == SceneTracer)
    package func lit(from source: Vector, to listener: Vector) -> OctaveBands {
        let shadows = BodyShadows(self, from: source, to: listener)
        let slots = SlotFields(self, from: source, to: listener, isFree: true)
        let fringes = fringes(from: source, to: listener, isFree: true, shadows: shadows, slots: slots).all(waves)
        let beside = shadows.isEmpty ? fringes : fringes * shadows.gains(waves)
        return slots.isEmpty ? beside : beside * slots.gains(waves)
    }

    /// The same for an image: edges beside the last part of its path act on it.
    func lit(fromImage image: Vector, to listener: Vector, _ access: EdgeAccess) -> OctaveBands {
        fringes(from: image, to: listener, isFree: true, access).all(waves)
    }

    /// The edges around a path. Of those on one side, the near and the far edge of a wall, the nearest counts whole:
    /// the next ones have w = 1 − cos² of the angle between the directions in which they lie.
    /// - Parameter isFree: whether the path is: an edge that it touches it then passes, whatever roundings say.
    func fringes(
        from source: Vector, to listener: Vector, isFree: Bool, _ access: EdgeAccess = EdgeAccess(),
        shadows: BodyShadows = BodyShadows(), slots: SlotFields = SlotFields()
    ) -> Fringes {
        let offset = listener - source
        let distance = offset.magnitude
        guard distance.isFinite, let direction = offset.direction else { return Fringes() }
        var sides: [Vector] = []
        var result = Fringes()
        for candidate in edges.nearest(
            from: source, to: listener, standing: [.sees, .parts],
            count: shadows.isEmpty ? Self.fringeCount : Self.countAmongBodies,
            longest: distance + Fringe.widest)
        {
            let wedge = edges.wedge(candidate.place)
            let place = wedge.shortestPlace(source, listener)
            let (point, test) = (wedge.point(at: place), wedge.testPoint(at: place))
            let aside = point - source
            let isTouched = isFree && place >= 0 && place <= wedge.length && candidate.length - distance < 1e-7
            let isPassed = candidate.standing.contains(.sees) || isTouched
            // Past the boundary an edge lies beyond the path, and still on the side it came from.
            let side = ((aside - direction * aside.dot(direction)).direction ?? .zero) * (isPassed ? 1 : -1)
            let rest = shadows.rest(ofSet: candidate.place.set) * slots.rest(ofSet: candidate.place.set)
            let weight = sides.reduce(rest) { weight, other in
                let cosine = max(side.dot(other), 0)
                return weight * (1 - cosine * cosine)
            }
            guard weight > 1e-3, probe.isFree(from: source, over: wedge, at: test, to: listener, access),
                isExposed(wedge, at: test)
            else { continue }
            sides.append(side)
            if let fringe = Fringe(wedge, from: source, to: listener, isLit: isPassed) {
                if isPassed { result.passed.append((fringe, weight)) } else { result.parting.append((fringe, weight)) }
            }
        }
        return result
    }

    /// The diffraction path at the edge that a free path passes closest: the one that `paths` continues with where the
    /// edge comes between. Gains of 1.
    ///
    /// - Returns: nil where no edge is within a detour of 0.2 m.
    package func brink(from source: Vector, to listener: Vector) -> SoundPath? {
        let distance = (listener - source).magnitude
        guard distance.isFinite, distance > 1e-3 else { return nil }
        for candidate in edges.nearest(
            from: source, to: listener, standing: .sees, count: Self.fringeCount, longest: distance + 0.2)
        {
            let wedge = edges.wedge(candidate.place)
            let place = wedge.shortestPlace(source, listener)
            let test = wedge.testPoint(at: place)
            guard probe.isFree(from: source, over: wedge, at: test, to: listener), isExposed(wedge, at: test)
            else { continue }
            return path(
                [wedge.point(at: place)], edges.identity(candidate.place), gains: .ones, source: source,
                listener: listener)
        }
        return nil
    }
}

/// What an edge beside a free path adds to it: −½ where the path touches the edge, less and less, in rings, further
/// away. Also what one adds whose endless line would part the two, but which ends before the path: at a screen's corner
/// a quarter is hidden, −⅜ by one edge and +⅛ by the other.
///
/// Rings fade as octave bands blur them, and towards `widest` metres of detour the edge fades altogether.
struct Fringe {
    let diffraction: EdgeDiffraction
    let detour: Double
    private let strength: Double
    /// Whether the path begins on a face of the edge, so that sound and reflection arrive as one.
    private let isGrazing: Bool

    static let widest = 1.0

    /// Nil where the edge is too far away.
    /// - Parameters:
    ///   - isLit: whether the ends see each other past the endless edge.
    ///   - carriedBefore, carriedAfter: metres the sound travels before `start` and after `end`.
    init?(
        _ wedge: Wedge, from start: Vector, to end: Vector, isLit: Bool = true, carriedBefore: Double = 0,
        carriedAfter: Double = 0
    ) {
        diffraction = EdgeDiffraction(
            wedge, from: start, to: end, isLit: isLit, carriedBefore: carriedBefore, carriedAfter: carriedAfter)
        let straight = (end - start).magnitude
        let length = diffraction.before + diffraction.after
        detour = max(length - straight, 0)
        guard detour < Fringe.widest else { return nil }
        let nearness = 1 - (detour / Fringe.widest) * (detour / Fringe.widest)
        strength = nearness * nearness * straight / length
        isGrazing = wedge.isFace(wedge.angle(wedge.planar(start))) || wedge.isFace(wedge.angle(wedge.planar(end)))
    }

    /// D, re the free path.
    func amplitude(_ wavelength: Double, _ number: Double) -> Phasor {
        let blur = OctaveBlur.left(ofRings: 2 * detour / wavelength)
        guard blur > 0 else { return .zero }
        // What grazes a face counts half, because half of it is reflection.
        let whole =
            isGrazing
            ? diffraction.amplitude(wavelength, number) * 0.5 : diffraction.amplitudeBesideFaces(wavelength, number)
        return (whole * (blur * strength)).delayed(by: number * detour)
    }

    /// |1 + D|.
    func factor(_ waves: WaveNumbers) -> OctaveBands { waves.bands { (Phasor.one + amplitude($0, $1)).magnitude } }
}

/// What the edges around a path do to it together, with D as `Fringe` has it and w how much of it counts.
struct Fringes {
    typealias Weighted = (fringe: Fringe, weight: Double)

    /// Of edges that the path passes.
    var passed: [Weighted] = []
    /// Of edges whose face would part it if it went on: edges that end beside the path, and those on the far side of
    /// what is passed.
    var parting: [Weighted] = []

    /// |Π (1 + w D)| of what is passed: to first order |1 + Σ w D|, and as a product the same before and after one of
    /// several edges comes between.
    func passing(_ waves: WaveNumbers) -> OctaveBands {
        guard !passed.isEmpty else { return .ones }
        return waves.bands { product($0, $1).magnitude }
    }

    /// |Π (1 + w D) + Σ w D|, with the sum over what is parting: behind an edge these are paths of their own.
    func all(_ waves: WaveNumbers) -> OctaveBands {
        guard !parting.isEmpty else { return passing(waves) }
        return waves.bands { wavelength, number in
            parting.reduce(product(wavelength, number)) { $0 + $1.fringe.amplitude(wavelength, number) * $1.weight }
                .magnitude
        }
    }

    @inline(__always) private func product(_ wavelength: Double, _ number: Double) -> Phasor {
        passed.reduce(.one) { $0 * (Phasor.one + $1.fringe.amplitude(wavelength, number) * $1.weight) }
    }
}
