import Foundation
import OssicleSoundEvents

/// Generators that are turned up, slowed, muted or soloed together. Flat: a generator belongs to one group.
///
/// Register it with an engine before generators that name it are to follow. Keep it: generators refer to it weakly. Any thread.
open class PHASEGroup: NSObject, @unchecked Sendable {
    public let identifier: String
    private var core: EngineCore?
    private var baseGain = 1.0
    private var baseRate = 1.0
    private var gainFade = CurvedFade(settledAt: 1)
    private var rateFade = CurvedFade(settledAt: 1)
    private var muted = false
    private var soloed = false
    private let ownLock = NSLock()

    public init(identifier: String) { self.identifier = identifier }

    /// Makes the engine's generators of this identifier follow. An identifier that is taken, or a group that is registered already, is recorded as
    /// the engine's `lastError` and nothing changes.
    open func register(engine: PHASEEngine) {
        let core = engine.core
        core.locked {
            ownLock.lock()
            let isFree = self.core == nil && core.groups[identifier] == nil
            if isFree { self.core = core }
            ownLock.unlock()
            guard isFree else {
                return core.record(PHASEAssetError(.alreadyExists,
                    "Group “\(identifier)” is registered already; call unregisterFromEngine() first, or choose another identifier."))
            }
            core.groups[identifier] = self
            core.valuesChanged()
        }
    }

    /// Its generators go on as if they had no group. Fades arrive at once.
    open func unregisterFromEngine() {
        changed { core in
            core?.groups[identifier] = nil
            self.core = nil
            (gainFade, rateFade) = (gainFade.arrived, rateFade.arrived)
        }
    }

    // MARK: Controls

    /// Linear gain. Default 1; clamped to 0…1.
    open var gain: Double {
        get { locked { baseGain } }
        set { changed { _ in baseGain = newValue.clamped(0, 1) } }
    }

    /// Speed factor. Default 1; clamped to 0.25…4.
    open var rate: Double {
        get { locked { baseRate } }
        set { changed { _ in baseRate = newValue.isNaN ? baseRate : newValue.clamped(0.25, 4) } }
    }

    /// Moves a factor on top of `gain` along a curve. Duration in seconds (divided by `unitsPerSecond`), 0 or more; a group that is not
    /// registered arrives at once.
    open func fadeGain(gain: Double, duration: Double, curveType: PHASECurveType) {
        changed { core in
            gainFade = gainFade.heading(for: gain.clamped(0, 1), at: core?.now ?? 0, duration: core?.seconds(duration) ?? 0, curveType.curve)
        }
    }

    /// Moves a factor on top of `rate` along a curve.
    open func fadeRate(rate: Double, duration: Double, curveType: PHASECurveType) {
        guard !rate.isNaN else { return }
        changed { core in
            rateFade = rateFade.heading(for: rate.clamped(0.25, 4), at: core?.now ?? 0, duration: core?.seconds(duration) ?? 0, curveType.curve)
        }
    }

    open func mute() { changed { _ in muted = true } }
    open func unmute() { changed { _ in muted = false } }
    /// Silences all groups that are not soloed.
    open func solo() { changed { _ in soloed = true } }
    open func unsolo() { changed { _ in soloed = false } }
    open var isMuted: Bool { locked { muted } }
    open var isSoloed: Bool { locked { soloed } }

    // MARK: The engine's side, under its lock

    /// What it does by itself to its voices.
    /// - Parameter soloed: identifiers of the soloed groups.
    func level(gainAt gainTime: Double, rateAt rateTime: Double, soloed groups: [String]) -> GroupLevel {
        locked {
            GroupLevel(identifier: identifier, base: baseGain, fade: gainFade.value(at: gainTime), isMuted: muted,
                       silencedBy: soloed ? [] : groups, rate: (baseRate * rateFade.value(at: rateTime)).clamped(0.25, 4))
        }
    }

    /// Brings fades to their end.
    func arrive() { locked { (gainFade, rateFade) = (gainFade.arrived, rateFade.arrived) } }

    // MARK: Locks: the engine's first, then the group's own, because a group may not have an engine

    private func changed(_ body: (EngineCore?) -> Void) {
        guard let core = locked({ core }) else { return locked { body(nil) } }
        core.locked {
            locked { body(core) }
            core.valuesChanged()
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        ownLock.lock()
        defer { ownLock.unlock() }
        return body()
    }
}
