import OssicleCore

extension MultibandCompressor {
    package struct Parameters: BitwiseCopyable, Hashable, Sendable {
        /// dB, −40 … 40, before and behind.
        package var pregain: Float = 0
        package var postgain: Float = 0
        /// Hz, 20 … half the sample rate. One that lies below the one before it counts as equal to it.
        package var crossovers = SIMD3<Float>(120, 700, 3000)
        /// dB, −100 … 0, from the lowest band up.
        package var thresholds = SIMD4<Float>(-22, -32, -33, -36)
        /// dB, 0.1 … 40.
        package var headrooms = SIMD4<Float>(5, 12, 5, 7.5)
        /// Seconds, 0.001 … 0.2 and 0.01 … 3, of all bands.
        package var attackTime: Float = 0.08
        package var releaseTime: Float = 0.12
        /// dB, −20 … 20, of each band behind its compressor.
        package var equalization = SIMD4<Float>.zero

        package init() {}

        var attack: Float { attackTime.held(0.001...0.2, otherwise: 0.08) }
        var release: Float { releaseTime.held(0.01...3, otherwise: 0.12) }
        var before: Float { Self.amplitude(pregain.held(-40...40, otherwise: 0)) }
        var behind: Float { Self.amplitude(postgain.held(-40...40, otherwise: 0)) }

        /// Compression only: no level is low enough to be expanded.
        func law(_ band: Int) -> DynamicsLaw {
            DynamicsLaw(threshold: thresholds[band].held(-100...0, otherwise: 0), headRoom: headrooms[band].held(0.1...40, otherwise: 5),
                        expansionThreshold: -200, expansionRatio: 1)
        }

        func gain(_ band: Int) -> Float { Self.amplitude(equalization[band].held(-20...20, otherwise: 0)) }

        func rising(_ sampleRate: Double) -> SIMD3<Float> {
            let range = 20...max(Float(sampleRate / 2), 20)
            let first = crossovers.x.held(range, otherwise: 120)
            let second = max(crossovers.y.held(range, otherwise: 700), first)
            return SIMD3(first, second, max(crossovers.z.held(range, otherwise: 3000), second))
        }

        private static func amplitude(_ decibels: Float) -> Float { Float(Decibels.amplitude(Double(decibels))) }
    }
}
