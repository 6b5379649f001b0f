import OssicleCore
import OssicleDSP

/// An input of a spatial mixer: a direction and a distance from the listener, as the unit's parameters and properties
/// have them. Pure.
package struct SpatialInput {
    /// How level falls between the reference and the greatest distance. Numbers are AUSpatialMixerAttenuationCurve's.
    package enum Curve: UInt32, Sendable { case power, exponential, inverse, linear }

    /// How far level falls, as the mixer's property has it.
    package struct Distances: Equatable, Sendable {
        /// Metres; nearer, nothing grows louder.
        package var reference: Float = 1
        /// Metres; farther, nothing grows quieter.
        package var maximum: Float = 100
        /// dB at the greatest distance, 0 and up.
        package var attenuation: Float = 40

        package init() {}
    }

    /// Degrees to the right.
    package var azimuth: Float = 0
    /// Degrees up.
    package var elevation: Float = 0
    /// Metres.
    package var distance: Float = 0
    /// dB.
    package var gain: Float = 0
    package var isEnabled = true
    /// Bounds of the product of gain and loss by distance, as amplitudes.
    package var gainRange: ClosedRange<Float> = 0...10
    /// Percent.
    package var reverbBlend: Float = 30
    /// dB at 5 kHz.
    package var occlusion: Float = 0
    package var obstruction: Float = 0
    package var algorithm = SourceMixing.Algorithm.equalPowerPanning
    package var mode = SourceMixing.Mode.spatializeIfMono
    package var bypassesInsideHead = false
    package var attenuates = true
    package var curve = Curve.inverse
    package var distances = Distances()

    package init() {}

    /// What an environment whose distance law is constant makes of it.
    package var mixing: SourceMixing {
        var mixing = SourceMixing()
        let loss = attenuates && mode != .bypass && mode != .ambienceBed ? distanceGain : 1
        let level = Float(Decibels.amplitude(Double(gain)) * loss)
        mixing.volume = isEnabled ? min(max(level, gainRange.lowerBound), gainRange.upperBound) : 0
        (mixing.algorithm, mixing.mode) = (algorithm, mode)
        mixing.bypassesInsideHead = bypassesInsideHead
        mixing.reverbBlend = min(max(reverbBlend / 100, 0), 1)
        (mixing.occlusion, mixing.obstruction) = (occlusion, obstruction)
        let (turn, rise) = (Self.radians(azimuth), Self.radians(elevation))
        let (side, height) = (DeterministicMath.sincos(turn), DeterministicMath.sincos(rise))
        mixing.position =
            SIMD3<Float>(
                Float(side.sin * height.cos), Float(height.sin), Float(-side.cos * height.cos)) * distance
        return mixing
    }

    private static func radians(_ degrees: Float) -> Double { Double(degrees) * DeterministicMath.pi / 180 }

    /// Amplitude. With r, M and L for reference, greatest distance and greatest attenuation: power (r/d)^n with
    /// n = L/(20 log10(M/r)); exponential −L (d − r)/(M − r) dB; inverse r/d; linear 1 − (1 − 10^(−L/20)) (d − r)/(M −
    /// r). None falls below −L dB.
    var distanceGain: Double {
        let (reference, maximum) = (Double(max(distances.reference, 1e-3)), Double(distances.maximum))
        let floor = Decibels.amplitude(-Double(max(distances.attenuation, 0)))
        guard maximum > reference else { return 1 }
        let d = min(max(Double(distance), reference), maximum)
        let share = (d - reference) / (maximum - reference)
        return switch curve {
        case .power:
            DeterministicMath.pow(
                floor, DeterministicMath.log(d / reference) / DeterministicMath.log(maximum / reference))
        case .exponential: DeterministicMath.pow(floor, share)
        case .inverse: max(reference / d, floor)
        case .linear: 1 - (1 - floor) * share
        }
    }
}
