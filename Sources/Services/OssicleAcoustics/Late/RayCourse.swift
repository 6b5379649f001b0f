import OssicleCore

/// Where one ray of the late part goes, for a picture.
package struct RayCourse: Sendable, Hashable {
    /// From the listener to the surfaces that it meets one after the other; the last point may be in the open.
    package var points: [Vector] = []
    /// Energy at 1 kHz that is left on the way to each point but the first, 1 at the listener.
    package var energies: [Float] = []
}

extension LateTracer {
    /// The first surfaces that some of the rays meet which `trace` sends, spread evenly over all directions: the same
    /// rays with the same random numbers. Where `trace` later splits a ray, or leaves it to chance whether it continues,
    /// these go on alone.
    /// - Parameters:
    ///   - count: of rays, at most. - most: surfaces that are shown, at most. - sources: as `trace` has them.
    package func courses(count: Int, most: Int, from listener: Vector, sources: [Vector]) -> [RayCourse] {
        let surfaces = RaySurfaces(tracer.scene)
        let hollows = HollowPieces(around: surfaces.passes ? sources + [listener] : [], tracer: tracer)
        let histogram = RayHistogram(targetCount: 0, binCount: settings.binCount, binWidth: settings.binWidth)
        let speed = tracer.scene.medium.speedOfSound
        let targets = UnsafeBufferPointer<RayTarget>(start: nil, count: 0)
        let walk = RayWalk(
            tracer: tracer, surfaces: surfaces.view, targets: targets,
            crowd: UnsafeBufferPointer(start: nil, count: 0), emissions: [],
            nextEvents: NextEventEstimation(targets, hearsRoom: false), histogram: histogram.view, hollows: hollows,
            fan: RayFan(count: settings.rays, seed: seed), ears: .zero, seed: seed, bounces: settings.bounces,
            passedEnergy: settings.passedEnergy,
            reach: min(settings.duration * speed, tracer.scene.span(from: listener)), secondsPerMetre: 1 / speed,
            partOfAll: 0)
        let shown = min(max(count, 0), settings.rays)
        return withExtendedLifetime((surfaces, histogram)) {
            (0..<shown).map { walk.course(settings.rays * (2 * $0 + 1) / (2 * shown), most: most, from: listener) }
        }
    }
}

extension RayWalk {
    /// - Parameters:
    ///   - index: of the ray in the fan. - most: surfaces, at most.
    fileprivate func course(_ index: Int, most: Int, from listener: Vector) -> RayCourse {
        var ray = start(index, from: listener)
        var others: [Ray] = []
        var course = RayCourse(points: [listener])
        while course.energies.count < min(most, bounces) {
            course.energies.append(ray.energy[BandImportance.middle])
            guard
                let hit = tracer.nearestHit(
                    from: ray.position, towards: ray.direction, within: reach, leaving: ray.ground)
            else {
                course.points.append(ray.position + ray.direction * min(reach, RayCourse.openLength))
                break
            }
            ray.length += hit.distance
            (ray.position, ray.ground) = (hit.position, hit.ground)
            course.points.append(hit.position)
            guard meet(&ray, hit, others: &others) else { break }
        }
        return course
    }
}

extension RayCourse {
    /// Metres that are shown of a ray which meets nothing more.
    fileprivate static let openLength = 3.0
}

extension GeometrySolver {
    /// Courses of rays of `lateResponses` with the same sources, listener and round.
    package func rayCourses(
        count: Int, most: Int, of sources: [Vector], at listener: Vector, round: Int = 0
    ) -> [RayCourse] {
        lateTracer(round: round).courses(count: count, most: most, from: listener, sources: sources)
    }
}
