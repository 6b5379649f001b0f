import OssicleCore

/// Finds how much of a source arrives directly, through or past whatever stands in the way.
///
///     E = Σ wᵢ τᵢ / Σ wᵢ over points i of the source,   gain = √E per band
///
/// τᵢ is what `TransmissionRule` leaves of the ray to point i (1 in sight), wᵢ the point's 1/r² where the source is a
/// body. Points buried in other geometry do not count, unless all are. Pure: the same scene, source and listener give
/// the same bytes.
package struct DirectPathSolver<Tracer: RayTracer>: Sendable {
    package let tracer: Tracer
    package let transmission: TransmissionRule

    package init(tracer: Tracer, transmission: TransmissionRule = TransmissionRule()) {
        self.tracer = tracer
        self.transmission = transmission
    }

    /// A path takes some twenty microseconds, as does waking a thread.
    private static var fewestToShare: Int { 8 }

    /// Solves many paths, shared out over `workers`. Results stand in the order of the queries and do not depend on the
    /// workers.
    @_specialize(where Tracer == SceneTracer)
    package func solveAll(_ queries: [DirectPathQuery], workers: WorkerPool = .shared) -> [DirectPath] {
        workers.map(count: queries.count, fewest: Self.fewestToShare) {
            solve(source: queries[$0].source, listener: queries[$0].listener)
        }
    }

    @_specialize(where Tracer == SceneTracer)
    package func solve(source: SourceGeometry, listener: Vector) -> DirectPath {
        if case .point(let position, let radius) = source,
            let path = openPath(from: position, radius: radius, to: listener)
        {
            return path
        }
        let probe = SourceProbe(source, seenFrom: listener, in: tracer.scene)
        let distance = (probe.centre - listener).magnitude
        guard distance.isFinite else { return .silent }
        let tally = tally(probe, listener)
        return DirectPath(
            bandGains: tally.energy.map { Float((Double($0) / tally.weight).squareRoot()) },
            visibleShare: tally.visibleWeight / tally.weight,
            effectiveDistance: probe.isBody ? (Double(tally.rays) / tally.weight).squareRoot() : distance,
            centreDistance: distance,
            direction: DirectPathSolver.direction(tally, probe, listener: listener),
            obstacles: tally.obstacles(of: tracer.scene))
    }

    /// The answer without a ray where no surface reaches into the beam from the listener to the source's ball; nil
    /// where one does.
    @_specialize(where Tracer == SceneTracer)
    package func openPath(from position: Vector, radius: Double = 0.1, to listener: Vector) -> DirectPath? {
        guard isOpen(from: position, radius: radius, to: listener) else { return nil }
        var path = DirectPath.silent
        path.open(from: position, to: listener)
        return path
    }

    /// Whether `openPath` has that answer, which a path then takes where it lies (`DirectPath.open`): it is large.
    @_specialize(where Tracer == SceneTracer)
    package func isOpen(from position: Vector, radius: Double = 0.1, to listener: Vector) -> Bool {
        let reach = radius.isFinite ? max(radius, 0) : 0
        return (position - listener).magnitude.isFinite
            && tracer.obstacles(of: Beam(from: listener, toBallAt: position, radius: reach), atMost: 0)?.isEmpty == true
    }

    /// Sums over the points that count.
    private func tally(_ probe: SourceProbe, _ listener: Vector) -> PathTally {
        var free = PathTally(isBody: probe.isBody)
        let beam = probe.beam(from: listener)
        let obstacles = tracer.fewObstacles(of: beam)
        if probe.isBody, let obstacles, obstacles.isEmpty {
            free.addOpen(probe, to: listener)
            return free
        }
        var buried = PathTally(isBody: probe.isBody)
        var passages = RayPassages(transmission, in: tracer.scene)
        func length(_ point: Vector) -> Double { transmission.correctsThickness ? (point - listener).magnitude : 0 }
        func add(_ point: Vector, _ weight: Double) {
            let isBuried =
                switch probe.burial {
                case .none: false
                case .hidden(let heart): tracer.isBlocked(from: heart, to: point)
                case .inside: passages.endsInside
                }
            if isBuried {
                buried.add(passages, weight: weight, from: point, to: listener)
            } else {
                free.add(passages, weight: weight, from: point, to: listener)
            }
        }
        if let obstacles {
            var crossings: [Crossing] = []
            for (point, weight) in zip(probe.points, probe.weights) {
                obstacles.findCrossings(from: listener, to: point, into: &crossings)
                crossings.withUnsafeMutableBufferPointer { passages.follow($0, length: length(point)) }
                add(point, weight)
            }
        } else {
            var bundle = BundleCrossings()
            tracer.findCrossings(from: listener, to: probe.points, within: beam, into: &bundle)
            for (index, point) in probe.points.enumerated() {
                passages.follow(bundle.take(index), length: length(point))
                add(point, probe.weights[index])
            }
        }
        return free.rays > 0 ? free : buried
    }

    /// A point is heard from its centre, moved by as much as the loud part of its ball lies beside the middle of the
    /// ball; a body from the mean direction of its energy.
    private static func direction(_ tally: PathTally, _ probe: SourceProbe, listener: Vector) -> Vector {
        let towardsCentre = (probe.centre - listener).direction ?? .zero
        if probe.isBody { return (tally.loudDirection / tally.loudness).direction ?? towardsCentre }
        let shift = tally.loudPlace / tally.loudness - tally.place / Double(tally.rays)
        return (probe.centre + shift - listener).direction ?? towardsCentre
    }
}

extension DirectPathSolver where Tracer == SceneTracer {
    package init(scene: AcousticScene, transmission: TransmissionRule = TransmissionRule()) {
        self.init(tracer: SceneTracer(scene), transmission: transmission)
    }
}

/// One path to solve.
package struct DirectPathQuery: Sendable {
    package var source: SourceGeometry
    package var listener: Vector

    package init(source: SourceGeometry, listener: Vector) {
        (self.source, self.listener) = (source, listener)
    }
}
