import Synchronization

/// A source's mixing properties: its own, and those of single connections that differ.
final class MixingControl: @unchecked Sendable {
    struct Destination: Hashable {
        let mixer: ObjectIdentifier
        let bus: AVAudioNodeBus
    }

    private struct Content {
        var base = MixingProperties()
        var overrides: [Destination: MixingProperties] = [:]
    }

    private let content = Mutex(Content())
    /// The source; set once, before anybody else knows it. A destination may outlive it.
    weak var owner: AVAudioNode?

    var base: MixingProperties { content.withLock { $0.base } }

    /// The properties in force where the source meets a mixer's bus.
    func properties(at mixer: AVAudioNode, _ bus: AVAudioNodeBus) -> MixingProperties {
        content.withLock { $0.overrides[Destination(mixer: ObjectIdentifier(mixer), bus: bus)] ?? $0.base }
    }

    /// Whether it is, or anywhere was asked to be, played at another speed than its own.
    var hasOwnSpeed: Bool { content.withLock { content in content.base.rate != 1 || content.overrides.values.contains { $0.rate != 1 } } }

    // MARK: Setting

    /// Sets a property everywhere.
    func set<Value: Equatable>(_ property: WritableKeyPath<MixingProperties, Value>, _ value: Value) {
        change { content in
            content.base[keyPath: property] = value
            for key in content.overrides.keys { content.overrides[key]?[keyPath: property] = value }
        }
    }

    func set(_ property: WritableKeyPath<MixingProperties, Float>, clamping value: Float, to range: ClosedRange<Float>) {
        guard let value = checked(value, range) else { return }
        set(property, value)
    }

    func setPosition(_ position: AVAudio3DPoint) {
        guard isPlace(position) else { return }
        set(\.position, position)
    }

    /// Sets a property of one connection.
    func set<Value: Equatable>(_ property: WritableKeyPath<MixingProperties, Value>, _ value: Value, at destination: Destination) {
        change { content in
            guard content.overrides[destination] != nil else { return }
            content.overrides[destination]?[keyPath: property] = value
        }
    }

    func properties(of destination: Destination) -> MixingProperties { content.withLock { $0.overrides[destination] ?? $0.base } }

    private func change(_ edit: (inout Content) -> Void) {
        let speedChanged = content.withLock { content in
            let before = content.base.rate != 1 || content.overrides.values.contains { $0.rate != 1 }
            edit(&content)
            return before != (content.base.rate != 1 || content.overrides.values.contains { $0.rate != 1 })
        }
        guard let owner, let machine = owner.home.machine else { return }
        if speedChanged { machine.prepareGlides(of: owner) }
        machine.locked {
            machine.mixingChanged(owner)
            // A source with a speed of its own becomes a domain of its own.
            if speedChanged { machine.reinstall() }
        }
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

    func isPlace(_ position: AVAudio3DPoint) -> Bool {
        if position.x.isFinite && position.y.isFinite && position.z.isFinite { return true }
        recordNotANumber()
        return false
    }

    // MARK: Destinations

    func destination(_ mixer: AVAudioNode, _ bus: AVAudioNodeBus) -> AVAudioMixingDestination? {
        guard let owner, let machine = owner.home.machine,
              machine.locked({ machine.mixerWires(from: owner).contains { $0.1 === mixer && $0.0.targetBus == bus } }) else { return nil }
        let key = Destination(mixer: ObjectIdentifier(mixer), bus: bus)
        content.withLock { content in
            if content.overrides[key] == nil { content.overrides[key] = content.base }
        }
        return AVAudioMixingDestination(self, key, AVAudioConnectionPoint(node: mixer, bus: bus))
    }

    func forgetDestination(_ mixer: AVAudioNode, _ bus: AVAudioNodeBus) {
        content.withLock { _ = $0.overrides.removeValue(forKey: Destination(mixer: ObjectIdentifier(mixer), bus: bus)) }
    }

    func forgetDestinations() { content.withLock { $0.overrides = [:] } }
}
