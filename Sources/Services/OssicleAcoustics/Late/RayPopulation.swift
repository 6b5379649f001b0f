import OssicleCore

/// Keeps as many rays on their way late as early, so that a decay is known as well at its end as at its start.
///
/// Where one surface takes far more than others, the late part is carried by the few rays that miss it. From stage to
/// stage of 32 ms rays that carry much become many of the same energy together, and of those that carry little a few
/// are drawn to stand for all: splitting and Russian roulette by a weight window (Booth and Hendricks 1984), the window
/// around the mean of the rays that are still on their way. What a ray carries is its share of each band, all bands
/// that are above −60 dB counted alike. The sums stay unbiased whatever the weights.
///
/// Copies cost nothing until they part: they are one ray that stands for several, and part where they scatter.
///
/// Rays that have passed a wall are left alone: they are few and faint by nature, and all there is of what lies behind
/// it.
struct RayPopulation {
    private let random: CounterRandom
    /// Below that a band's energy does not matter.
    private let leastEnergy: Float
    /// How many copies there should be: as many as started, less the share that came to an end along the path.
    private var wanted: Double
    /// Copies at the start of the stage.
    private var started: Int
    private var stage: UInt64 = 0

    /// Seconds of a stage.
    static let stageLength = 0.032
    /// Copies that carry as much, of the mean, are left as they are.
    private static let window: Range<Float> = 0.5..<2

    init(count: Int, random: CounterRandom) {
        (self.random, started, wanted, leastEnergy) = (random, count, Double(count), 1e-6 * Float(count))
    }

    /// Makes the rays at the end of a stage those at the start of the next; those without copies are gone.
    /// - Parameter end: told of rays that others now stand for.
    mutating func balance(_ rays: inout [Ray], end: (Ray, _ copies: Int) -> Void) {
        rays.dropEnded()
        let (worth, present) = rays.withUnsafeBufferPointer(weigh)
        wanted *= Double(present) / Double(max(started, 1))
        (started, stage) = (0, stage + 1)
        var (sum, next) = (0.0, random.unit(stage))
        for index in rays.indices where !rays[index].importance.hasPassed {
            let ratio = (rays[index].energy * worth).total * Float(wanted)
            if !RayPopulation.window.contains(ratio), ratio > 0 {
                let copies = rays[index].copies
                sum += Double(ratio) * Double(copies)
                rays[index].resample(count(below: sum, &next), by: 1 / ratio)
                if rays[index].copies < copies { end(rays[index], copies - rays[index].copies) }
            }
            started += rays[index].copies
        }
    }

    /// What energy in each band is worth, so that all copies together are worth 1, and how many there are.
    private func weigh(_ rays: UnsafeBufferPointer<Ray>) -> (worth: SIMD16<Float>, copies: Int) {
        var (energy, copies) = (SIMD16<Float>.zero, 0)
        // By index, because a ray of its own would be a copy of 300 bytes.
        for index in rays.indices where !rays[index].importance.hasPassed {
            energy += rays[index].energy * rays[index].weight
            copies += rays[index].copies
        }
        let audible = energy .> leastEnergy
        let bands = SIMD16<Float>.zero.replacing(with: 1, where: audible).total
        return (SIMD16<Float>.zero.replacing(with: 1 / (energy * max(bands, 1)), where: audible), copies)
    }

    /// Systematic draw (Madow 1949): how many of the places `next`, `next` + 1, … come before `sum`.
    private func count(below sum: Double, _ next: inout Double) -> Int {
        let count = max((sum - next).rounded(.up), 0)
        next += count
        return Int(count)
    }
}

extension Ray {
    /// So many copies instead, of other energy.
    fileprivate mutating func resample(_ count: Int, by factor: Float) {
        if count > copies { share *= Double(copies) / Double(count) }
        copies = count
        energy *= factor
    }
}

extension [Ray] {
    /// Leaves out those without copies, each ray moved once at most.
    fileprivate mutating func dropEnded() {
        let kept = withUnsafeMutableBufferPointer { rays in
            var kept = 0
            for index in rays.indices where rays[index].copies > 0 {
                if kept < index { rays[kept] = rays[index] }
                kept += 1
            }
            return kept
        }
        removeLast(count - kept)
    }

    /// Takes over those of another list, which keeps its room for the next.
    mutating func take(_ others: inout [Ray]) {
        self += others
        others.removeAll(keepingCapacity: true)
    }
}
