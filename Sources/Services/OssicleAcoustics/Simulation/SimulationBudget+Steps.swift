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
