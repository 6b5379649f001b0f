import OssicleSpatial

/// Settings of the engine that a game may change with every frame.
struct EngineSettings {
    var medium: PHASEMedium?
    var reverbPreset = PHASEReverbPreset.none
    /// In the preset's place.
    var measuredRoom: MeasuredRoom?
    var acousticsMode = PHASEEngine.AcousticsMode.preset
    var unitsPerSecond = 1.0
    var unitsPerMeter = 1.0
    /// nil for no limit.
    var maximumVoiceCount: Int?
    /// nil for the default.
    var maximumFullVoiceCount: Int?

    var usesGeometry: Bool { acousticsMode == .geometry }
}

/// The engine's settings, as requested and as the simulation works with them.
final class PostedSettings: Posting {
    /// Under the mailbox's lock.
    var requested = EngineSettings()
    var isPosted = false
    /// Under the engine's lock.
    private(set) var current = EngineSettings()

    func applyRequested(_ control: EngineControl) {
        let changesScene =
            requested.medium !== current.medium || requested.unitsPerMeter != current.unitsPerMeter
            || requested.acousticsMode != current.acousticsMode
        if let medium = current.medium { control.lock.release(medium) }
        current = requested
        control.spatial.player.unitsPerSecond = requested.unitsPerSecond
        control.spatial.levels.requestedVoiceLimit = requested.maximumVoiceCount
        control.spatial.levels.requestedFullVoiceLimit = requested.maximumFullVoiceCount
        if changesScene { control.spatial.sceneChanged() } else { control.spatial.valuesChanged() }
    }
}

extension Double {
    /// The smallest positive number in place of anything that is not above 0.
    func clampedAboveZero() -> Double { self > 0 ? self : .leastNonzeroMagnitude }
}
