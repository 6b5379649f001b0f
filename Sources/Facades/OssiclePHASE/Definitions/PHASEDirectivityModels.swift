import Foundation
import OssicleSoundEvents

/// Level of a source, or of what a listener receives, by direction.
open class PHASEDirectivityModelParameters: NSObject {
    /// Apple's base class cannot be made on its own; the argument keeps `NSObject`'s `init()` from being inherited.
    init(unpublished: Void = ()) { super.init() }

    /// nil is the same in all directions.
    var blueprint: MixerBlueprint.Directivity? { nil }
}

/// A cardioid per frequency; between two frequencies their levels are blended, outside them held.
open class PHASECardioidDirectivityModelParameters: PHASEDirectivityModelParameters {
    /// In the order in which they were given.
    open private(set) var subbandParameters: [PHASECardioidDirectivityModelSubbandParameters]

    /// An empty list is the same in all directions.
    public init(subbandParameters: [PHASECardioidDirectivityModelSubbandParameters]) {
        self.subbandParameters = subbandParameters
        super.init(unpublished: ())
    }

    override var blueprint: MixerBlueprint.Directivity? {
        subbandParameters.isEmpty ? nil : .cardioid(subbandParameters.map(\.blueprint))
    }
}

/// One frequency of a cardioid directivity: |1 − pattern + pattern·cos θ|^sharpness, θ from straight ahead.
open class PHASECardioidDirectivityModelSubbandParameters: NSObject {
    /// Hz. Default 1000; clamped to 20…20000.
    @Clamped(20...20_000) open var frequency = 1000
    /// 0 all round, 0.5 cardioid, 1 dipole. Default 0; clamped to 0…1.
    @Clamped(0...1) open var pattern = 0
    /// Larger is narrower. Default 1; clamped to 1 and up.
    @Clamped(1...(.greatestFiniteMagnitude)) open var sharpness = 1

    public override init() { super.init() }

    var blueprint: MixerBlueprint.CardioidBand {
        MixerBlueprint.CardioidBand(frequency: frequency, pattern: pattern, sharpness: sharpness)
    }
}

/// A cone per frequency; between two frequencies their levels are blended, outside them held.
open class PHASEConeDirectivityModelParameters: PHASEDirectivityModelParameters {
    /// In the order in which they were given.
    open private(set) var subbandParameters: [PHASEConeDirectivityModelSubbandParameters]

    /// An empty list is the same in all directions.
    public init(subbandParameters: [PHASEConeDirectivityModelSubbandParameters]) {
        self.subbandParameters = subbandParameters
        super.init(unpublished: ())
    }

    override var blueprint: MixerBlueprint.Directivity? {
        subbandParameters.isEmpty ? nil : .cone(subbandParameters.map(\.blueprint))
    }
}

/// One frequency of a cone directivity: full inside the inner cone, `outerGain` outside the outer one.
open class PHASEConeDirectivityModelSubbandParameters: NSObject {
    /// Hz. Default 1000; clamped to 20…20000.
    @Clamped(20...20_000) open var frequency = 1000
    /// Linear level outside the outer cone. Default 1; clamped to 0…1.
    @Clamped(0...1) open var outerGain = 1
    @Clamped(0...360) private var inner = 360
    @Clamped(0...360) private var outer = 360

    public override init() { super.init() }

    /// Full opening of the inner cone in degrees. Default 360.
    open var innerAngle: Double { inner }

    /// Full opening of the outer cone in degrees. Default 360.
    open var outerAngle: Double { outer }

    /// Sets both openings, in degrees, each clamped to 0…360. An outer cone narrower than the inner is widened to it.
    open func setAngles(innerAngle: Double, outerAngle: Double) {
        inner = innerAngle
        outer = outerAngle
        outer = max(inner, outer)
    }

    var blueprint: MixerBlueprint.ConeBand {
        MixerBlueprint.ConeBand(frequency: frequency, innerAngle: inner, outerAngle: outer, outerGain: outerGain)
    }
}
