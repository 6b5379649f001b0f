import OssicleAcoustics
import OssicleCore

/// One source and one listener.
package struct RirPair: Sendable {
    package let source: Vector
    package let listener: Pose
    /// nil for a source that is the same all around.
    package let emission: SourceEmission?

    package init(source: Vector, listener: Pose, emission: SourceEmission? = nil) {
        (self.source, self.listener, self.emission) = (source, listener, emission)
    }
}

extension Pose {
    /// A listener who looks along −z, turned.
    /// - Parameters:
    ///   - yaw: degrees to the left. - pitch: degrees up, −90…90. - facing: a position to look at, in place of both.
    package init(listenerAt position: Vector, yaw: Double = 0, pitch: Double = 0, facing: Vector? = nil) {
        let ahead =
            facing.flatMap { ($0 - position).direction } ?? HeadDirection.vector(azimuth: yaw, elevation: pitch)
        // Who looks straight up has the right hand where it was.
        let right = ahead.cross(Vector(0, 1, 0)).direction ?? HeadDirection.vector(azimuth: yaw - 90, elevation: 0)
        self.init(position: position, right: right, up: right.cross(ahead), back: -ahead)
    }
}

extension AcousticQuality {
    /// What commands and manifests call the qualities.
    package enum Name: String, Sendable, CaseIterable {
        case low, medium, high, reference

        package var quality: AcousticQuality {
            switch self {
            case .low: .low
            case .medium: .medium
            case .high: .high
            case .reference: .reference
            }
        }
    }
}

extension AcousticQuality {
    /// Rays, and reflections in a row, in place of the quality's; nil for those.
    package mutating func replace(rays: Int?, order: Int?) {
        self.rays = rays ?? self.rays
        guard let order else { return }
        reflectionOrder = order
        // Rays begin above that order: what it has must not be left out for its number.
        reflections = ImageSourceSolver<SceneTracer>.mostImages
    }
}

/// What was computed for a pair.
package struct RirResult: Sendable {
    package let pair: RirPair
    /// What reaches each place where sound has to be known, the listener first.
    package let acoustics: [SourceAcoustics]
    package let late: EnergyResponse
    package let squared: SquaredResponse
    package let metrics: RoomMetrics
    /// By how much other rays would change the metrics; nil where it was not asked for, and without rays.
    package let errors: RoomMetrics?
    package let response: ImpulseResponse
    /// The quantities of the response itself; nil where they were not asked for.
    package let measured: ResponseMetrics?
}

