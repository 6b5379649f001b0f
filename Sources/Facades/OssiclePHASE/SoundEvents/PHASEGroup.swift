import Foundation
import OssicleSpatial

/// Generators that are turned up, slowed, muted or soloed together. Flat: a generator belongs to one group.
///
/// Register it with an engine before generators that name it are to follow. Keep it: generators refer to it weakly. Any
/// thread.
open class PHASEGroup: NSObject, Posting, @unchecked Sendable {
    /// By which the engine and presets know it.
    public let identifier: String
    /// Guards `control` and, with the mailbox's lock of a registered group, `requested`.
    private let ownLock = NSLock()
    private var control: EngineControl?
    private var requested = GroupControls()
    var isPosted = false

    /// A group that is not registered yet.
    public init(identifier: String) { self.identifier = identifier }

    /// Makes the engine's generators of this identifier follow. An identifier that is taken, or a group that is
    /// registered already, is recorded as the engine's `lastError` and nothing changes.
    open func register(engine: PHASEEngine) {
        let control = engine.control
        control.locked {
            ownLock.lock()
            let isFree = self.control == nil && control.store.groups[identifier] == nil
            if isFree { self.control = control }
            ownLock.unlock()
            guard isFree else {
                return control.record(
                    PHASEAssetError(
                        .alreadyExists,
                        "Group “\(identifier)” is registered already; call unregisterFromEngine() first, or choose another identifier."
                    ))
            }
            control.store.groups[identifier] = self
            control.spatial.levels.groups.groups[identifier] = locked { requested }
            changed { [identifier] controls, control in
                control?.note(
                    .group(
                        identifier, gain: controls.gain, rate: controls.rate, muted: controls.isMuted,
                        soloed: controls.isSoloed))
            }
        }
    }

    /// Its generators play as if they had no group. Fades arrive at once.
    open func unregisterFromEngine() {
        guard let control = locked({ control }) else { return changed { controls, _ in controls.arrive() } }
        control.locked {
            guard control.store.groups[identifier] === self else { return }
            control.note(.noGroup(identifier))
            control.store.groups[identifier] = nil
            control.spatial.levels.groups.groups[identifier] = nil
            changed { controls, _ in controls.arrive() }
            locked { self.control = nil }
        }
    }

    // MARK: Controls

    /// Linear gain. Default 1; clamped to 0…1.
    open var gain: Double {
        get { locked { requested.gain } }
        set {
            changed { [identifier] controls, control in
                controls.gain = newValue.clamped(0, 1)
                control?.note(.groupGain(identifier, newValue))
            }
        }
    }

    /// Speed factor. Default 1; clamped to 0.25…4.
    open var rate: Double {
        get { locked { requested.rate } }
        set {
            changed { [identifier] controls, control in
                if !newValue.isNaN { controls.rate = newValue.clamped(0.25, 4) }
                control?.note(.groupRate(identifier, newValue))
            }
        }
    }

    /// Moves a factor on top of `gain` along a curve. Duration in seconds (divided by `unitsPerSecond`), 0 or more; a
    /// group that is not registered arrives at once.
    open func fadeGain(gain: Double, duration: Double, curveType: PHASECurveType) {
        changed { [identifier] controls, control in
            control?.note(.fadeGain(identifier, to: gain, seconds: duration, curve: curveType.rawValue))
            controls.gainFade = controls.gainFade.heading(
                for: gain.clamped(0, 1), at: control?.now ?? 0,
                duration: control.map { $0.requestedSeconds(duration) } ?? 0,
                curveType.curve)
        }
    }

    /// Moves a factor on top of `rate` along a curve.
    open func fadeRate(rate: Double, duration: Double, curveType: PHASECurveType) {
        guard !rate.isNaN else { return }
        changed { [identifier] controls, control in
            control?.note(.fadeRate(identifier, to: rate, seconds: duration, curve: curveType.rawValue))
            controls.rateFade = controls.rateFade.heading(
                for: rate.clamped(0.25, 4), at: control?.now ?? 0,
                duration: control.map { $0.requestedSeconds(duration) } ?? 0,
                curveType.curve)
        }
    }

    /// Silences it.
    open func mute() {
        changed { [identifier] controls, control in
            controls.isMuted = true
            control?.note(.mute(identifier, true))
        }
    }
    /// Undoes `mute()`.
    open func unmute() {
        changed { [identifier] controls, control in
            controls.isMuted = false
            control?.note(.mute(identifier, false))
        }
    }
    /// Silences all groups that are not soloed.
    open func solo() {
        changed { [identifier] controls, control in
            controls.isSoloed = true
            control?.note(.solo(identifier, true))
        }
    }
    /// Undoes `solo()`.
    open func unsolo() {
        changed { [identifier] controls, control in
            controls.isSoloed = false
            control?.note(.solo(identifier, false))
        }
    }
    /// Whether `mute()` holds.
    open var isMuted: Bool { locked { requested.isMuted } }
    /// Whether `solo()` holds.
    open var isSoloed: Bool { locked { requested.isSoloed } }

    // MARK: The engine's side, under its lock

    /// Brings fades to their end.
    func arrive() { changed { controls, _ in controls.arrive() } }

    /// Under the mailbox's lock, so that the group's own must not be asked for.
    func applyRequested(_ control: EngineControl) {
        if control.store.groups[identifier] === self { control.spatial.levels.groups.groups[identifier] = requested }
        control.spatial.valuesChanged()
    }

    // MARK: Locks: the engine's, the group's own, the mailbox's, in this order

    /// - Parameter body: gets the engine the group is registered with.
    private func changed(_ body: (inout GroupControls, EngineControl?) -> Void) {
        let owner: EngineControl? = locked {
            guard let control else {
                body(&requested, nil)
                return nil
            }
            control.lock.mailbox.locked {
                body(&requested, control)
                control.lock.mailbox.post(self)
            }
            return control
        }
        owner?.lock.settle()
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        ownLock.lock()
        defer { ownLock.unlock() }
        return body()
    }
}
