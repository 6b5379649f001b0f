import OssicleCore

/// The screens with slots between two places, see `SlotField`.
struct SlotFields {
    private var found: [(screen: SlottedScreen, field: SlotField)] = []

    init() {}

    /// - Parameter isFree: whether the two see each other.
    init<Tracer: RayTracer>(
        _ solver: DiffractionSolver<Tracer>, from start: Vector, to end: Vector, isFree: Bool
    ) {
        guard !solver.edges.screens.isEmpty else { return }
        let tracer = solver.tracer
        // From the same end both ways, so that exchanging them changes no bit.
        let (first, last) = (end.x, end.y, end.z) < (start.x, start.y, start.z) ? (end, start) : (start, end)
        var hiding: Set<Int32> = []
        if !isFree {
            var crossings: [Crossing] = []
            tracer.findCrossings(from: first, to: last, into: &crossings)
            hiding = Set(crossings.map(\.occluder))
        }
        for screen in solver.edges.screens where hiding.isSubset(of: screen.occluders) {
            // What anything else hides comes by the edges of that.
            let field = SlotField(screen, from: first, to: last) { !tracer.isBlocked(from: $0, to: $1) }
            guard let field, field.isFree == isFree else { continue }
            found.append((screen, field))
        }
    }

    var isEmpty: Bool { found.isEmpty }

    /// How much the edges of a set count by themselves.
    func rest(ofSet set: Int) -> Double {
        found.reduce(1) { $1.screen.sets.contains(set) ? $0 * (1 - $1.field.strength) : $0 }
    }

    /// Amplitude factors of the straight path, where it is free.
    func gains(_ waves: WaveNumbers) -> OctaveBands {
        found.reduce(.ones) { gains, found in
            gains * waves.bands { 1 + found.field.strength * (found.field.energy($0, $1).squareRoot() - 1) }
        }
    }

    /// Paths where screens hide one end from the other: those around the upright edges louder or softer together, so
    /// that they have the energy of the field.
    /// - Parameter distance: from source to listener, metres.
    func settled(_ paths: [SoundPath], over distance: Double, _ waves: WaveNumbers) -> [SoundPath] {
        var paths = paths
        for (screen, field) in found {
            let own = paths.indices.filter { screen.holds(paths[$0].corners) }
            paths = paths.levelled(own, over: distance, waves) { _, wavelength, number in
                PathLevel(energy: field.energy(wavelength, number), strength: field.strength)
            }
        }
        return paths
    }
}

extension SlottedScreen {
    /// Whether all corners of a path are on upright edges of the screen.
    fileprivate func holds(_ corners: [Vector]) -> Bool {
        corners.allSatisfy { corner in
            let offset = corner - origin
            let place = offset.dot(along)
            return offset.dot(across).magnitude < depth + 0.01
                && walls.contains { (place - $0.from).magnitude < 0.01 || (place - $0.to).magnitude < 0.01 }
        }
    }
}
