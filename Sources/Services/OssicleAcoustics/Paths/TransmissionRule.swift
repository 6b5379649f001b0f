import OssicleCore

/// What is left of the sound after everything on a direct path.
///
/// A solid costs its loss once, however it is modelled: the way in and the way out are a pair. The way out of a solid
/// that holds the source, and into one that holds the listener, cost it once as well. An open surface costs its loss
/// each time it is crossed. The losses of all of them add in dB, so energies multiply, down to −80 dB in all. Where a
/// pair's two faces are of different materials, the larger loss counts in each band.
package struct TransmissionRule: Sendable, Hashable {
    /// Whether a solid's loss is corrected by 20 log₁₀(d/d_ref), within −10…+15 dB, for the thickness d crossed.
    ///
    /// Off by default: scenes model walls as boxes of any depth and hollow things as closed shapes, and a material's
    /// table is to hold for them as it stands. A cardboard box 0.3 m deep is not 0.3 m of cardboard.
    package var correctsThickness: Bool

    package init(correctsThickness: Bool = false) { self.correctsThickness = correctsThickness }

    /// −80 dB: no building is tighter, because sound finds its way around.
    package static let leastEnergy = OctaveBands(repeating: 1e-8)

    /// What one occluder does to one ray.
    struct Passage {
        /// Share of the energy that passes.
        var energy = OctaveBands.ones
        /// Whether the ray ends inside the occluder.
        var endsInside = false
    }

    /// - Parameters:
    ///   - crossings: this occluder's, in order along the path; they are used up. - length: of the path, in metres.
    func passage(
        _ crossings: UnsafeMutableBufferPointer<Crossing>, solid: PlacedMeshes.Solid, length: Double
    ) -> Passage {
        var passage = Passage()
        // The entries still without a way out stack up in the places of crossings already dealt with.
        var top = 0
        for index in crossings.indices {
            let crossing = crossings[index]
            let alone = solid.transmitted[Int(crossing.element)]
            if !crossing.isClosed {
                passage.energy.lanes *= alone.lanes
            } else if let entry = TransmissionRule.entry(of: crossing, in: crossings[..<top]) {
                let both = pair(crossings[entry], crossing, solid: solid, length: length)
                passage.energy.lanes *= both.lanes
                for place in entry..<(top - 1) { crossings[place] = crossings[place + 1] }
                top -= 1
            } else if crossing.turn < 0 {
                // Out of a solid that was never entered: it holds the start of the path.
                passage.energy.lanes *= alone.lanes
            } else {
                crossings[top] = crossing
                top += 1
            }
        }
        for entry in crossings[..<top] { passage.energy.lanes *= solid.transmitted[Int(entry.element)].lanes }
        passage.endsInside = top > 0
        return passage
    }

    /// The entry that belongs to a crossing that may be a way out: of the same piece, else of a solid whose cavity this
    /// piece is.
    private static func entry(
        of crossing: Crossing, in entries: Slice<UnsafeMutableBufferPointer<Crossing>>
    ) -> Int? {
        guard crossing.turn <= 0, !entries.isEmpty else { return nil }
        return entries.lastIndex { $0.piece == crossing.piece }
            ?? (crossing.turn < 0 ? entries.lastIndex { $0.turn > 0 } : nil)
    }

    private func pair(_ entry: Crossing, _ exit: Crossing, solid: PlacedMeshes.Solid, length: Double) -> OctaveBands {
        var energy = solid.transmitted[Int(entry.element)]
        if exit.element != entry.element { energy = energy.smaller(solid.transmitted[Int(exit.element)]) }
        let reference = solid.thickness[Int(entry.element)]
        guard correctsThickness, reference > 0 else { return energy }
        let correction = Decibels.of(amplitude: (exit.share - entry.share) * length / reference)
        return energy * Float(Decibels.energy(-min(max(correction, -10), 15)))
    }
}

/// Sums over the rays of one path, in the order of the rays.
struct PathTally {
    let isBody: Bool
    private(set) var rays = 0
    private(set) var weight = 0.0
    /// Energy per band, weighted.
    private(set) var energy = OctaveBands.zeros
    private(set) var visibleWeight = 0.0
    /// Weighted by energy: where it comes from.
    private(set) var loudness = 0.0
    /// Not of bodies in the open, as `place`.
    private(set) var loudPlace = Vector.zero
    /// Summed for bodies only.
    private(set) var loudDirection = Vector.zero
    private(set) var place = Vector.zero
    private var obstacles: [(occluder: Int32, rays: Int, energy: OctaveBands)] = []

    init(isBody: Bool) { self.isBody = isBody }

    mutating func add(_ passages: borrowing RayPassages, weight: Double, from point: Vector, to listener: Vector) {
        rays += 1
        self.weight += weight
        energy.lanes += passages.energy.lanes * Float(weight)
        if passages.isOpen { visibleWeight += weight }
        for passage in passages.each { add(passage.energy, through: passage.occluder) }
        let loud = passages.sum * weight
        loudness += loud
        loudPlace += point * loud
        place += point
        if isBody, let direction = (point - listener).direction { loudDirection += direction * loud }
    }

    /// All points of a body before which there is nothing: what `add` sums for each by itself.
    mutating func addOpen(_ body: SourceProbe, to listener: Vector) {
        var sum: Float = 0
        for (point, weight) in zip(body.points, body.weights) {
            let loud = Double(OctaveBands.count) * weight
            self.weight += weight
            sum += Float(weight)
            loudness += loud
            if let direction = (point - listener).direction { loudDirection += direction * loud }
        }
        rays += body.points.count
        (visibleWeight, energy) = (weight, OctaveBands.ones * sum)
    }

    private mutating func add(_ passed: OctaveBands, through occluder: Int32) {
        if let known = obstacles.firstIndex(where: { $0.occluder == occluder }) {
            obstacles[known].rays += 1
            obstacles[known].energy.lanes += passed.lanes
        } else {
            obstacles.append((occluder, 1, passed))
        }
    }

    func obstacles(of scene: AcousticScene) -> [DirectPath.Obstacle] {
        obstacles.sorted { $0.occluder < $1.occluder }.map { obstacle in
            let occluder = scene.occluders[Int(obstacle.occluder)]
            let mean = obstacle.energy * (1 / Float(obstacle.rays))
            return DirectPath.Obstacle(
                id: occluder.id, name: occluder.name,
                loss: mean.map { Float(min(max(-Decibels.of(energy: Double($0)), 0), 200)) },
                share: Double(obstacle.rays) / Double(rays))
        }
    }
}
