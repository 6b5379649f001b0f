import OssicleAcoustics
import OssicleCore
import OssicleDSP
import OssiclePlayback
import OssicleRender
import OssicleSoundEvents

/// The running form of one mixer in one sound event, which its voices share. Under the engine's lock, which is why what
/// every update looks at needs no check against overlapping accesses.
package final class MixerChannel {
    package enum Renderer {
        case spatial(ControlledBox<SpatialRenderer>)
        case ambient(ControlledBox<AmbientRenderer>)
        case ambisonic(ControlledBox<AmbisonicRenderer>)
        case channels(ControlledBox<ChannelRenderer>)
        /// Only voices beyond the voice limit play into it: its levels are updated, nothing is rendered.
        case virtual
    }

    /// What a spatial channel keeps from update to update.
    struct SpatialState {
        var equalizer = SolvedEqualizer()
        var sendEqualizer = SolvedEqualizer()
        var motion = PathMotion()
        var lastSent = SpatialRenderer.Parameters.silent(rampFrames: 0)
        var slots = ChannelPathSlots()
    }

    /// What was found and written at the last update, so that what stays the same is neither again.
    private struct Known {
        /// Where its source and its listener are among the scene's.
        var places = ScenePlaces()
        /// Levels by the meta-parameters.
        var mix = ChannelMix()
        /// What was written, and when that changed.
        var written: (inputs: ChannelInputs, since: Int64)?
    }

    package let blueprint: MixerBlueprint
    package let renderer: Renderer
    /// Where a spatial channel's renderer, which keeps it, takes its parameters from; nil for all others.
    let spatialCell: LatestValueCell<SpatialRenderer.Parameters>?
    /// Early reflections of the reverb preset's room, where the pipeline has them.
    package let early: ControlledBox<EarlyReflectionsRenderer>?
    /// Of a spatial channel.
    package let laws: ChannelLaws
    /// Diffraction and reflection paths, once sound comes from the scene's geometry.
    @exclusivity(unchecked) package private(set) var paths: ControlledBox<PathsRenderer>?
    /// What a tap receives of it, made when it is first tapped.
    private var tappedEars: RendererBox<BinauralMixRenderer>?
    @exclusivity(unchecked) var spatial = SpatialState()
    @exclusivity(unchecked) private var known = Known()
    /// Whether anything could be heard through it at the last update.
    @exclusivity(unchecked) var isAudible = true
    /// How an ambient channel's bed rotates.
    var bed = BedMotion()
    /// A sound field's filters since it was made.
    package var ears = SentFilters()
    @exclusivity(unchecked) package var level = ChannelLevel()
    /// How its direct sound is rendered.
    @exclusivity(unchecked) package internal(set) var tier = VoiceTier.full
    /// Whether a plan with it has been in place.
    package var isPlanned = false
    /// Engine time since which only inaudible voices play into it; nil while one is audible.
    @exclusivity(unchecked) package var inaudibleSince: Int64?

    package init(
        blueprint: MixerBlueprint, renderer: Renderer, early: ControlledBox<EarlyReflectionsRenderer>? = nil
    ) {
        self.blueprint = blueprint
        self.renderer = renderer
        self.early = early
        laws = ChannelLaws(of: blueprint)
        if case .spatial(let box) = renderer { spatialCell = box.control.cell } else { spatialCell = nil }
    }

    /// Asks for what was found at the last update to be brought near the processor.
    @inline(__always)
    func prefetchKnown() {
        withUnsafePointer(to: &known) { UnsafeRawPointer($0).prefetch(MemoryLayout<Known>.size) }
    }

    /// Channels it takes from each voice.
    package var inputChannels: Int { blueprint.inputChannelCount ?? 1 }

    /// Where the scene has the two, looked up when places have changed.
    func places(of source: UInt64, _ listener: UInt64, _ scene: SceneSnapshot, _ paths: ScenePaths) -> ScenePlaces {
        if known.places.arrangement != paths.arrangement {
            known.places = ScenePlaces(
                arrangement: paths.arrangement, source: scene.place(ofSource: source),
                listener: scene.place(ofListener: listener), path: paths.place(of: source, listener))
        }
        return known.places
    }

    /// Its path in the present arrangement, as the last update has found it; nil where there is none.
    func pathPlace(_ paths: ScenePaths) -> Int? {
        known.places.arrangement == paths.arrangement ? known.places.path : nil
    }

    /// The levels for meta-parameters that have changed.
    func mix(_ event: EventInstance) -> ChannelMix {
        if known.mix.version != event.valuesVersion {
            known.mix = ChannelMix(blueprint, event.currentValues, version: event.valuesVersion)
        }
        return known.mix
    }

    /// Notes what is to be written.
    /// - Parameter restsSince: engine time since which the path is the same; nil while it moves.
    /// - Returns: whether it has to be: what has been the same for long enough is where the renderer is.
    func isDue(_ inputs: ChannelInputs, restsSince: Int64?, at position: Int64) -> Bool {
        guard let restsSince else {
            known.written = nil
            return true
        }
        guard let last = known.written, last.inputs == inputs, last.since <= position else {
            known.written = (inputs, position)
            return true
        }
        return position - max(last.since, restsSince) <= ReceivedPath.longestApproach
    }

    package var isVirtual: Bool {
        if case .virtual = renderer { true } else { false }
    }

    /// - Returns: whether the plan has to change.
    package func addPaths(_ output: OutputStage) -> Bool {
        guard paths == nil, !isVirtual, case .spatial(let spatial) = blueprint.kind,
            spatial.direct != nil || spatial.earlyReflections != nil
        else { return false }
        paths = ControlledBox(output.makePaths(playing: isPlanned))
        known.written = nil
        return true
    }

    /// What is on its way in another output's channel arrives in this one, which does not play yet. While nothing
    /// renders.
    func adoptFlight(of old: MixerChannel, _ output: OutputStage) {
        if case .spatial(let new) = renderer, case .spatial(let old) = old.renderer {
            new.pointer.pointee.adoptFlight(of: old.pointer.pointee)
        }
        if let new = early, let old = old.early { new.pointer.pointee.adoptFlight(of: old.pointer.pointee) }
        guard let old = old.paths, addPaths(output), let new = paths else { return }
        new.pointer.pointee.adoptFlight(of: old.pointer.pointee)
    }

    /// What plays this channel alone where ears listen; nil where loudspeakers play.
    func tappedEars(_ output: OutputStage) -> RendererBox<BinauralMixRenderer>? {
        tappedEars = tappedEars ?? output.makeEars()
        return tappedEars
    }

    /// The source or the listener is out of the scene: all paths fade.
    func leaveScene(rampFrames: Int) {
        spatial.motion.leave()
        early?.control.cell.write(.silent(leaps: spatial.motion.leaps, rampFrames: rampFrames))
        paths?.control.cell.write(PathsRenderer.Parameters(rampFrames: rampFrames))
        spatial.lastSent.directGain = 0
        spatial.lastSent.reverbSend = 0
        spatial.lastSent.rampFrames = rampFrames
    }

    /// What is rendered, and what keeps it; nil for a virtual channel.
    /// - Parameters:
    ///   - targets: what a spatial channel adds to, where ears listen.
    ///   - field: the ambisonic bus that it adds to in the tier `.bus`; nil where there is none.
    package func body(
        _ targets: BinauralTargets?, _ field: FieldTargets?
    ) -> (reference: RendererReference, owner: AnyObject)? {
        switch renderer {
        case .spatial(let box): (.spatial(box.pointer, targets, field), box)
        case .ambient(let box): (.ambient(box.pointer), box)
        case .ambisonic(let box): (.ambisonic(box.pointer), box)
        case .channels(let box): (.channels(box.pointer), box)
        case .virtual: nil
        }
    }

    /// Frames of output after the end of its input.
    package var tail: Int64 {
        guard case .spatial(let box) = renderer else { return 1024 }
        return Int64(max(box.control.tail, early?.control.tail ?? 0, paths?.control.tail ?? 0))
    }
}

