import OssicleCore
import OssicleDSP

/// A sound of one direction in the ambisonic bus.
package enum FieldDirection {
    /// Amplitude of a plane wave of 1 in each channel of a `FieldSums`.
    /// - Parameter direction: head frame (x right, y up, z back), any length; zero or NaN is front.
    package static func gains(_ direction: SIMD3<Float>) -> SIMD16<Float> {
        SIMD16<Float>(SphericalHarmonics.values(HeadDirection.unit(direction)))
    }
}

/// A gain for each channel of the bus.
extension SIMD16: RampValue where Scalar == Float {
    /// A straight line, as `FieldSums.add` has it.
    @inlinable package static func between(_ start: Self, _ target: Self, frame: Int, of frames: Int) -> Self {
        start + (target - start) * (Float(Int32(truncatingIfNeeded: frame)) * (1 / Float(frames)))
    }
}

extension Ramp<SIMD16<Float>> {
    var isSilent: Bool { isIdle && target == .zero }

    /// Moves to `gains`; a ramp that moves there already continues.
    mutating func approach(_ gains: SIMD16<Float>, frames: Int) {
        if gains != target { setTarget(gains, frames: frames) }
    }
}

extension Spatializer {
    /// Frames by which the bus delays sound from the front.
    package var fieldDelay: Double {
        if case .binaural(let cell) = self {
            Double(latency + AmbisonicHRTFTable.lead - cell.table.leastDelay) + Double(cell.table.frontDelay)
        } else {
            0
        }
    }
}
