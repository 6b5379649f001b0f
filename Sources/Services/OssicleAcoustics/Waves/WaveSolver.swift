import OssicleCore

/// The field of a scene at low frequencies as waves: in an empty box by its modes, elsewhere on a grid.
///
/// Walls react locally and let nothing through; their admittances come from the materials' absorption. On a grid sound
/// that leaves the scene through an opening meets ρc two metres on.
package struct WaveSolver<Tracer: RayTracer>: Sendable {
    private let tracer: Tracer
    /// Hz, up to which the field is to be right.
    private let limit: Double
    /// In place of those of the materials, on all surfaces.
    private let wall: WallAdmittance?
    private let rooms: [BoxRoom]

    /// Cells of a grid at most: 3,700 m³ up to 200 Hz.
    package static var mostCells: Int { 6_000_000 }
    /// Cells in the shortest wave: waves along an axis are 0.16 % slow there, diagonal ones 0.11 % fast.
    private static var cellsPerWave: Double { 20 }
    /// Metres of air around an open scene.
    private static var margin: Double { 2 }

    /// - Parameters:
    ///   - limit: Hz, up to which waves are right to 0.2 %. - wall: in place of those of the materials.
    package init(tracer: Tracer, limit: Double, wall: WallAdmittance? = nil) {
        (self.tracer, self.limit, self.wall) = (tracer, limit, wall)
        rooms = BoxRoom.emptyRooms(ReflectorSet(tracer.scene))
    }

    /// Fields by point and frequency, re the direct sound at 1 m.
    /// - Parameters:
    ///   - points: the first counts for what a point must be. - seconds: of a response in time.
    package func fields(
        from source: Vector, at points: [Vector], _ band: WaveBand, seconds: Double, workers: WorkerPool = .shared
    ) throws(WaveError) -> [[Complex]] {
        guard source.isFinite, points.allSatisfy(\.isFinite), let listener = points.first else {
            throw WaveError("A source or listener is at no place: give finite coordinates.")
        }
        if let room = rooms.first(where: { $0.contains(source) && $0.contains(listener) }) {
            return box(room).fields(
                from: room.inner(source), at: points.map { room.inner($0) }, band, workers: workers)
        }
        return try onGrid(source, points, band, seconds: seconds, workers: workers)
    }

    private func box(_ room: BoxRoom) -> BoxWaves {
        let centre = room.frame.position + room.frame.vector(room.corner + room.size * 0.5)
        let walls = (0..<6).map { side -> WallAdmittance in
            if let wall { return wall }
            let axes = [room.frame.right, room.frame.up, room.frame.back]
            let direction = axes[side / 2] * (side & 1 == 1 ? 1.0 : -1.0)
            let reach = room.size[side / 2]
            guard let hit = tracer.nearestHit(from: centre, towards: direction, within: reach) else { return .rigid }
            let materials = tracer.scene.occluders[Int(hit.occluder)].materials
            return WallAdmittance(absorption: materials[Int(hit.element)].absorption)
        }
        return BoxWaves(size: room.size, walls: walls, speedOfSound: tracer.scene.medium.speedOfSound)
    }

    // MARK: Grid

    private func onGrid(
        _ source: Vector, _ points: [Vector], _ band: WaveBand, seconds: Double, workers: WorkerPool
    ) throws(WaveError) -> [[Complex]] {
        let speed = tracer.scene.medium.speedOfSound
        let grid = try grid(source, points[0])
        let isFree = { (cell: Int, point: Vector) in
            grid.isAir[cell] && !tracer.isBlocked(from: point, to: grid.middle(cell))
        }
        let centre = grid.shares(of: points[0]) { isFree($0, points[0]) }
        guard !centre.isEmpty else {
            throw WaveError(
                "No air leads from the source to the listener: sound through walls has no waves below \(Int(limit)) Hz; leave --waves out."
            )
        }
        let listeners = points.map { point in
            let shares = grid.shares(of: point) { isFree($0, point) }
            return shares.isEmpty ? centre : shares
        }
        let waves = GridWaves(grid, speedOfSound: speed)
        let records = waves.responses(
            from: grid.shares(of: source) { isFree($0, source) }, to: listeners,
            count: max(Int((seconds / waves.step).rounded(.up)), 2), speedOfSound: speed, workers: workers)
        let step = waves.step
        return records.map { record in
            workers.map(count: band.count) {
                GridWaves.spectrum(of: record, grid.slowed(band.s($0), speedOfSound: speed), step: step)
            }
        }
    }

    private func grid(_ source: Vector, _ listener: Vector) throws(WaveError) -> WaveGrid {
        var box = Bounds.empty
        for occluder in tracer.scene.occluders where !occluder.bounds.isEmpty { box.include(occluder.bounds) }
        let isInside = !box.isEmpty && box.contains(point: source) && box.contains(point: listener)
        if isInside {
            let grid = try filled(box, source)
            if !grid.isOpen { return grid }
        }
        box.include(source)
        box.include(listener)
        let margin = Vector(repeating: Self.margin)
        return try filled(Bounds(lower: box.lower - margin, upper: box.upper + margin), source)
    }

    private func filled(_ box: Bounds, _ source: Vector) throws(WaveError) -> WaveGrid {
        var grid = WaveGrid(box, finest: tracer.scene.medium.speedOfSound / (Self.cellsPerWave * limit))
        guard Double(grid.counts.x) * Double(grid.counts.y) * Double(grid.counts.z) <= Double(Self.mostCells) else {
            let extent = box.extent
            throw WaveError(
                "A scene of \(Int(extent.x)) × \(Int(extent.y)) × \(Int(extent.z)) m has more than \(Self.mostCells) cells up to \(Int(limit)) Hz: lower the crossover, or leave --waves out."
            )
        }
        grid.cut(by: tracer.scene, wall: wall)
        let start = grid.shares(of: source) { !tracer.isBlocked(from: source, to: grid.middle($0)) }
        guard let first = start.max(by: { $0.share < $1.share }) else {
            throw WaveError(
                "The source is in a gap narrower than the grid's cells: move it away from the walls, or leave --waves out."
            )
        }
        grid.flood(from: first.cell)
        return grid
    }
}

extension WaveGrid {
    /// Where a grid has what waves have at a frequency: waves are slow in it, by (kh)²/24 (Σ nᵢ⁴ − 1/3) in the
    /// direction n, and (kh)²/90 in the mean.
    func slowed(_ s: Complex, speedOfSound: Double) -> Complex {
        let square = s.im * s.im / (speedOfSound * speedOfSound) * (spacing.lengthSquared / 3)
        return Complex(s.re, s.im * (1 - square / 90))
    }
}

extension GridWaves {
    /// The transfer function of a click from the record of a click up and down: Δt Σ u e^(−snΔt)/(1 − e^(−sΔt)).
    static func spectrum(of record: [Float], _ s: Complex, step: Double) -> Complex {
        let back = (s * -step).exponential
        let sum = record.reversed().reduce(Complex.zero) { $0 * back + Complex(Double($1)) }
        let pulse = Complex.one - back
        guard pulse.squaredMagnitude > 0 else { return .zero }
        return sum * step / pulse
    }
}

extension BoxRoom {
    /// A place from the lowest corner along the box's axes, held within it.
    fileprivate func inner(_ place: Vector) -> Vector {
        pointwiseMin(pointwiseMax(frame.toLocalUnscaled(place) - corner, .zero), size)
    }
}

extension Bounds {
    fileprivate func contains(point: Vector) -> Bool {
        pointwiseMin(lower, point) == lower && pointwiseMax(upper, point) == upper
    }
}
