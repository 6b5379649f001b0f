import OssicleDSP

/// Sorts directions onto the eight corners of the cube around the head. Control side.
package final class CubePanner: @unchecked Sendable {
    private let panner: VBAPPanner
    /// Of a cube's corner above its middle: asin 1/√3, in degrees.
    private static let elevation = 35.264389682754654

    private let isBinaural: Bool

    package init(_ spatializer: Spatializer) {
        if case .binaural = spatializer { isBinaural = true } else { isBinaural = false }
        let corners = (0..<DiffuseEars.cornerCount).map { index in
            let (isRight, isUp, isBehind) = (index & 1 != 0, index & 2 != 0, index & 4 != 0)
            return SpeakerLayout.Speaker(azimuth: (isRight ? -1 : 1) * (isBehind ? 135 : 45), elevation: (isUp ? 1 : -1) * Self.elevation)
        }
        panner = VBAPPanner(SpeakerLayout(corners))
    }

    /// Loudspeakers play the corners in phase: amplitudes that add up to 1. Ears get them in phase only where waves are longer than the head is
    /// wide: half-way, in decibels, between amplitudes and powers that add up to 1, at most 2.4 dB too loud below and too soft above.
    /// - Parameter direction: head frame, any length.
    package func gains(_ direction: SIMD3<Float>) -> SIMD8<Float> {
        var gains = SIMD8<Float>.zero
        withUnsafeTemporaryAllocation(of: Float.self, capacity: DiffuseEars.cornerCount) { memory in
            guard let base = memory.baseAddress else { return }
            panner.gains(direction, into: base)
            for corner in 0..<DiffuseEars.cornerCount { gains[corner] = base[corner] }
        }
        let sum = gains.sum()
        return gains / (isBinaural ? (sum * (gains * gains).sum().squareRoot()).squareRoot() : sum)
    }
}
