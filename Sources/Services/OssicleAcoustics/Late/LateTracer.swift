import OssicleCore
import Synchronization

/// What rays found of many sources' sound at one listener.
package struct LateResponses: Sendable, Hashable {
    /// In the order asked for.
    package var sources: [EnergyResponse]
    /// That of a source at the listener's own place, without its direct sound; empty where it was not asked for.
    package var room: EnergyResponse
    package var survey: RaySurvey
    /// By source, what each of `RaySettings.parts` shares of the rays found. They add up to the source's response.
    package var parts: [[EnergyResponse]] = []
}

/// Looks for the late part of a scene's sound with rays that leave the listener.
///
/// A source that rays do not reach, in another room behind closed doors, is looked for a second time, with four times
/// the rays, through walls of up to 80 dB.
///
/// Sound takes the same paths in both directions, so rays that start at the listener serve any number of sources, at
/// two rays more at every surface, however many there are. Rays are traced in chunks of a fixed size and their energies
/// added chunk after chunk: the same bytes for any number of workers.
///
///     listener ──ray──▶ surface ──▶ surface ──▶ …      up to `bounces`, −60 dB, or the end of the response
///                          ╎           ╎
///                          ▼           ▼  in sight?
///                        source      source            each adds to a bin by time, in ten bands, and to the octant the ray left into
package struct LateTracer<Tracer: RayTracer>: Sendable {
    package let tracer: Tracer
    package let settings: RaySettings
    package let seed: UInt64

    package init(tracer: Tracer, settings: RaySettings, seed: UInt64 = 0) {
        (self.tracer, self.settings, self.seed) = (tracer, settings, seed)
    }

    /// The responses from all sources to the listener. Places that are none are answered with silence.
    /// - Parameters:
    ///   - emissions: of the sources, in their order; those without one are the same all around.
    ///   - progress: called on any of the workers' threads with the share of the rays that are traced, 0 … 1.
    @_specialize(where Tracer == SceneTracer)
    package func trace(
        sources: [Vector], emissions: [SourceEmission] = [], listener: Vector, workers: WorkerPool = .shared,
        progress: (@Sendable (_ share: Double) -> Void)? = nil
    ) -> LateResponses {
        let found = trace(
            sources: sources, emissions: emissions, listener: listener, surfaces: RaySurfaces(tracer.scene),
            workers: workers, progress: progress)
        let sealed = sources.indices.filter {
            found.sources[$0].isFaint && tracer.isBlocked(from: listener, to: sources[$0])
        }
        guard !sealed.isEmpty else { return found }
        let walls = RaySurfaces(tracer.scene, leastPassed: RaySurface.leastPassed.alone)
        guard walls.passes else { return found }
        let beyond = LateTracer(tracer: tracer, settings: settings.throughWalls, seed: seed).trace(
            sources: sealed.map { sources[$0] },
            emissions: sealed.prefix { $0 < emissions.count }.map { emissions[$0] },
            listener: listener, surfaces: walls, workers: workers, progress: nil)
        return found.replacing(sealed, by: beyond)
    }

    @_specialize(where Tracer == SceneTracer)
    private func trace(
        sources: [Vector], emissions: [SourceEmission], listener: Vector, surfaces: RaySurfaces, workers: WorkerPool,
        progress: (@Sendable (_ share: Double) -> Void)?
    ) -> LateResponses {
        let hollows = HollowPieces(around: surfaces.passes ? sources + [listener] : [], tracer: tracer)
        var targets = sources.map { RayTarget($0, specularFrom: settings.specularFrom, tracer: tracer) }
        // The direct sound of a source in the listener's ear would be infinite.
        if settings.hearsRoom {
            targets.append(RayTarget(listener, specularFrom: max(settings.specularFrom, 1), tracer: tracer))
        }
        let (count, wanted) = (settings.chunkCount, RayTargets(targets, hearsRoom: settings.hearsRoom))
        let traced = Atomic(0)
        let chunks = workers.map(count: count) { index in
            let histogram = walk(
                index, of: count, listener, targets: wanted, emissions: emissions, surfaces: surfaces,
                hollows: hollows)
            progress?(Double(traced.add(1, ordering: .relaxed).newValue) / Double(count))
            return histogram
        }
        return responses(chunks, sources: sources.count)
    }

    /// One worker's share: every so manieth ray, so that each share has rays in all directions.
    @_specialize(where Tracer == SceneTracer)
    private func walk(
        _ chunk: Int, of count: Int, _ listener: Vector, targets: RayTargets, emissions: [SourceEmission],
        surfaces: RaySurfaces, hollows: HollowPieces
    ) -> RayHistogram {
        let histogram = RayHistogram(
            targetCount: targets.all.count, binCount: settings.binCount, binWidth: settings.binWidth,
            hearsSides: settings.ears != nil)
        let speed = tracer.scene.medium.speedOfSound
        let reach = min(settings.duration * speed, tracer.scene.span(from: listener))
        targets.all.withUnsafeBufferPointer { all in
            targets.crowd.withUnsafeBufferPointer { crowd in
                let walk = RayWalk(
                    tracer: tracer, surfaces: surfaces.view, targets: all, crowd: crowd, emissions: emissions,
                    nextEvents: NextEventEstimation(all, hearsRoom: settings.hearsRoom), histogram: histogram.view,
                    hollows: hollows, fan: RayFan(count: settings.rays, seed: seed), ears: settings.ears ?? .zero,
                    seed: seed, bounces: settings.bounces, passedEnergy: settings.passedEnergy,
                    reach: reach, secondsPerMetre: 1 / speed, partOfAll: 4 / Float(settings.rays))
                histogram.escape(walk.walk(stride(from: chunk, to: settings.rays, by: count), from: listener))
            }
        }
        return histogram
    }

    /// Chunk after chunk, independent of which worker is ready first.
    private func responses(_ chunks: [RayHistogram], sources: Int) -> LateResponses {
        let medium = tracer.scene.medium
        var fates = RayFates(binCount: settings.binCount)
        for chunk in chunks { chunk.add(to: &fates) }
        let complete = fates.completeBins(rays: settings.rays)
        let parts = min(settings.parts, chunks.count)
        let air = medium.gains(distance: settings.binWidth * medium.speedOfSound)
        func response(_ target: Int, _ share: StrideTo<Int>? = nil) -> EnergyResponse {
            var response = EnergyResponse(binWidth: settings.binWidth, binCount: settings.binCount)
            if settings.ears != nil { (response.sides, response.products) = (response.bins, response.bins) }
            for index in share ?? stride(from: 0, to: chunks.count, by: 1) {
                chunks[index].add(target: target, to: &response)
            }
            response.completeBins = complete
            if settings.includesAir { response.attenuate(perBin: air * air) }
            return response
        }
        return LateResponses(
            sources: (0..<sources).map { response($0) },
            room: settings.hearsRoom ? response(sources) : EnergyResponse(binWidth: settings.binWidth, binCount: 0),
            survey: RaySurvey(fates, rays: settings.rays, binLength: settings.binWidth * medium.speedOfSound),
            parts: parts > 1
                ? (0..<sources).map { source in
                    (0..<parts).map { response(source, stride(from: $0, to: chunks.count, by: parts)) }
                } : [])
    }
}

