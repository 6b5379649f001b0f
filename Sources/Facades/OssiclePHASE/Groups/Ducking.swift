import OssicleSoundEvents

/// The engine's side of one ducker: it outlives the client's object until what it has ducked is up again. Under the engine's lock.
///
///     sources sound ──╮ attack                release
///                     ╲______________________╱──────────
final class Ducking {
    let identifier: String
    /// Identifiers of groups, in order.
    let sources: [String]
    let targets: Set<String>
    private let settings: PHASEDucker.Settings
    weak var facade: PHASEDucker?
    var isActive = false
    private var isDucking = false
    private var fade = CurvedFade(settledAt: 1)

    init(identifier: String, sources: [String], targets: Set<String>, settings: PHASEDucker.Settings) {
        (self.identifier, self.sources, self.targets, self.settings) = (identifier, sources, targets, settings)
    }

    /// Attacks or releases, from wherever the gain is.
    func settle(_ sounding: Set<String>, at time: Double, unitsPerSecond: Double) {
        let wanted = isActive && sources.contains(where: sounding.contains)
        guard wanted != isDucking else { return }
        isDucking = wanted
        fade = wanted
            ? fade.heading(for: settings.gain, at: time, duration: settings.attackTime / unitsPerSecond, settings.attackCurve.curve)
            : fade.heading(for: 1, at: time, duration: settings.releaseTime / unitsPerSecond, settings.releaseCurve.curve)
    }

    func gain(at time: Double) -> Double { fade.value(at: time) }

    func arrive() { fade = fade.arrived }

    /// Whether the client has let go of it, and nothing of it can be heard any more.
    func isSpent(at time: Double) -> Bool { facade == nil && !isActive && !isDucking && gain(at: time) == 1 }
}
