import OssicleAcoustics

/// What the simulation of sound from geometry does at present (an addition of Ossicle).
///
/// A simulation that takes longer than its budget twice in a row does less from then on: half the rays, down to an eighth; early reflections of a
/// lower order; no bends of reflections and no second edge; twice the interval, up to a second. Where there is time again it does more, one step
/// after the other. Offline there is no budget, and nothing is ever left out.
public struct PHASEAcousticsReport: Sendable, Hashable {
    /// The quality that was set, and the one in use.
    public let qualityAsked, qualityUsed: PHASEAcousticsQuality
    /// Early reflections at present, of all sources and listeners together.
    public let reflections: Int
    /// Simulations since the engine started, and how many of them took longer than their budget.
    public let simulations, lateSimulations: Int
    /// Seconds the last simulation took; nil before the first, and offline, where no clock is looked at.
    public let lastDuration: Double?
    /// The same as a share of its budget; nil where there is none.
    public let shareOfBudget: Double?
    /// Seconds from the start of one simulation to the start of the next.
    public let interval: Double
    /// Whether less is done than was asked for.
    public let isDegraded: Bool
    /// What is done less, in words.
    public let sacrifices: [String]
    private let state: String

    package init(_ budget: SimulationBudget, reflections: Int) {
        (qualityAsked, qualityUsed) = (PHASEAcousticsQuality(budget.asked), PHASEAcousticsQuality(budget.quality))
        self.reflections = reflections
        (simulations, lateSimulations) = (budget.simulations, budget.lateSimulations)
        (lastDuration, shareOfBudget, interval) = (budget.lastDuration, budget.lastLoad, budget.interval)
        (isDegraded, sacrifices, state) = (budget.isDegraded, budget.sacrifices, budget.description)
    }

    /// Rays of one simulation.
    public var rays: Int { qualityUsed.rays }
}

extension PHASEAcousticsReport: CustomStringConvertible {
    public var description: String {
        var lines = ["quality \(state)", "  \(qualityUsed)", "  \(reflections) early reflections at present"]
        if let lastDuration {
            let share = shareOfBudget.map { ", \((100 * $0).words(0)) % of its budget" } ?? ""
            lines.append("  last simulation \((1000 * lastDuration).words(1)) ms\(share)")
        }
        lines.append("  \(lateSimulations) of \(simulations) simulations were late; one every \(interval.words(2)) s")
        return lines.joined(separator: "\n")
    }
}
