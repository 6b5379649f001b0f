import OssicleNodes
import OssicleCoreAudioTypes
import Synchronization

/// A source's mixing properties: its own, and those of single connections that differ.
final class MixingControl: @unchecked Sendable {
    private struct Content {
        var base = SourceMixing()
        var overrides: [BusKey: SourceMixing] = [:]
    }

    private let content = Mutex(Content())
    /// The source; set once, before anybody else knows it. A destination may outlive it.
    weak var owner: AVAudioNode?

    /// All of it, for a recording.
    var recorded: (base: SourceMixing, overrides: [BusKey: SourceMixing]) {
        content.withLock { ($0.base, $0.overrides) }
    }

    /// Sets all of it, as it was recorded.
    func set(_ base: SourceMixing, _ overrides: [BusKey: SourceMixing]) {
        change { $0 = Content(base: base, overrides: overrides) }
    }

    var base: SourceMixing { content.withLock { $0.base } }

    /// The properties in force at a mixer's input bus.
    func properties(at input: BusKey) -> SourceMixing {
        content.withLock { $0.overrides[input] ?? $0.base }
    }

    /// Whether it is, or anywhere was asked to be, played at another speed than its own.
    var hasOwnSpeed: Bool {
        content.withLock { content in content.base.rate != 1 || content.overrides.values.contains { $0.rate != 1 } }
    }

    // MARK: Setting

    /// Sets a property everywhere.
    func set<Value: Equatable>(_ property: WritableKeyPath<SourceMixing, Value>, _ value: Value) {
        change { content in
            content.base[keyPath: property] = value
            for key in content.overrides.keys { content.overrides[key]?[keyPath: property] = value }
        }
    }

    func set(_ property: WritableKeyPath<SourceMixing, Float>, clamping value: Float, to range: ClosedRange<Float>) {
        guard let value = checked(value, range) else { return }
        set(property, value)
    }

    func setPosition(_ position: AVAudio3DPoint) {
        guard isPosition(position) else { return }
        set(\.position, SIMD3(position))
    }

    /// Sets a property of one connection.
    func set<Value: Equatable>(
        _ property: WritableKeyPath<SourceMixing, Value>, _ value: Value, at destination: BusKey
    ) {
        change { content in
            guard content.overrides[destination] != nil else { return }
            content.overrides[destination]?[keyPath: property] = value
        }
    }

    private func change(_ edit: (inout Content) -> Void) {
        let speedChanged = content.withLock { content in
            let before = content.base.rate != 1 || content.overrides.values.contains { $0.rate != 1 }
            edit(&content)
            return before != (content.base.rate != 1 || content.overrides.values.contains { $0.rate != 1 })
        }
        guard let owner, let machine = owner.home.machine else { return }
        if speedChanged { prepareGlides(machine) }
        machine.locked {
            machine.noteMixing(of: owner)
            machine.mixingChanged(owner)
            // A source with a speed of its own becomes a domain of its own.
            if speedChanged { machine.reinstall() }
        }
    }

    /// Makes the filters for a source whose speed begins to differ from 1. Some hundred milliseconds the first time, so
    /// not under the engine's lock.
    private func prepareGlides(_ machine: EngineMachine) {
        guard let owner else { return }
        let rates = machine.locked {
            machine.model.mixerWires(from: owner).filter { $0.target.playsSourcesAtTheirSpeed }.map { wire in
                (
                    inner: wire.format.sampleRate,
                    outer: machine.model.format(of: BusKey(wire.target, .output, bus: 0), node: wire.target).sampleRate
                )
            }
        }
        for (inner, outer) in rates where inner >= 1 && outer >= 1 { RateExit.prepareGlides(from: inner, to: outer) }
    }

    /// What is not a number is refused, what is out of range is moved to its edge.
    func checked(_ value: Float, _ range: ClosedRange<Float>) -> Float? {
        if value.isNaN {
            recordNotANumber()
            return nil
        }
        return min(max(value, range.lowerBound), range.upperBound)
    }

    private func recordNotANumber() {
        if let owner { owner.home.machine?.errors.record(MixingFault.notANumber(owner.title)) }
    }

    func isPosition(_ position: AVAudio3DPoint) -> Bool {
        if position.x.isFinite && position.y.isFinite && position.z.isFinite { return true }
        recordNotANumber()
        return false
    }

    // MARK: Destinations

    func destination(_ mixer: AVAudioNode, _ bus: AVAudioNodeBus) -> AVAudioMixingDestination? {
        let key = BusKey(mixer, .input, bus: bus)
        guard let owner, let machine = owner.home.machine,
            machine.locked({ machine.model.mixerWires(from: owner).contains { $0.to == key } })
        else { return nil }
        content.withLock { content in
            if content.overrides[key] == nil { content.overrides[key] = content.base }
        }
        return AVAudioMixingDestination(self, key, AVAudioConnectionPoint(node: mixer, bus: bus))
    }

    func forgetDestination(_ input: BusKey) { content.withLock { $0.overrides[input] = nil } }

    func forgetDestinations() { content.withLock { $0.overrides = [:] } }
}

/// What can be wrong with a mixing property.
enum MixingFault {
    static func notANumber(_ object: String) -> OssicleError {
        .avfaudio(
            kAudioUnitErr_InvalidParameterValue, object, value: "a value that is not a finite number",
            rule: "Mixing properties are numbers.",
            cure: "Check the computation it comes from; the old value stays.")
    }
}
