import OssicleCore

/// How much a simulation may do next, judged by how long the last ones took. A pure value: it has no clock, its
/// caller gives the times.
///
/// Over budget twice in a row takes one step down: half the rays, a quarter, an eighth; early reflections of one order
/// less, down to 1; no diffraction of reflections and no second edge; twice the interval, up to a second, and with it
/// twice the budget. Steps that change nothing are left out.
///
/// Under 60 % of the budget `patience` times in a row takes one step back up, if what the step saved when it was taken
/// would still fit into 90 %. Sixteen times as long under 60 % tries it anyhow: the scene may have changed. A step up
/// that must be taken back within `patience` simulations doubles the patience, and one that holds sixteen times as long
/// restores it. So a steady load comes to rest.
package struct SimulationBudget: Sendable, Hashable {
    package let asked: AcousticQuality
    /// Seconds from the start of one simulation to the start of the next, as asked for.
    package let askedInterval: Double
    /// Seconds one simulation may take at the interval asked for. Nil for no limit, as in offline rendering: then the
    /// quality never changes.
    package let limit: Double?
    /// Simulations noted so far, and how many of them took longer than their budget.
    package private(set) var simulations = 0
    package private(set) var lateSimulations = 0
    /// Seconds; nil before the first.
    package private(set) var lastDuration: Double?
    /// How far down: 0 is what was asked for.
    package private(set) var step = 0

    private let steps: [Step]
    private var overruns = 0
    private var calm = 0
    private var patience = SimulationBudget.leastPatience
    /// Simulations since the last step up; nil after a step down.
    private var sinceRise: Int?
    /// Share of the budget taken before the last step down, until the first simulation after it tells what the step
    /// saved.
    private var loadBefore: Double?
    /// By what factor each step lowered the load, by number; 2 where not measured.
    private var savings: [Double]

    private static let leastPatience = 8
    private static let mostPatience = 128
    private static let trial = 16

    /// - Parameters:
    ///   - interval: 0.01…1 s; what is outside is moved to the nearest end, no number counts as 0.1.
    ///   - limit: anything that is not above 0 and finite is no limit.
    package init(asked: AcousticQuality, interval: Double = 0.1, limit: Double? = nil) {
        self.asked = asked
        askedInterval = interval.isNaN ? 0.1 : min(max(interval, 0.01), 1)
        self.limit = limit.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        steps = Step.ladder(from: Step(quality: asked, interval: askedInterval))
        savings = Array(repeating: 2, count: steps.count)
    }

    /// What to simulate with next.
    package var quality: AcousticQuality { steps[step].quality }
    /// Seconds from the start of the last simulation to the start of the next, at least.
    package var interval: Double { steps[step].interval }
    package var isDegraded: Bool { step > 0 }
    package var lowestStep: Int { steps.count - 1 }

    /// Seconds one simulation may take at the present interval.
    package var allowance: Double? { limit.map { $0 * interval / askedInterval } }
    /// The last simulation's share of its budget as it was then; nil without a limit or before the first.
    package private(set) var lastLoad: Double?

    /// Takes note of a simulation at the present quality that took `duration` seconds. What is no duration counts as
    /// none.
    package mutating func note(_ duration: Double) {
        guard duration >= 0 else { return }
        simulations += 1
        lastDuration = duration
        guard let allowance else { return }
        let load = duration / allowance
        lastLoad = load
        lateSimulations += load > 1 ? 1 : 0
        weigh(load)
        if overruns == 2 {
            stepDown(from: load)
        } else if calm >= patience, step > 0, load * savings[step] <= 0.9 || calm >= SimulationBudget.trial * patience {
            stepUp()
        }
    }

    private mutating func weigh(_ load: Double) {
        if let loadBefore { savings[step] = min(max(loadBefore / max(load, 1e-9), 1), 4) }
        loadBefore = nil
        overruns = load > 1 ? overruns + 1 : 0
        calm = load < 0.6 ? calm + 1 : 0
        guard let held = sinceRise else { return }
        sinceRise = held + 1
        if held + 1 == SimulationBudget.trial * patience { patience = SimulationBudget.leastPatience }
    }

    private mutating func stepDown(from load: Double) {
        (overruns, calm) = (0, 0)
        guard step < lowestStep else { return }
        if let held = sinceRise, held <= patience { patience = min(2 * patience, SimulationBudget.mostPatience) }
        step += 1
        (sinceRise, loadBefore) = (nil, load)
    }

    private mutating func stepUp() {
        (overruns, calm) = (0, 0)
        step -= 1
        sinceRise = 0
    }
}

extension SimulationBudget {
    /// A quality, and how often.
    struct Step: Sendable, Hashable {
        var quality: AcousticQuality
        var interval: Double

        /// What was asked for, and below it one sacrifice after the other.
        static func ladder(from asked: Step) -> [Step] {
            var steps = [asked]
            func add(_ change: (inout Step) -> Void) {
                var next = steps[steps.count - 1]
                change(&next)
                if next != steps[steps.count - 1] { steps.append(next) }
            }
            for _ in 0..<3 { add { $0.quality.rays = ($0.quality.rays + 1) / 2 } }
            for order in [2, 1] { add { $0.quality.reflectionOrder = min($0.quality.reflectionOrder, order) } }
            add {
                $0.quality.bendsReflections = false
                $0.quality.edges = min($0.quality.edges, 1)
            }
            while steps[steps.count - 1].interval < 1 { add { $0.interval = min(2 * $0.interval, 1) } }
            return steps
        }
    }

    /// What is left out at present, one sentence part each; empty where all is as asked for.
    package var sacrifices: [String] {
        var parts: [String] = []
        if quality.rays < asked.rays { parts.append("\(quality.rays) rays in place of \(asked.rays)") }
        if quality.reflectionOrder < asked.reflectionOrder {
            parts.append("early reflections of order \(quality.reflectionOrder) in place of \(asked.reflectionOrder)")
        }
        if asked.bendsReflections, !quality.bendsReflections { parts.append("no reflections that bend around an edge") }
        if quality.edges < asked.edges { parts.append("\(quality.edges) edge in a row in place of \(asked.edges)") }
        if interval > askedInterval { parts.append("a simulation every \(interval) s in place of \(askedInterval) s") }
        return parts
    }
}

extension SimulationBudget: CustomStringConvertible {
    package var description: String {
        guard limit != nil else { return "as asked for, without a limit" }
        guard isDegraded else { return "as asked for" }
        return "step \(step) of \(lowestStep), because simulations took longer than their budget twice in a row: "
            + sacrifices.joined(separator: ", ")
    }
}
