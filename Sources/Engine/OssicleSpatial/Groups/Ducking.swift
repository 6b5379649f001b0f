import OssicleSoundEvents

/// One ducker: it outlives the client's object until what it has ducked is up again. Under the engine's lock.
///
///     sources sound ──╮ attack                release
///                     ╲______________________╱──────────
package final class Ducking {
    /// Times in the client's units.
    package struct Settings {
        let gain: Double
        let attackTime: Double
        let releaseTime: Double
        let attackCurve: CurveType
        let releaseCurve: CurveType

        package init(
            gain: Double, attackTime: Double, releaseTime: Double, attackCurve: CurveType, releaseCurve: CurveType
        ) {
            self.gain = gain
            self.attackTime = attackTime
            self.releaseTime = releaseTime
            self.attackCurve = attackCurve
            self.releaseCurve = releaseCurve
        }
    }

    package let identifier: String
    /// Identifiers of groups, in order.
    let sources: [String]
    let targets: Set<String>
    private let settings: Settings
    /// The client's object.
    package weak var owner: AnyObject?
    package var isActive = false
    private var isDucking = false
    private var fade = CurvedFade(settledAt: 1)

    package init(identifier: String, sources: [String], targets: Set<String>, settings: Settings) {
        self.identifier = identifier
        self.sources = sources
        self.targets = targets
        self.settings = settings
    }

    /// Attacks or releases, from wherever the gain is.
    func settle(_ sounding: Set<String>, at time: Double, unitsPerSecond: Double) {
        let wanted = isActive && sources.contains(where: sounding.contains)
        guard wanted != isDucking else { return }
        isDucking = wanted
        fade =
            wanted
            ? fade.heading(
                for: settings.gain, at: time, duration: settings.attackTime / unitsPerSecond, settings.attackCurve)
            : fade.heading(for: 1, at: time, duration: settings.releaseTime / unitsPerSecond, settings.releaseCurve)
    }

    func gain(at time: Double) -> Double { fade.value(at: time) }

    func arrive() { fade = fade.arrived }

    /// Whether the client has let go of it, and nothing of it can be heard any more.
    func isSpent(at time: Double) -> Bool { owner == nil && !isActive && !isDucking && gain(at: time) == 1 }
}
