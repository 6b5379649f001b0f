import Foundation
import OssicleSoundEvents

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
