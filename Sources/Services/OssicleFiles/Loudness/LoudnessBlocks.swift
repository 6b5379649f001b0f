// The past of a loudness measurement.

import OssicleCore

/// Powers of blocks of sound, of which gated means and percentiles are taken. Blocks below −70 LUFS do not count.
struct LoudnessBlocks {
    private enum Store {
        /// How many blocks there were in each step of 0.1 LU from −70 LUFS on; louder ones count to the last.
        case histogram([Int])
        case powers([Double])
    }

    private var store: Store

    private static let lowest = -70.0, stepsPerUnit = 10.0, stepCount = 1000
    private static let lowestPower = power(ofLoudness: lowest)

    init(_ memory: LoudnessMeter.Memory) {
        store = memory == .blocks ? .powers([]) : .histogram([Int](repeating: 0, count: Self.stepCount))
    }

    /// LUFS of a mean square, summed over weighted channels (BS.1770-4, equation 2).
    static func loudness(ofPower power: Double) -> Double {
        power > 0 ? -0.691 + 10 * DeterministicMath.log10(power) : -.infinity
    }

    static func power(ofLoudness loudness: Double) -> Double { DeterministicMath.pow(10, (loudness + 0.691) / 10) }

    mutating func append(_ power: Double) {
        guard power >= Self.lowestPower else { return }
        switch store {
        case .powers(var powers):
            store = .powers([])
            powers.append(power)
            store = .powers(powers)
        case .histogram(var counts):
            store = .powers([])
            let step = (Self.loudness(ofPower: power) - Self.lowest) * Self.stepsPerUnit
            counts[step < Double(Self.stepCount - 1) ? max(0, Int(step)) : Self.stepCount - 1] += 1
            store = .histogram(counts)
        }
    }

    /// The loudness of all blocks that are at most 10 LU below the mean of all (BS.1770-4, equations 4 to 7).
    var gatedLoudness: Double {
        guard let mean = mean(from: 0) else { return -.infinity }
        // The second gate lies below the mean, which therefore passes it.
        return self.mean(from: mean * Self.power(relative: -10)).map { Self.loudness(ofPower: $0) } ?? -.infinity
    }

    /// From the 10th to the 95th percentile of the blocks that are at most 20 LU below the mean of all, in LU (EBU Tech
    /// 3342).
    var range: Double {
        guard let mean = mean(from: 0) else { return 0 }
        let gate = mean * Self.power(relative: -20)
        guard let low = percentile(0.1, from: gate), let high = percentile(0.95, from: gate) else { return 0 }
        return Self.loudness(ofPower: high) - Self.loudness(ofPower: low)
    }

    private static func power(relative decibels: Double) -> Double { DeterministicMath.pow(10, decibels / 10) }

    /// The power that a step of the histogram stands for: that of its middle.
    private static func power(ofStep step: Int) -> Double {
        power(ofLoudness: lowest + (Double(step) + 0.5) / stepsPerUnit)
    }

    /// The mean of powers from `gate` on; nil where there is none.
    private func mean(from gate: Double) -> Double? {
        var (sum, count) = (0.0, 0)
        switch store {
        case .powers(let powers):
            for power in powers where power >= gate { (sum, count) = (sum + power, count + 1) }
        case .histogram(let counts):
            for (step, blocks) in counts.enumerated() where blocks > 0 {
                let power = Self.power(ofStep: step)
                if power >= gate { (sum, count) = (sum + power * Double(blocks), count + blocks) }
            }
        }
        return count > 0 ? sum / Double(count) : nil
    }

    /// The power below which `share` of the powers from `gate` on lie, the nearest of them.
    private func percentile(_ share: Double, from gate: Double) -> Double? {
        func rank(_ count: Int) -> Int { Int(Double(count - 1) * share + 0.5) }
        switch store {
        case .powers(let powers):
            let sorted = powers.filter { $0 >= gate }.sorted()
            return sorted.isEmpty ? nil : sorted[rank(sorted.count)]
        case .histogram(let counts):
            let steps = counts.indices.filter { counts[$0] > 0 && Self.power(ofStep: $0) >= gate }
            let wanted = rank(steps.reduce(0) { $0 + counts[$1] })
            var passed = 0
            for step in steps {
                passed += counts[step]
                if passed > wanted { return Self.power(ofStep: step) }
            }
            return nil
        }
    }
}
