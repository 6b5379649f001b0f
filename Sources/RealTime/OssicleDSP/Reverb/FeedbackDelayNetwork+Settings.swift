import OssicleCore

extension FeedbackDelayNetwork {
    /// What is fixed when a network is made.
    package struct Settings: BitwiseCopyable, Hashable, Sendable {
        package var sampleRate: Double
        /// 4V/S over the speed of sound, in seconds: the scale of the delays. Held within 7 and 35 ms for the lines' sake.
        package var meanFreeTime: Double
        /// Longest `Parameters.start` that can be asked for, in seconds.
        package var longestStart: Double
        /// Chooses lengths and signs.
        package var seed: UInt64

        package init(sampleRate: Double, meanFreeTime: Double, longestStart: Double = 0.3, seed: UInt64 = 0) {
            self.sampleRate = sampleRate.isFinite ? min(max(sampleRate, 8000), 768_000) : 48000
            self.meanFreeTime = meanFreeTime.isFinite ? min(max(meanFreeTime, 0.007), 0.035) : 0.015
            self.longestStart = longestStart.isFinite ? min(max(longestStart, 0), 2) : 0.3
            self.seed = seed
        }
    }

    /// What may change while sound runs: the late field in the terms of room acoustics.
    package struct Parameters: BitwiseCopyable, Hashable, Sendable {
        /// Reverberation time per octave in seconds, held within 0.05 … 60 s.
        package var t60: OctaveBands
        /// Reverberant energy per second at the moment of emission, relative to the direct sound's energy at 1 m: 4πc/V in a diffuse field.
        package var energyDensity: Double
        /// What each octave has of that, where a scene gives them levels of their own; and seconds from emission at which it has it.
        private(set) var bandDensities = OctaveBands.ones
        private(set) var densityTime = 0.0
        /// Seconds from emission to the start of the tail (the mixing time). Earlier sound is the early reflections' business.
        package var start: Double

        package init(t60: OctaveBands, energyDensity: Double, start: Double) {
            self.t60 = t60.map { $0.isFinite ? min(max($0, 0.05), 60) : 1 }
            self.energyDensity = energyDensity.isFinite ? max(energyDensity, 0) : 0
            self.start = start.isFinite ? max(start, 0) : 0
        }

        /// The diffuse field of a room of `volume` cubic metres.
        package init(t60: OctaveBands, volume: Double, start: Double, speedOfSound: Double = 343.2) {
            self.init(t60: t60, energyDensity: 4 * DeterministicMath.pi * speedOfSound / max(volume, 0.1), start: start)
        }

        /// A tail whose whole energy at mid frequencies (mean T60 of 500 Hz and 1 kHz) is `lateLevel` dB re the direct sound at 1 m.
        package init(t60: OctaveBands, lateLevel: Double, start: Double) {
            self.init(t60: t60, energyDensity: 1, start: start)
            energyDensity = Decibels.energy(min(max(lateLevel, -200), 60)) / lateEnergyPerDensity
        }

        /// A tail with an energy of its own in every octave.
        /// - Parameter energy: after `start`, re the direct sound's at 1 m; not finite or below 0 counts as 0.
        package init(t60: OctaveBands, energy: OctaveBands, start: Double) {
            self.init(t60: t60, energyDensity: 1, start: start)
            densityTime = self.start
            for band in 0..<OctaveBands.count {
                bandDensities[band] = energy[band].isFinite ? max(energy[band], 0) * 13.8155 / self.t60[band] : 0
            }
        }

        /// Amplitude of an octave's tail `waited` seconds after emission, re that of a density of 1 at once.
        func amplitude(_ band: Int, after waited: Float) -> Float {
            bandDensities[band].squareRoot() * Float(DeterministicMath.exp(Double(-6.907_755 * (waited - Float(densityTime)) / t60[band])))
        }

        /// Energy after `start` at mid frequencies, in dB re the direct sound at 1 m.
        package var lateLevel: Double { Decibels.of(energy: energyDensity * lateEnergyPerDensity) }

        /// ∫ e^(−13.8 t/T) dt from `start` on.
        private var lateEnergyPerDensity: Double {
            let middle = Double(t60[4] + t60[5]) / 2
            return Double(bandDensities[4] + bandDensities[5]) / 2 * middle / 13.8155 * DeterministicMath.exp(-13.8155 * (start - densityTime) / middle)
        }
    }
}
