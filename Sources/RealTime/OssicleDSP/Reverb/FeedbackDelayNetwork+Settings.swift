import OssicleCore

extension FeedbackDelayNetwork {
    /// What is fixed when a network is made.
    package struct Settings: BitwiseCopyable, Hashable, Sendable {
        package var sampleRate: Double
        /// 4V/S over the speed of sound, in seconds: the scale of the delays. Held within 7 and 35 ms for the lines'
        /// sake.
        package var meanFreeTime: Double
        /// Longest `Parameters.start` that can be asked for, in seconds.
        package var longestStart: Double
        /// Frames by which what plays the outputs delays them; taken off the start as far as it is long enough.
        package var latency: Int
        /// Chooses lengths and signs.
        package var seed: UInt64

        package init(
            sampleRate: Double, meanFreeTime: Double, longestStart: Double = 0.3, latency: Int = 0, seed: UInt64 = 0
        ) {
            self.sampleRate = sampleRate.isFinite ? min(max(sampleRate, 8000), 768_000) : 48000
            self.meanFreeTime = meanFreeTime.isFinite ? min(max(meanFreeTime, 0.007), 0.035) : 0.015
            self.longestStart = longestStart.isFinite ? min(max(longestStart, 0), 2) : 0.3
            self.latency = min(max(latency, 0), 1 << 16)
            self.seed = seed
        }
    }

    /// What may change while sound runs: the late field in the terms of room acoustics.
    package struct Parameters: BitwiseCopyable, Hashable, Sendable {
        /// Reverberation time per octave in seconds, held within 0.05 … 60 s.
        package var t60: OctaveBands
        /// Reverberant energy per second at the moment of emission, relative to the direct sound's energy at 1 m: 4πc/V
        /// in a diffuse field.
        package var energyDensity: Double
        /// What each octave has of that, where a scene gives them levels of their own; and seconds from emission at
        /// which it has it.
        private(set) var bandDensities = OctaveBands.ones
        private(set) var densityTime = 0.0
        /// Whether the energy is what counts where a network cannot begin as early as `start`, or the level at each
        /// time.
        private(set) var keepsEnergy = false
        /// Seconds from emission to the start of the tail (the mixing time). Earlier sound is the early reflections'
        /// business.
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

        /// A tail whose whole energy at mid frequencies (mean T60 of 500 Hz and 1 kHz) is `lateLevel` dB re the direct
        /// sound at 1 m.
        package init(t60: OctaveBands, lateLevel: Double, start: Double) {
            self.init(t60: t60, energyDensity: 1, start: start)
            energyDensity = Decibels.energy(min(max(lateLevel, -200), 60)) / lateEnergyPerDensity
        }

        /// A tail with an energy of its own in every octave.
        /// - Parameter energy: after `start`, re the direct sound's at 1 m; not finite or below 0 counts as 0.
        package init(t60: OctaveBands, energy: OctaveBands, start: Double) {
            self.init(t60: t60, energyDensity: 1, start: start)
            (densityTime, keepsEnergy) = (self.start, true)
            for band in 0..<OctaveBands.count {
                bandDensities[band] = energy[band].isFinite ? max(energy[band], 0) * 13.8155 / self.t60[band] : 0
            }
        }

        /// Amplitude of an octave's tail `waited` seconds after emission, re that of a density of 1 at once.
        func amplitude(_ band: Int, after waited: Float) -> Float {
            bandDensities[band].squareRoot()
                * Float(DeterministicMath.exp(Double(-6.907_755 * (waited - Float(densityTime)) / t60[band])))
        }

        /// ∫ e^(−13.8 t/T) dt from `start` on.
        private var lateEnergyPerDensity: Double {
            let middle = Double(t60[4] + t60[5]) / 2
            return Double(bandDensities[4] + bandDensities[5]) / 2 * middle / 13.8155
                * DeterministicMath.exp(-13.8155 * (start - densityTime) / middle)
        }
    }
}

extension FeedbackDelayNetwork {
    /// Line lengths and signs of a network.
    struct Plan: BitwiseCopyable {
        /// Frames; different primes, hence mutually prime.
        private(set) var lengths = SIMD16<Int32>(repeating: 1)
        /// ±¼: how the input enters each line, total energy 1. It has the signs of the last, unused output, and so
        /// is orthogonal to those used: else paths through two lines in either order would add up in phase in every
        /// output.
        private(set) var input = Lanes.zero
        /// Signs and scale before the output's Hadamard mix; all eight outputs together have a gain of energy 1.
        private(set) var output = Lanes.zero
        /// Lengths of the allpasses that thicken the input, in frames.
        private(set) var diffusers = SIMD4<Int32>.zero

        /// Lines lie evenly on a logarithmic scale from 0.65 to 1.5 of their mean, each moved by chance within its
        /// place.
        init(_ settings: Settings) {
            let random = CounterRandom(seed: settings.seed, object: CounterRandom.number(of: "FeedbackDelayNetwork"))
            let shortest = max(2 * settings.meanFreeTime * settings.sampleRate * 0.65, Double(chunk))
            let order = Plan.balancedOrder(random)
            var longest: Int32 = 0
            for place in 0..<lineCount {
                let scale = (Double(place) + 0.2 + 0.6 * random.unit(UInt64(place))) / Double(lineCount)
                longest = Plan.prime(from: max(Int32(shortest * DeterministicMath.exp(scale * 0.8362)), longest + 1))
                lengths[Int(order[place])] = longest
            }
            for line in 0..<lineCount {
                let sign: Float = random.unit(UInt64(100 + line)) < 0.5 ? 1 : -1
                output[line] = sign * 0.088_388_35 // 1/√128
                var single = Lanes.zero
                single[line] = 1
                input[line] = sign * 0.25 * single.hadamard[15]
            }
            let seconds = SIMD4(0.0013, 0.0021, 0.0031, 0.0043)
            for index in 0..<4 { diffusers[index] = Plan.prime(from: Int32(seconds[index] * settings.sampleRate)) }
        }

        var totalLength: Int { (0..<lineCount).reduce(0) { $0 + Int(lengths[$1]) } }
        /// Mean delay in frames before energy reaches the lines: an allpass delays by its length on average.
        var diffusion: Int { (0..<4).reduce(0) { $0 + Int(diffusers[$1]) } }

        /// Which line gets the shortest length, the next, and so on: of many shufflings the one whose lengths project
        /// least on any pattern of signs of the matrix, because what they project on is lost to the orthogonality of
        /// the outputs.
        private static func balancedOrder(_ random: CounterRandom) -> SIMD16<Int32> {
            var (best, least) = (SIMD16<Int32>.zero, Float.infinity)
            for trial in 0..<256 {
                var order = SIMD16<Int32>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
                for i in 1..<lineCount {
                    let j = Int(random.unit(UInt64(1000 + trial * 16 + i)) * Double(i + 1))
                    (order[i], order[j]) = (order[j], order[i])
                }
                var trend = Lanes.zero
                for place in 0..<lineCount { trend[Int(order[place])] = Float(place) - 7.5 }
                let patterns = trend.hadamard
                let largest = max(patterns.max(), -patterns.min())
                if largest < least { (best, least) = (order, largest) }
            }
            return best
        }

        private static func prime(from start: Int32) -> Int32 {
            var candidate = max(start, 3) | 1
            while !isPrime(candidate) { candidate += 2 }
            return candidate
        }

        private static func isPrime(_ n: Int32) -> Bool {
            var divisor: Int32 = 3
            while divisor * divisor <= n {
                if n % divisor == 0 { return false }
                divisor += 2
            }
            return n > 2
        }
    }
}
