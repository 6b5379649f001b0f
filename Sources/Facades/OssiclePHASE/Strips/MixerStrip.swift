import OssicleAcoustics
import OssicleCore
import OssicleDSP
import OssicleRender
import OssicleSoundEvents

/// The running form of one mixer in one sound event: a strip that its voices share.
final class MixerStrip {
    enum Renderer {
        case spatial(ControlledBox<SpatialRenderer>)
        case ambient(ControlledBox<AmbientRenderer>)
        case ambisonic(ControlledBox<AmbisonicRenderer>)
        case channels(ControlledBox<ChannelRenderer>)
        /// Only voices that are unheard for want of room play into it: its levels are followed, nothing is rendered.
        case virtual
    }

    let blueprint: MixerBlueprint
    let renderer: Renderer
    /// Its first reflections, where its pipeline has them.
    let early: ControlledBox<EarlyReflectionsRenderer>?
    /// Channels it takes from each voice.
    let inputChannels: Int
    let sourceDirectivity: Directivity
    let listenerDirectivity: Directivity
    /// What the renderer was last given.
    var equalizer = SolvedEqualizer()
    var sendEqualizer = SolvedEqualizer()
    /// Whether a plan with it has been in place.
    var isPlanned = false
    /// Ways around edges and off surfaces: from the first moment on in which the scene's geometry is asked for them.
    private(set) var ways: ControlledBox<PathsRenderer>?
    var bentWays = WaySlots(count: PathsRenderer.sharpCount)
    var mirroredWays = WaySlots(count: PathsRenderer.softCount)

    init(blueprint: MixerBlueprint, renderer: Renderer, early: ControlledBox<EarlyReflectionsRenderer>? = nil, inputChannels: Int, sourceDirectivity: Directivity = .omnidirectional,
         listenerDirectivity: Directivity = .omnidirectional) {
        (self.blueprint, self.renderer, self.inputChannels) = (blueprint, renderer, inputChannels)
        self.early = early
        (self.sourceDirectivity, self.listenerDirectivity) = (sourceDirectivity, listenerDirectivity)
    }

    /// A sound field's ears since it was made.
    var ears = GivenEars()
    /// What its levels were made of at the last update.
    var level = StripLevel()
    /// Whether a spatial strip's path goes on, and what its renderer was last told.
    var motion = PathMotion()
    var told = SpatialRenderer.Parameters.silent(rampFrames: 0)
    /// How an ambient strip's bed is turned.
    var turning = BedMotion()

    /// Engine time since which only unheard voices play into it; nil while one is heard.
    var unheardSince: Int64?

    var isVirtual: Bool {
        if case .virtual = renderer { true } else { false }
    }

    /// - Returns: whether the plan has to change.
    func addWays(_ make: () -> PathsRenderer) -> Bool {
        guard ways == nil, !isVirtual, case .spatial(let spatial) = blueprint.kind, spatial.direct != nil || spatial.earlyReflections != nil else { return false }
        ways = ControlledBox(make())
        return true
    }

    /// What is rendered, and what keeps it; nil for a virtual strip.
    var body: (reference: RendererReference, owner: AnyObject)? {
        switch renderer {
        case .spatial(let box): (.spatial(box.pointer), box)
        case .ambient(let box): (.ambient(box.pointer), box)
        case .ambisonic(let box): (.ambisonic(box.pointer), box)
        case .channels(let box): (.channels(box.pointer), box)
        case .virtual: nil
        }
    }

    /// Frames it goes on sounding after its input has fallen silent.
    var tail: Int64 {
        guard case .spatial(let box) = renderer else { return 1024 }
        return Int64(max(box.control.tail, early?.control.tail ?? 0, ways?.control.tail ?? 0))
    }
}

extension MixerBlueprint {
    var isSpatial: Bool {
        if case .spatial = kind { true } else { false }
    }

    /// Channels a sound has to have for this mixer; nil where any number is folded to one.
    var inputChannelCount: Int? {
        switch kind {
        case .spatial: nil
        case .ambient(let bed, _), .channel(let bed): bed.labels.count
        }
    }
}

extension MixerBlueprint.Distance {
    /// Amplitude factor at `distance` metres.
    func gain(at distance: Double, unitsPerMeter: Double) -> Double {
        switch law {
        case .constant: 1
        case .geometric(let rolloff): DistanceLaw.geometricSpreading(rolloff: rolloff).gain(at: distance)
        case .envelope(let envelope): max(envelope.evaluate(distance * unitsPerMeter), 0)
        }
    }
}

extension Directivity {
    init(captured: MixerBlueprint.Directivity?) {
        switch captured {
        case nil:
            self = .omnidirectional
        case .cardioid(let bands):
            self.init(bands.map { SubBand(frequency: $0.frequency, pattern: .cardioid(pattern: $0.pattern, sharpness: $0.sharpness)) })
        case .cone(let bands):
            self.init(bands.map { band in
                SubBand(frequency: band.frequency, pattern: .cone(innerAngle: band.innerAngle, outerAngle: band.outerAngle, outerGain: band.outerGain))
            })
        }
    }
}
