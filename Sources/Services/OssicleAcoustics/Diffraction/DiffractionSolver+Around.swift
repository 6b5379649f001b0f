import OssicleCore

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
        let occluders = Set(crossings.map(\.occluder))
        guard let whole = shadows.wholeness(occluders, waves) else {
            return Around(straight: .zeros, paths: paths)
        }
        let beside = fringes(from: source, to: listener, isFree: false, shadows: shadows).passing(waves)
        let field = shadows.gains(waves) * beside
        var strengths = OctaveBands.zeros
        for (band, strength) in shadows.levelling(occluders).enumerated() { strengths[band] = Float(strength) }
        // What no path around an edge is found for arrives straight.
        guard !paths.isEmpty else {
            return Around(straight: field * (whole + whole.map { 1 - $0 } * strengths), paths: [])
        }
        let distance = (listener - source).magnitude
        let parts = paths.levelled(Array(paths.indices), over: distance, waves) { band, _, _ in
            let level = Double(field[band])
            return PathLevel(energy: level * level, strength: Double(strengths[band]), most: nil)
        }.joining(field, whole: whole, strengths: strengths, over: distance, waves)
        return Around(straight: parts.straight, paths: parts.paths)
    }
}
