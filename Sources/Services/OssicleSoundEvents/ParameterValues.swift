/// A meta-parameter as it was defined: a number or a text that the client moves while the sound event plays.
package struct ParameterBlueprint: Codable, Hashable, Sendable {
    package enum Kind: Codable, Hashable, Sendable {
        case number(NumberLimits, initial: Double)
        case text(initial: String)
        /// Follows another number: envelope(input). `input` is the index of a parameter that stands before this one.
        case mapped(input: Int, Envelope)
    }

    package let identifier: String
    package let kind: Kind

    package init(identifier: String, kind: Kind) {
        (self.identifier, self.kind) = (identifier, kind)
    }
}

/// The range a number may move in.
package struct NumberLimits: Codable, Hashable, Sendable {
    package let minimum: Double
    package let maximum: Double

    /// Any finite number.
    package static let unlimited = NumberLimits(minimum: -.greatestFiniteMagnitude, maximum: .greatestFiniteMagnitude)

    /// Limits given in the wrong order are exchanged; a limit that is NaN or infinite does not limit.
    package init(minimum: Double, maximum: Double) {
        let low = minimum.isFinite ? minimum : -.greatestFiniteMagnitude
        let high = maximum.isFinite ? maximum : .greatestFiniteMagnitude
        (self.minimum, self.maximum) = (min(low, high), max(low, high))
    }

    /// The nearest number within the limits; nil for NaN, which is near nothing.
    package func nearest(to value: Double) -> Double? {
        value.isNaN ? nil : min(max(value, minimum), maximum)
    }
}

/// What the meta-parameters of one sound event stand at, in the order of the event's blueprints.
///
/// Mapped parameters follow their input at once. Value type: a snapshot taken for an update does not move under it.
package struct ParameterValues: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        case number(Double)
        case text(String)
    }

    package let blueprints: [ParameterBlueprint]
    private var values: [Value] = []

    /// Everything at its initial value.
    package init(_ blueprints: [ParameterBlueprint]) {
        self.blueprints = blueprints
        values = blueprints.map { blueprint in
            switch blueprint.kind {
            case .number(let limits, let initial): .number(limits.nearest(to: initial) ?? limits.nearest(to: 0) ?? 0)
            case .text(let initial): .text(initial)
            case .mapped: .number(0)
            }
        }
        follow()
    }

    package func index(of identifier: String) -> Int? {
        blueprints.firstIndex { $0.identifier == identifier }
    }

    /// The number at `index`; nil for a text or where there is no parameter.
    package func number(_ index: Int) -> Double? {
        guard values.indices.contains(index), case .number(let value) = values[index] else { return nil }
        return value
    }

    /// The text at `index`; nil for a number or where there is no parameter.
    package func text(_ index: Int) -> String? {
        guard values.indices.contains(index), case .text(let value) = values[index] else { return nil }
        return value
    }

    /// Moves a number, within its limits.
    /// - Returns: false, and nothing moves, for NaN, for a text or mapped parameter, or an index out of range.
    @discardableResult
    package mutating func set(_ index: Int, to number: Double) -> Bool {
        guard values.indices.contains(index), case .number(let limits, _) = blueprints[index].kind,
            let nearest = limits.nearest(to: number)
        else { return false }
        values[index] = .number(nearest)
        follow()
        return true
    }

    /// Replaces a text.
    /// - Returns: false, and nothing changes, for a number or an index out of range.
    @discardableResult
    package mutating func set(_ index: Int, to text: String) -> Bool {
        guard values.indices.contains(index), case .text = blueprints[index].kind else { return false }
        values[index] = .text(text)
        return true
    }

    /// One pass suffices, because the input of a mapped parameter stands before it.
    private mutating func follow() {
        for (index, blueprint) in blueprints.enumerated() {
            guard case .mapped(let input, let envelope) = blueprint.kind else { continue }
            values[index] = .number(envelope.evaluate(number(input) ?? 0))
        }
    }
}