extension LateResponses {
    /// With other answers for some sources.
    fileprivate func replacing(_ numbers: [Int], by others: LateResponses) -> LateResponses {
        var result = self
        for (place, number) in numbers.enumerated() {
            result.sources[number] = others.sources[place]
            if number < parts.count, place < others.parts.count { result.parts[number] = others.parts[place] }
        }
        return result
    }
}

extension LateResponses {
    /// Of bodies that sound from several places alike, which follow each other: the mean of each.
    /// - Parameter counts: places of each body.
    func joined(_ counts: [Int]) -> LateResponses {
        var (result, first) = (self, 0)
        result.sources = counts.map { count in
            let places = sources[min(first, sources.count)..<min(first + count, sources.count)]
            first += count
            return places.enumerated().reduce(
                into: EnergyResponse(binWidth: room.binWidth, binCount: room.bins.count)
            ) { $0.approach($1.element, weight: 1 / Float($1.offset + 1)) }
        }
        return result
    }
}

extension EnergyResponse {
    /// Below −50 dB re the direct sound at 1 m in every band: what single rays bring through the seam of two meshes.
    fileprivate var isFaint: Bool { bins.reduce(OctaveBands.zeros, +).lanes.max() < 1e-5 }
}

extension RaySettings {
    /// To look for sources behind walls, which few rays pass.
    fileprivate var throughWalls: RaySettings {
        var settings = self
        (settings.rays, settings.hearsRoom, settings.passedEnergy) = (min(4 * rays, 1 << 24), false, 1e-8)
        return settings
    }
}

extension AcousticScene {
    var bounds: Bounds {
        occluders.reduce(into: Bounds.empty) { box, occluder in box.include(occluder.bounds) }
    }

    /// Metres from a place, or from anywhere in the scene, within which all of the scene lies.
    func span(from place: Vector) -> Double {
        let box = bounds
        return box.isEmpty ? 1 : box.extent.magnitude + (box.centre - place).magnitude + 1
    }
}

extension EnergyResponse {
    /// Takes from each bin what the air takes along the path to its middle.
    /// - Parameter loss: energy factors of one bin's length.
    mutating func attenuate(perBin loss: OctaveBands) {
        var share = loss.map { $0.squareRoot() }
        for bin in bins.indices {
            let before = bins[bin].lanes.total
            bins[bin] = bins[bin] * share
            if bin < sides.count { sides[bin] = sides[bin] * share }
            if bin < products.count { products[bin] = products[bin] * share }
            octants[bin] *= before > 0 ? bins[bin].lanes.total / before : 0
            share = share * loss
        }
    }
}