/// What a spatial channel's level depends on besides its path.
package struct ChannelLaws {
    package let source: Directivity
    let listener: Directivity
    let distance: MixerBlueprint.Distance?
    /// As loud in all directions: looked at in place of the directivities, which are lists.
    let isSourceEven, isListenerEven: Bool

    fileprivate init(of blueprint: MixerBlueprint) {
        var spatial: MixerBlueprint.Spatial?
        if case .spatial(let settings) = blueprint.kind { spatial = settings }
        source = Directivity(captured: spatial?.sourceDirectivity)
        listener = Directivity(captured: spatial?.listenerDirectivity)
        distance = spatial?.distance
        (isSourceEven, isListenerEven) = (source.subBands.isEmpty, listener.subBands.isEmpty)
    }
}

/// What hangs on the bus of one mixer besides its voices. Under the engine's lock.
package final class MixerOutlets {
    package let inserts = InsertChain()
    package let taps = TapList()

    package init() {}

    /// Whether a client taps the mixer, or has put effects into it.
    var isUsed: Bool { !inserts.units.isEmpty || !taps.all.isEmpty }
}

extension MixerBlueprint {
    package var isSpatial: Bool {
        if case .spatial = kind { true } else { false }
    }

    /// Channels a sound has to have for this mixer; nil where any number is folded to one.
    package var inputChannelCount: Int? {
        switch kind {
        case .spatial: nil
        case .ambient(let bed, _), .channel(let bed): bed.labels.count
        }
    }
}

extension MixerBlueprint.Distance {
    /// Amplitude factor at `distance` metres.
    package func gain(at distance: Double, unitsPerMeter: Double) -> Double {
        switch law {
        case .constant: 1
        case .geometric(let rolloff): DistanceLaw.geometricSpreading(rolloff: rolloff).gain(at: distance)
        case .envelope(let envelope): max(envelope.evaluate(distance * unitsPerMeter), 0)
        }
    }
}

extension Directivity {
    package init(captured: MixerBlueprint.Directivity?) {
        switch captured {
        case nil:
            self = .omnidirectional
        case .cardioid(let bands):
            self.init(
                bands.map {
                    SubBand(frequency: $0.frequency, pattern: .cardioid(pattern: $0.pattern, sharpness: $0.sharpness))
                })
        case .cone(let bands):
            self.init(
                bands.map { band in
                    SubBand(
                        frequency: band.frequency,
                        pattern: .cone(
                            innerAngle: band.innerAngle, outerAngle: band.outerAngle, outerGain: band.outerGain))
                })
        }
    }
}