/// Computes responses: paths straight, around edges and over mirrors, rays for all else, and the sound of both.
package struct RirSolver<Tracer: RayTracer> {
    let tracer: Tracer
    let quality: AcousticQuality
    let seed: UInt64
    package let synthesiser: ResponseSynthesiser
    /// Seconds; nil for as long as anything is heard.
    let length: Double?
    let workers: WorkerPool
    /// Whether results have standard errors, which cost eight times what the metrics do.
    private let findsErrors: Bool
    /// Nil where paths and rays are the low end, too.
    private let waves: WaveOptions?
    /// Whether rays count by their angle to the ears, for lateral quantities.
    private let hearsSides: Bool
    /// Whether the response itself is measured, too.
    private let measures: Bool
    /// For speech transmission indices with levels.
    private let speech: SpeechConditions?
    private let solver: GeometrySolver<Tracer>

    /// Seconds traced where no length is asked for.
    private static var longest: Double { 12 }
    /// About the part of the work that rays are; the rest is the sound.
    private static var raysShare: Double { 0.9 }
    /// Seconds of one bin of the rays' energies.
    private static var binWidth: Double { 0.002 }

    package init(
        tracer: Tracer, quality: AcousticQuality, seed: UInt64, synthesiser: ResponseSynthesiser, length: Double?,
        workers: WorkerPool, findsErrors: Bool = false, hearsSides: Bool = true, measures: Bool = false,
        speech: SpeechConditions? = nil, waves: WaveOptions? = nil
    ) {
        (self.tracer, self.quality, self.seed, self.synthesiser, self.length, self.workers) = (
            tracer, quality, seed, synthesiser, length, workers
        )
        (self.findsErrors, self.hearsSides, self.measures) = (findsErrors, hearsSides, measures)
        (self.speech, self.waves) = (speech, waves)
        solver = GeometrySolver(tracer: tracer, quality: quality, seed: seed)
    }

    /// - Parameter progress: called on any thread with the share of the work that is done, 0 … 1.
    package func result(
        for pair: RirPair, progress: @escaping @Sendable (_ share: Double) -> Void = { _ in }
    ) throws(ResponseError) -> RirResult {
        let medium = tracer.scene.medium
        let places = synthesiser.receiver.places(around: pair.listener)
        try checkOrder(pair, places)
        try checkWaves(pair)
        let heard = workers.map(count: places.count) { self.paths(pair, to: places[$0]) }
        let atListener = places.first == pair.listener.position ? heard.first : nil
        let acoustics = atListener ?? paths(pair, to: pair.listener.position)
        let (late, parts) = rays(pair) { progress($0 * Self.raysShare) }
        let ears = hearsSides ? pair.listener.right : nil
        let squaring: @Sendable (EnergyResponse) -> SquaredResponse = {
            SquaredResponse(
                direct: acoustics.direct, paths: acoustics.diffractions + acoustics.reflections, late: $0,
                medium: medium, ears: ears)
        }
        let squared = squaring(late)
        let part = LatePart(energy: late, start: acoustics.direct.centreDistance / medium.speedOfSound).continued(
            to: length ?? Self.longest)
        let seconds = length ?? duration(heard, part)
        let frames = max(Int((seconds * synthesiser.sampleRate).rounded()), 1)
        var response = try synthesiser.response(
            heard, late: part, listener: pair.listener, frameCount: frames, workers: workers)
        if let waves {
            let part = WavePart(
                tracer: tracer, receiver: synthesiser.receiver, sampleRate: synthesiser.sampleRate, options: waves)
            response = try part.crossed(response, from: pair.source, to: pair.listener, workers: workers)
        }
        progress(1)
        let metrics = RoomMetrics(squared, speech: speech)
        return RirResult(
            pair: pair, acoustics: [acoustics] + (atListener == nil ? heard : Array(heard.dropFirst())), late: late,
            squared: squared,
            metrics: metrics,
            errors: RoomMetrics.standardErrors(
                late: late, parts: parts, speech: speech, workers: workers, response: squaring),
            response: response, measured: measures ? self.metrics(of: response, strength: metrics.strength) : nil)
    }

    /// - Parameter strength: of the energies, for the level of speech.
    private func metrics(of response: ImpulseResponse, strength: OctaveBands) -> ResponseMetrics? {
        // What a head makes of a sound from ahead is not 1.
        let reference: Double? = synthesiser.receiver.kind == .ears ? nil : 1
        // Of a sound field's first order N3D has √3 times SN3D, which is what is measured.
        let isN3D = if case .ambisonic(_, isN3D: true) = synthesiser.receiver { true } else { false }
        // Of a field no more than its first order is measured.
        let heard = synthesiser.receiver.kind == .field ? response.channels.prefix(4) : response.channels[...]
        let channels = heard.enumerated().map { number, samples in
            let weight = isN3D && (1...3).contains(number) ? 1 / 3.0.squareRoot() : 1
            return samples.map { Double($0) * weight }
        }
        return ResponseMetrics(
            channels, sampleRate: response.sampleRate,
            kind: synthesiser.receiver.kind, reference: reference, hasNoise: false, speech: speech,
            strength: strength, workers: workers)
    }

    /// Rays take what paths do not, so an order that cannot be reached everywhere is an error.
    private func checkOrder(_ pair: RirPair, _ places: [Vector]) throws(ResponseError) {
        let reached = (places + [pair.listener.position]).map { solver.reachableOrder(from: pair.source, to: $0) }
        guard let least = reached.min(), least < quality.reflectionOrder else { return }
        throw ResponseError(
            "\(quality.reflectionOrder) reflections in a row are more than can be followed here: 3 are in any scene, more only inside an empty box of no more than \(ImageSourceSolver<Tracer>.mostImages) images, or where no more than \(ImageSourceSolver<Tracer>.mostPlanes) planes reflect and show the source in no more than \(ImageSourceSolver<Tracer>.mostBeams) images; choose an order of at most \(least)."
        )
    }

    /// Waves start from a point that is the same all around, and are heard as pressure.
    private func checkWaves(_ pair: RirPair) throws(ResponseError) {
        guard waves != nil, pair.emission != nil || !synthesiser.pattern.isOmnidirectional else { return }
        throw ResponseError(
            "A response with waves has neither a directivity of its source nor a pattern of its microphone: leave out the two, or the waves."
        )
    }

    private func paths(_ pair: RirPair, to listener: Vector) -> SourceAcoustics {
        let source = pair.source
        let candidates = solver.wantsCandidates ? solver.candidates(of: source, at: listener) : nil
        let acoustics = solver.paths(DirectPathQuery(source: .point(source), listener: listener), trying: candidates)
        return pair.emission?.applied(to: acoustics) ?? acoustics
    }

    private func rays(
        _ pair: RirPair, _ progress: @escaping @Sendable (_ share: Double) -> Void
    ) -> (whole: EnergyResponse, parts: [EnergyResponse]) {
        let none = EnergyResponse(binWidth: Self.binWidth, binCount: 0)
        guard quality.rays > 0 else { return (none, []) }
        var settings = RaySettings(
            rays: quality.rays, bounces: quality.bounces, specularFrom: quality.reflectionOrder + 1,
            binWidth: Self.binWidth, duration: length ?? Self.longest, hearsRoom: false)
        settings.ears = hearsSides ? pair.listener.right : nil
        settings.parts = findsErrors ? RoomMetrics.errorParts : 0
        let tracer = LateTracer(tracer: tracer, settings: settings, seed: seed)
        let found = tracer.trace(
            sources: [pair.source], emissions: pair.emission.map { [$0] } ?? [], listener: pair.listener.position,
            workers: workers, progress: progress)
        return (found.sources.first ?? none, found.parts.first ?? [])
    }

    /// Up to the last path, and until rays have less than a millionth of a band's energy left; of more than three
    /// reflections in a row only paths within 60 dB of the direct sound in the open count.
    private func duration(_ acoustics: [SourceAcoustics], _ late: LatePart) -> Double {
        let lengths = acoustics.flatMap { heard in
            let distance = heard.direct.centreDistance
            let paths = (heard.diffractions + heard.reflections).filter { path in
                guard case .reflection(let order) = path.kind, order > ImageSource.highestOrder else { return true }
                return Double(path.bandGains.lanes.max()) * distance > path.length * 1e-3
            }
            return [distance] + paths.map(\.length)
        }
        let last = (lengths.max() ?? 0) / tracer.scene.medium.speedOfSound + 0.05
        return min(max(last, late.end(below: 60)), 60)
    }
}
