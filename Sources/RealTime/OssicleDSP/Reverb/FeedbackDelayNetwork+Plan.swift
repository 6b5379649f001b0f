import OssicleCore

extension FeedbackDelayNetwork {
    /// Line lengths and signs of a network.
    struct Plan: BitwiseCopyable {
        /// Frames; different primes, hence mutually prime.
        private(set) var lengths = SIMD16<Int32>(repeating: 1)
        /// ±¼: how the input enters each line, total energy 1. It has the signs of the last output nobody hears, and so is orthogonal to
        /// those heard: else paths through two lines in either order would add up in phase in every output.
        private(set) var input = Lanes.zero
        /// Signs and scale before the output's Hadamard mix; all eight outputs together have a gain of energy 1.
        private(set) var output = Lanes.zero
        /// Lengths of the allpasses that thicken the input, in frames.
        private(set) var diffusers = SIMD4<Int32>.zero

        /// Lines lie evenly on a logarithmic scale from 0.65 to 1.5 of their mean, each moved by chance within its place.
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
                output[line] = sign * 0.088_388_35                                                    // 1/√128
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

        /// Which line gets the shortest length, the next, and so on: of many shufflings the one whose lengths project least on any pattern
        /// of signs of the matrix, because what they project on is lost to the orthogonality of the outputs.
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
