import Foundation
import OssicleSoundEvents

/// How the level of a spatial mixer falls with the distance between source and listener.
open class PHASEDistanceModelParameters: NSObject {
    /// Where the sound fades out for good. Default nil: it is never culled by distance.
    open var fadeOutParameters: PHASEDistanceModelFadeOutParameters?

    /// Apple's base class cannot be made on its own; the argument keeps `NSObject`'s `init()` from being inherited.
    init(unpublished: Void = ()) { super.init() }

    var law: MixerBlueprint.Distance.Law { .constant }

    final var blueprint: MixerBlueprint.Distance {
        MixerBlueprint.Distance(law: law, cullDistance: fadeOutParameters?.cullDistance)
    }
}

/// Sound that thins out as it spreads: distance to the power of −rolloffFactor.
open class PHASEGeometricSpreadingDistanceModelParameters: PHASEDistanceModelParameters {
    /// 1 loses 6 dB per doubling of the distance, 0 nothing, 2 twice the dB. Default 1; clamped to 0 and up.
    @Clamped(0...(.greatestFiniteMagnitude)) open var rolloffFactor = 1

    /// A roll-off of 1, without a distance at which sound is culled.
    public init() { super.init(unpublished: ()) }

    override var law: MixerBlueprint.Distance.Law { .geometric(rolloff: rolloffFactor) }
}

/// A level that follows an envelope: x is the distance, y the linear gain.
open class PHASEEnvelopeDistanceModelParameters: PHASEDistanceModelParameters {
    /// From distance to linear gain.
    open private(set) var envelope: PHASEEnvelope

    /// A level that follows an envelope.
    public init(envelope: PHASEEnvelope) {
        self.envelope = envelope
        super.init(unpublished: ())
    }

    override var law: MixerBlueprint.Distance.Law { .envelope(envelope.envelope) }
}

/// The distance beyond which a sound is not rendered; it has faded to silence before.
open class PHASEDistanceModelFadeOutParameters: NSObject {
    /// In the engine's units of length, at least 1.
    open var cullDistance: Double { distance }
    @Clamped(1...(.greatestFiniteMagnitude)) private var distance = .greatestFiniteMagnitude

    /// - Parameter cullDistance: clamped to 1 and up; NaN never culls.
    public init(cullDistance: Double) {
        super.init()
        distance = cullDistance
    }
}

/// Which parts of the sound between source and listener a spatial mixer renders, and how loud each.
open class PHASESpatialPipeline: NSObject {
    /// The parts there are.
    public struct Flags: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Straight from source to listener, through what is between.
        public static var directPathTransmission: Flags { Flags(rawValue: 1 << 0) }
        /// The first reflections, from a preset's room or from the scene's surfaces.
        public static var earlyReflections: Flags { Flags(rawValue: 1 << 1) }
        /// The reverberation around the listener.
        public static var lateReverb: Flags { Flags(rawValue: 1 << 2) }

        static let all: Flags = [.directPathTransmission, .earlyReflections, .lateReverb]

        var categories: [PHASESpatialCategory] {
            [
                (Flags.directPathTransmission, PHASESpatialCategory.directPathTransmission),
                (.earlyReflections, .earlyReflections), (.lateReverb, .lateReverb),
            ].filter { contains($0.0) }.map(\.1)
        }
    }

    /// The parts it renders.
    open private(set) var flags: Flags
    /// One entry per flag.
    open private(set) var entries: [PHASESpatialCategory: PHASESpatialPipelineEntry]

    /// Flags that mean nothing are dropped. nil when none is left.
    public init?(flags: PHASESpatialPipeline.Flags) {
        let known = flags.intersection(.all)
        guard !known.isEmpty else { return nil }
        self.flags = known
        entries = Dictionary(uniqueKeysWithValues: known.categories.map { ($0, PHASESpatialPipelineEntry()) })
        super.init()
    }
}

/// How loud one part of a spatial pipeline is.
open class PHASESpatialPipelineEntry: NSObject {
    /// Linear. Default 1; clamped to 0…1. Captured at registration; the meta-parameter's value multiplies it.
    @Clamped(0...1) open var sendLevel = 1
    /// What moves the level while a sound event plays. Default nil.
    open var sendLevelMetaParameterDefinition: PHASENumberMetaParameterDefinition?

    public override init() { super.init() }
}

/// A part of the sound from source to listener; key of a pipeline's entries.
///
/// The raw strings of Apple's constants are not published; ours are their C names.
public struct PHASESpatialCategory: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Straight from source to listener, and through what stands between.
    public static let directPathTransmission = PHASESpatialCategory(
        rawValue: "PHASESpatialCategoryDirectPathTransmission")
    /// The first reflections.
    public static let earlyReflections = PHASESpatialCategory(rawValue: "PHASESpatialCategoryEarlyReflections")
    /// What the room makes of the sound after them.
    public static let lateReverb = PHASESpatialCategory(rawValue: "PHASESpatialCategoryLateReverb")
}
